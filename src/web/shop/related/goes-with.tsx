import { selectProductDetail } from '#web/state/product-detail.slice.ts';
import { useAppSelector } from '#web/state/store.ts';
import { PieceRow } from './piece-link.tsx';

/** Products to go with this one: those that the shop picked, then others in stock of the same range, brand, room or material. */
export function GoesWith() {
  const { related } = useAppSelector(selectProductDetail);
  if (!related || related.goesWith.length === 0) return null;
  return (
    <section aria-labelledby="goes-with" className="grid grid-cols-1 gap-4 border-t border-line pt-8">
      <h2 id="goes-with">Goes well with</h2>
      <PieceRow label="Goes well with" pieces={related.goesWith} />
    </section>
  );
}
