import type { PropsWithChildren } from 'react';
import { Meta } from '#web/parts/meta.tsx';

interface PolicyFrameProps {
  title: string;
  description: string;
  canonical: string;
  /** Below the title. */
  note?: string;
  /** Sections for the links at the top. */
  sections: readonly (readonly [id: string, heading: string])[];
}

/** The note of a page that is not the owner's text. */
const LAST_UPDATED = 'Last updated on 23 November 2026';

export function PolicyFrame({
  title,
  description,
  canonical,
  sections,
  note = LAST_UPDATED,
  children,
}: PropsWithChildren<PolicyFrameProps>) {
  return (
    <main id="main" className="container-page py-section">
      <Meta title={title} description={description} canonical={canonical} />
      <div className="grid gap-10 lg:grid-cols-[14rem_1fr]">
        <nav aria-label="On this page" className="hidden lg:block">
          <ul className="sticky top-32 grid gap-2 text-sm">
            {sections.map(([id, heading]) => (
              <li key={id}>
                <a href={`#${id}`} className="link inline-block py-1">
                  {heading}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="prose">
          <h1>{title}</h1>
          <p className="mt-2 text-sm text-soft">{note}</p>
          {children}
        </div>
      </div>
    </main>
  );
}
