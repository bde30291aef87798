import { useLoaded } from '#web/state/use-loaded.ts';
import { PieceRow } from './piece-link.tsx';

const MOST = 8;

/** Recommended pieces in stock, for pages with nothing else to show. Reserves its height while loading. */
export function Recommended() {
  const { value, error } = useLoaded('GET /api/products', { query: { inStockQuery: 'true' } });
  if (error || value?.products.length === 0) return null;
  return (
    <section aria-labelledby="recommended" className="grid min-h-72 w-full grid-cols-1 content-start gap-4 border-t border-line pt-8">
      <h2 id="recommended">Recommended pieces</h2>
      {value && <PieceRow label="Recommended" pieces={value.products.slice(0, MOST)} eager={3} />}
    </section>
  );
}
