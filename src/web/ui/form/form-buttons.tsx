import type { ReactNode } from 'react';
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

/** The foot of a form that was opened within a page: the button that sends it, and one that closes it again. */
export function FormButtons({ pending, look = 'primary', close = 'Close', onClose, children }: FormButtonsProps) {
  return (
    <p className="flex flex-wrap gap-3">
      <Button type="submit" look={look} pending={pending}>
        {children}
      </Button>
      <Button look="secondary" onClick={onClose}>
        {close}
      </Button>
    </p>
  );
}
