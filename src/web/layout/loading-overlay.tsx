import { Skeleton } from '#web/ui/skeleton.tsx';

/** Stands over the old page while the next one is fetched, from 300 ms on (specification §2, product detail). */
export function LoadingOverlay({ path }: { path: string }) {
  return (
    <div className="loading-overlay">
      <div className="container-page py-section">
        <Skeleton label={path.startsWith('/product/') ? 'Loading the product' : 'Loading the page'} />
      </div>
    </div>
  );
}
