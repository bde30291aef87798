import type { Product } from '#contract/catalogue/catalogue.ts';
import { selectProductDetail } from '#web/state/product-detail.slice.ts';
import { useAppSelector } from '#web/state/store.ts';
import { AlertForm } from './alert-form.tsx';
import { PieceLink } from './piece-link.tsx';

/** Replaces the delivery promise of a sold-out product: the back-in-stock form, and alternatives. */
export function SoldOut({ product }: { product: Pick<Product, '_id' | 'name'> }) {
  const { related } = useAppSelector(selectProductDetail);
  const instead = related?.instead ?? [];
  return (
    <div className="grid gap-5">
      <AlertForm product={product} />
      {instead.length > 0 && (
        <section aria-labelledby="instead" className="grid gap-3">
          <h2 id="instead">In stock instead</h2>
          <ul className="grid grid-cols-3 gap-3">
            {instead.map((piece) => (
              <li key={piece._id}>
                <PieceLink piece={piece} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
