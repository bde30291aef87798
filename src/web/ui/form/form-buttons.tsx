import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';

interface FormButtonsProps {
  /** The form is being sent. */
  pending: boolean;
  look?: 'primary' | 'danger';
  /** What the button beside it says, which leaves the form without sending it. */
  close?: string;
  onClose: () => void;
  /** What the button that sends the form says. */
  children: ReactNode;
}

/**
 * Leads the focus into the form that was opened, and from one that has closed to the heading of its part of the page: the button that opened it was
 * not there meanwhile, and may be gone for good.
 */
function useFocusOfForm(inside: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const form = inside.current?.closest('form');
    const heading = form?.closest('section')?.querySelector<HTMLElement>('h2');
    form?.querySelector<HTMLElement>(':is(input, select, textarea, button):enabled')?.focus();
    return () => {
      if (!heading?.isConnected || document.activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus();
    };
  }, [inside]);
}

/** The foot of a form that was opened within a page: the button that sends it, and one that closes it again. It leads the focus there and back. */
export function FormButtons({ pending, look = 'primary', close = 'Close', onClose, children }: FormButtonsProps) {
  const inside = useRef<HTMLParagraphElement>(null);
  useFocusOfForm(inside);
  return (
    <p ref={inside} className="flex flex-wrap gap-3">
      <Button type="submit" look={look} pending={pending}>
        {children}
      </Button>
      <Button look="secondary" onClick={onClose}>
        {close}
      </Button>
    </p>
  );
}
