import type { PropsWithChildren } from 'react';

/** A titled box, such as a part of an order. `className` says how far apart its contents stand. */
export function Panel({ title, className = 'gap-2', children }: PropsWithChildren<{ title: string; className?: string }>) {
  return (
    <section className={`panel grid content-start ${className}`}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
