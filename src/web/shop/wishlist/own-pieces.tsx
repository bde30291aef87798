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
  /** Shown below the cart: moving a piece there removes it from the list. */
  isInCart?: boolean;
}

/** This browser's wish list, with the number of pieces that are no longer sold. */
export function OwnPieces({ wishes, isInCart = false }: OwnPiecesProps) {
  const store = useStore() as AppStore;
  const { value, error, reload } = useLoaded('POST /api/wishlists/pieces', { body: { wishes: [...wishes] } });
  if (error) return <FailedLoad message={error} onRetry={reload} />;
  if (!value) return <Skeleton label="Loading your wish list" shapes={['h-64 w-full']} />;
  const wishedKeys = new Set(wishes.map(wishKey));
  const answeredKeys = new Set(value.pieces.map(({ wish }) => wishKey(wish)));
  const pieces = value.pieces.filter(({ wish }) => wishedKeys.has(wishKey(wish)));
  const gone = wishes.filter((wish) => !answeredKeys.has(wishKey(wish)));
  // Until the reply for a changed list is there, wishes that it lacks may be new.
  const isCurrent = value.pieces.length + gone.length === wishes.length;
  const drop = (some: readonly Wish[]) => {
    for (const wish of some) dropWish(wish);
    followWishes(store);
  };
  return (
    <>
      <WishCards
        pieces={pieces}
        label="Wish list"
        level={isInCart ? 3 : 2}
        {...(isInCart && { action: 'Move to cart', onAdded: ({ wish }: WishPiece) => drop([wish]) })}
      />
      {gone.length > 0 && isCurrent && (
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
