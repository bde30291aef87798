import { useContext } from 'react';
import { CompanyContext } from '#web/state/store.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Meta } from './meta.tsx';

/** For pages that only the browser can fill; not indexed. */
export function PageSkeleton({ title }: { title?: string }) {
  const { shop } = useContext(CompanyContext);
  return (
    <main id="main" className="container-page py-section" aria-busy="true">
      <Meta title={title ?? shop} isWhole={title === undefined} noindex />
      <noscript>
        <p>This page needs JavaScript, because your cart and your login are kept in your browser.</p>
      </noscript>
      <Skeleton label="Loading" />
    </main>
  );
}
