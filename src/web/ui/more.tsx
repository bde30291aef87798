import { type PropsWithChildren, useState } from 'react';

/** A `details` whose content is drawn, and its code loaded, once it is opened. */
export function More({ summary, isOpen = false, children }: PropsWithChildren<{ summary: string; isOpen?: boolean }>) {
  const [isWanted, setIsWanted] = useState(isOpen);
  return (
    <details className="group" open={isOpen} onToggle={() => setIsWanted(true)}>
      <summary className="link flex min-h-target w-fit items-center">{summary}</summary>
      {isWanted && children}
    </details>
  );
}
