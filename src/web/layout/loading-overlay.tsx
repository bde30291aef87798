import { Skeleton } from '#web/ui/skeleton.tsx';

/** Covers the old page while the next one loads, after 300 ms (specification §2, product detail). */
export function LoadingOverlay({ path }: { path: string }) {
  return (
    <div className="loading-overlay">
      <div className="container-page py-section">
        <Skeleton label={path.startsWith('/product/') ? 'Loading the product' : 'Loading the page'} />
      </div>
    </div>
  );
}
