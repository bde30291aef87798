import { Skeleton } from '#web/ui/skeleton.tsx';

/** Stands in for a page that only the browser can fill. */
export function PageSkeleton() {
  return (
    <main id="main" className="container-page py-section" aria-busy="true">
      <noscript>
        <p>This page needs scripts, since your cart and your session live in your browser.</p>
      </noscript>
      <Skeleton label="Loading" />
    </main>
  );
}
