import { useStoredValue } from '#web/browser/stored-value.ts';
import { keptWishes } from '#web/browser/wishes.ts';
import { Link } from '#web/ui/link.tsx';
import { OwnPieces } from './own-pieces.tsx';

/** The wish list below the cart, with “Move to cart”. */
export function SavedForLater() {
  const { wishes } = useStoredValue(keptWishes) ?? { wishes: [] };
  return (
    <section aria-labelledby="saved" className="mt-section grid grid-cols-1 gap-5 border-t border-line pt-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="saved">On your wish list</h2>
        <Link to="/cart?wishlist" className="link inline-flex min-h-target items-center">
          See your wish list
        </Link>
      </div>
      <OwnPieces wishes={wishes} isInCart />
    </section>
  );
}
