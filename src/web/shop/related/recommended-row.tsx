import type { ProductCard } from '#contract/catalogue/catalogue.ts';
import { PieceRow } from './piece-link.tsx';

/** Recommended pieces, for pages with nothing else to show; undefined while they load. Reserves its height. */
export function RecommendedRow({ pieces }: { pieces: ProductCard[] | undefined }) {
  if (pieces?.length === 0) return null;
  return (
    <section aria-labelledby="recommended" className="grid min-h-72 w-full grid-cols-1 content-start gap-4 border-t border-line pt-8">
      <h2 id="recommended">Recommended pieces</h2>
      {pieces ? <PieceRow label="Recommended" pieces={pieces} first={3} /> : <div className="skeleton" />}
    </section>
  );
}
