import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';

interface FormButtonsProps {
  pending: boolean;
  look?: 'primary' | 'danger';
  /** The label of the button that closes the form. */
  close?: string;
  onClose: () => void;
  /** The label of the submit button. */
  children: ReactNode;
}

/** Focuses a form that opens, and the section's heading when it closes: the button that opened it may be gone. */
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

/** The buttons of a form opened within a page; moves the focus there and back. */
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
