import type { ReactNode, RefObject } from 'react';

interface AlertProps {
  tone?: 'bad' | 'good' | 'note';
  /** Lets the caller move the focus here. */
  focus?: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}

/** An announced message: a failure, a success or a note. */
export function Alert({ tone = 'bad', focus, children }: AlertProps) {
  const look = {
    bad: 'border-bad bg-bad-tint text-bad',
    good: 'border-good bg-accent-tint text-good',
    note: 'border-edge bg-paper text-ink',
  }[tone];
  return (
    <div
      ref={focus}
      tabIndex={focus && -1}
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`rounded-soft border-l-4 px-4 py-3 font-medium ${look}`}
    >
      {children}
    </div>
  );
}
