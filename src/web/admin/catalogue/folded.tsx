import { type ReactNode, useState } from 'react';

interface FoldedProps {
  title: string;
  /** The accessible name, if several sections have the same title. */
  label?: string;
  /** The values in it, in a word or two. */
  summary?: string;
  /** Whether it has an error. */
  isWrong: boolean;
  className?: string;
  children: ReactNode;
}

/** A folded part of a form. It opens by hand, or by itself if it has an error. Its controls are rendered only while it is open. */
export function Folded({ title, label, summary, isWrong, className, children }: FoldedProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details open={isOpen || isWrong} className={className} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="cursor-pointer" aria-label={label}>
        <span className="font-semibold">{title}</span>
        {summary && <span className="hint ml-2">{summary}</span>}
      </summary>
      {(isOpen || isWrong) && <div className="mt-4 grid gap-5">{children}</div>}
    </details>
  );
}
