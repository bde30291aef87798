import { type MouseEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { loadPatiently } from '#web/browser/code.ts';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

interface Page {
  title: string;
  html: string;
}

/** The pages of `docs/guide`, each loaded when it is read (`scripts/guide-pages.ts`). */
const PAGE_LOADERS = import.meta.glob<Page>('/docs/guide/*.md');

/** The name and the title of each page, in the order of a shopkeeper's first weeks. */
const PAGES = [
  ['setting-up', 'Setting up'],
  ['product', 'A product'],
  ['price-list', 'A price list'],
  ['sale', 'A sale'],
  ['by-phone', 'An order by phone'],
  ['packing', 'Packing'],
  ['correct', 'Correct an order'],
  ['dispatch', 'Dispatch'],
  ['return', 'A return'],
  ['refund', 'A refund'],
  ['reviews', 'Reviews'],
  ['staff', 'Staff and their roles'],
  ['programs', 'Other programs'],
  ['vat-quarter', 'The VAT quarter'],
  ['reports', 'Reports'],
  ['books', 'The morning book'],
] as const;

function usePage(name: string): Page | undefined {
  const [page, setPage] = useState<Page>();
  useEffect(() => {
    let isCancelled = false;
    const load = PAGE_LOADERS[`/docs/guide/${name}.md`];
    if (load)
      void loadPatiently(load).then((loaded) => {
        if (!isCancelled) setPage(loaded);
      });
    return () => {
      isCancelled = true;
    };
  }, [name]);
  return page;
}

/** One page of the guide for staff, and a list of all. */
export function Guide({ name }: { name: string }) {
  const navigate = useNavigate();
  const [currentName] = PAGES.find(([page]) => page === name) ?? PAGES[0];
  const page = usePage(currentName);
  /** Follows the page's links with the router, so that the browser does not load the app again. */
  const follow = (event: MouseEvent<HTMLElement>) => {
    const href = event.target instanceof Element && event.target.closest('a')?.getAttribute('href');
    // With a key pressed, the browser opens another tab or window.
    if (!href || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(href);
  };
  return (
    <div className="grid items-start gap-10 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <nav aria-label="Guide" className="lg:sticky lg:top-36">
        <ul className="flex flex-wrap gap-x-5 gap-y-1 lg:grid">
          {PAGES.map(([pageName, title]) => (
            <li key={pageName}>
              <Link
                to={`/admin/settings?section=guide&page=${pageName}`}
                aria-current={pageName === currentName ? 'page' : undefined}
                className="link inline-flex min-h-8 items-center aria-[current]:font-semibold"
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {!page && <Skeleton label="Loading the guide" />}
      {page && (
        <article aria-labelledby="guide-title" className="min-w-0">
          <h2 id="guide-title" className="mb-4">
            {page.title}
          </h2>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: only the links in it are pressed, which works by keyboard too. */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the same. */}
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made from the shop's own Markdown when it is built. */}
          <div className="prose guide" onClick={follow} dangerouslySetInnerHTML={{ __html: page.html }} />
        </article>
      )}
    </div>
  );
}
