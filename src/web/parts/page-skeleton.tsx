import { useContext } from 'react';
import { CompanyContext } from '#web/state/store.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { CallUs } from './call-us.tsx';
import { Meta } from './meta.tsx';

/** What stands in a page until the browser has read its storage. */
export function Unread() {
  return (
    <>
      <noscript>
        <p>
          This page needs JavaScript, because your cart and your login are kept in your browser. To order without it, <CallUs />.
        </p>
      </noscript>
      <Skeleton label="Loading" />
    </>
  );
}

/** For pages that only the browser can fill; without a `description`, not indexed. The footer waits below the screen, so that nothing jumps. */
export function PageSkeleton({ title, description }: { title?: string; description?: string }) {
  const { shop } = useContext(CompanyContext);
  return (
    <main id="main" className="container-page min-h-svh py-section" aria-busy="true">
      <Meta title={title ?? shop} noShopName={title === undefined} {...(description ? { description } : { noindex: true })} />
      <noscript>
        <h1 className="mb-4">{title ?? 'Your account'}</h1>
      </noscript>
      <Unread />
    </main>
  );
}
