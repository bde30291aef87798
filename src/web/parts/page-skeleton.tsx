import { Skeleton } from '#web/ui/skeleton.tsx';
import { Meta } from './meta.tsx';

/** Stands in for a page that only the browser can fill: no page for a search engine. */
export function PageSkeleton({ title = 'Hearth & Oak' }: { title?: string }) {
  return (
    <main id="main" className="container-page py-section" aria-busy="true">
      <Meta title={title} noindex />
      <noscript>
        <p>This page needs JavaScript, because your cart and your login are kept in your browser.</p>
      </noscript>
      <Skeleton label="Loading" />
    </main>
  );
}
