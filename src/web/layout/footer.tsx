import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { FooterContent } from './footer-content.tsx';

/** The footer as the server wrote it. It is the same on every page, so the browser keeps that and loads no code for it. */
const written = { __html: import.meta.env.SSR ? '' : (document.querySelector('[data-page] > footer')?.innerHTML ?? '') };

export const FOOTER_CLASS = 'mt-section bg-accent text-page';

export function Footer() {
  const navigate = useNavigate();
  if (import.meta.env.SSR)
    return (
      <footer className={FOOTER_CLASS}>
        <FooterContent />
      </footer>
    );
  /** Opens a link to a page of the shop without loading everything again, as all other links do. */
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    if (!link || link.target || link.origin !== location.origin || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(link.pathname, { replace: link.pathname === location.pathname });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: what is clicked is a link in it, which the keyboard clicks as well.
    // biome-ignore lint/a11y/noStaticElementInteractions: it is no control itself.
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the markup is what React wrote on the server.
    <footer className={FOOTER_CLASS} onClick={follow} suppressHydrationWarning dangerouslySetInnerHTML={written} />
  );
}
