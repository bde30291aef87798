import { useState } from 'react';
import { useStore } from 'react-redux';
import { TOO_MANY_WISHES } from '#contract/platform/limits.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { dropWish, keptWishes, saveWish } from '#web/browser/wishes.ts';
import { FAR_DOWN, lazyPart } from '#web/parts/lazy-part.tsx';
import { followWishes } from '#web/shop/wishlist/follow-wishes.ts';
import { type CartItem, itemRemoved, itemReturned, selectCart } from '#web/state/cart.slice.ts';
import { wishOf } from '#web/state/piece-line.ts';
import { type AppStore, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { CartLine } from './cart-line.tsx';
import { CartSummary } from './cart-summary.tsx';
import { useCheckedCart } from './use-checked-cart.ts';
import { useFreshCheckout } from './use-pay.ts';
import { usePaymentReturn } from './use-return.ts';

/** Pieces that get the cart to free delivery, and the rest of its room. */
const BesideCart = lazyPart(async () => (await import('./beside-cart.tsx')).BesideCart, FAR_DOWN);

/** The wish list, below the cart. */
export const SavedForLater = lazyPart(async () => (await import('#web/shop/wishlist/saved-for-later.tsx')).SavedForLater, FAR_DOWN);

interface Removed {
  item: CartItem;
  index: number;
  /** What became of the line on the wish list; undefined if it was only removed. */
  saved: 'added' | 'known' | undefined;
}

function useRemoval() {
  const store = useStore() as AppStore;
  const dispatch = useAppDispatch();
  const [removed, setRemoved] = useState<Removed>();
  const remove = (item: CartItem, index: number, saved?: Removed['saved']) => {
    dispatch(itemRemoved(item._id));
    setRemoved({ item, index, saved });
  };
  const save = (item: CartItem, index: number) => {
    const saved = saveWish(wishOf(item));
    if (saved === 'full') return toast.error(TOO_MANY_WISHES);
    remove(item, index, saved);
    followWishes(store);
  };
  const undo = () => {
    if (removed) dispatch(itemReturned(removed));
    if (removed?.saved === 'added') {
      dropWish(wishOf(removed.item));
      followWishes(store);
    }
    setRemoved(undefined);
  };
  return { removed, remove, save, undo };
}

interface NoticesProps {
  /** The message after a cancelled payment; empty without one. */
  returned: string;
  removal: ReturnType<typeof useRemoval>;
}

function Notices({ returned, removal: { removed, undo } }: NoticesProps) {
  return (
    <div role="status" className="mt-4">
      {returned && <p className="rounded-soft bg-accent-tint px-4 py-2">{returned}</p>}
      {removed && (
        <p className="flex flex-wrap items-center gap-3 rounded-soft bg-accent-tint px-4 py-2">
          {removed.item.name} was {removed.saved ? 'moved to your wish list' : 'removed'}.
          <button type="button" className="btn btn-quiet" onClick={undo}>
            Undo
          </button>
        </p>
      )}
    </div>
  );
}

/** The cart's notices and lines, checked by the server when it opens, and what stands below them. */
export function Cart() {
  const { items } = useAppSelector(selectCart);
  const isSaved = (useStoredValue(keptWishes)?.wishes.length ?? 0) > 0;
  const removal = useRemoval();
  const [failures, setFailures] = useState(0);
  const returned = usePaymentReturn();
  // Checks the cart again after a failed card payment, and after a cancelled one.
  const states = useCheckedCart(`${failures} ${returned}`);
  useFreshCheckout();
  const isBlocked = items.some(({ _id, qty }) => qty > (states.get(_id)?.available ?? qty));
  return (
    <>
      <Notices returned={returned} removal={removal} />
      {items.length > 0 && (
        <>
          <div className="mt-6 grid items-start gap-8 lg:grid-cols-[1fr_22rem] lg:gap-14">
            <ul aria-label="Cart lines" className="border-b border-line">
              {items.map((item, index) => (
                <CartLine
                  key={item._id}
                  item={item}
                  state={states.get(item._id)}
                  onRemove={() => removal.remove(item, index)}
                  onSave={() => removal.save(item, index)}
                />
              ))}
            </ul>
            <CartSummary isBlocked={isBlocked} onCardFailure={() => setFailures(failures + 1)} />
          </div>
          {isSaved && <SavedForLater />}
          <BesideCart />
        </>
      )}
    </>
  );
}
