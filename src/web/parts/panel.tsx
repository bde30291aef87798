import type { PropsWithChildren } from 'react';

/** `className` sets the gap of its contents. */
export function Panel({ title, className = 'gap-2', children }: PropsWithChildren<{ title: string; className?: string }>) {
  return (
    <section className={`panel grid content-start ${className}`}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
