import { useStore } from 'react-redux';
import { wishKey } from '#contract/wishlist/wish-key.ts';
import type { Wish, WishPiece } from '#contract/wishlist/wishlist.ts';
import { dropWish } from '#web/browser/wishes.ts';
import type { AppStore } from '#web/state/store.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Button } from '#web/ui/button.tsx';
import { FailedLoad } from '#web/ui/failed-load.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { followWishes } from './follow-wishes.ts';
import { WishCards } from './wish-cards.tsx';

interface OwnPiecesProps {
  wishes: readonly Wish[];
  /** In the cart: putting a piece back removes it from the list. */
  isInCart?: boolean;
}

/** This browser's wish list. Pieces no longer sold are counted and can be removed. */
export function OwnPieces({ wishes, isInCart = false }: OwnPiecesProps) {
  const store = useStore() as AppStore;
  const { value, error, reload } = useLoaded('POST /api/wishlists/pieces', { body: { wishes: [...wishes] } });
  if (error) return <FailedLoad message={error} onRetry={reload} />;
  if (!value) return <Skeleton label="Loading your wish list" shapes={['h-64 w-full']} />;
  const keys = new Set(wishes.map(wishKey));
  const known = new Set(value.pieces.map(({ wish }) => wishKey(wish)));
  const pieces = value.pieces.filter(({ wish }) => keys.has(wishKey(wish)));
  const gone = wishes.filter((wish) => !known.has(wishKey(wish)));
  const drop = (some: readonly Wish[]) => {
    for (const wish of some) dropWish(wish);
    followWishes(store);
  };
  return (
    <>
      <WishCards
        pieces={pieces}
        label={isInCart ? 'Saved for later' : 'Wish list'}
        level={isInCart ? 3 : 2}
        {...(isInCart && { action: 'Put back in cart', onAdded: ({ wish }: WishPiece) => drop([wish]) })}
      />
      {gone.length > 0 && value.pieces.length + gone.length === wishes.length && (
        <p className="mt-6 flex flex-wrap items-center gap-3 text-soft">
          {gone.length === 1 ? 'One saved item is' : `${gone.length} saved items are`} no longer sold.
          <Button look="quiet" onClick={() => drop(gone)}>
            Remove
          </Button>
        </p>
      )}
    </>
  );
}
