import { type ReactNode, useState } from 'react';

interface FoldedProps {
  title: string;
  /** The accessible name, if several sections have the same title. */
  label?: string;
  /** What is in it, in a word or two. */
  said?: string;
  /** There is an error in it. */
  isWrong: boolean;
  className?: string;
  children: ReactNode;
}

/** A folded part of a form. Its controls are there once it is opened, by hand or by an error in it. */
export function Folded({ title, label, said, isWrong, className, children }: FoldedProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details open={isOpen || isWrong} className={className} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="cursor-pointer" aria-label={label}>
        <span className="font-semibold">{title}</span>
        {said && <span className="hint ml-2">{said}</span>}
      </summary>
      {(isOpen || isWrong) && <div className="mt-4 grid gap-5">{children}</div>}
    </details>
  );
}
