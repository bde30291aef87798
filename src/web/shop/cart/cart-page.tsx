import { useState } from 'react';
import { useStore } from 'react-redux';
import { useLoaderData, useSearchParams } from 'react-router';
import type { ProductCard } from '#contract/catalogue/catalogue.ts';
import { TOO_MANY_WISHES } from '#contract/platform/limits.ts';
import { useFocusOnChange } from '#web/browser/focus.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { dropWish, keptWishes, saveWish } from '#web/browser/wishes.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Meta } from '#web/parts/meta.tsx';
import { PageSkeleton, Unread } from '#web/parts/page-skeleton.tsx';
import { MOST_RECOMMENDED, RECOMMENDED, RecommendedRow } from '#web/shop/related/recommended-row.tsx';
import { followWishes } from '#web/shop/wishlist/follow-wishes.ts';
import { type CartItem, itemRemoved, itemReturned, selectCart } from '#web/state/cart.slice.ts';
import { loadData } from '#web/state/load.ts';
import { wishOf } from '#web/state/piece-line.ts';
import { type AppStore, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';
import { CartLine } from './cart-line.tsx';
import { CartSummary } from './cart-summary.tsx';
import { useCheckedCart } from './use-checked-cart.ts';
import { useFreshCheckout } from './use-pay.ts';
import { usePaymentReturn } from './use-return.ts';
import { useUnanswered } from './use-unanswered.ts';

/** Pieces that get the cart to free delivery, and the rest of its room. */
const BesideCart = lazyPart(async () => (await import('./beside-cart.tsx')).BesideCart, {
  when: 'near',
  fallback: <div className="min-h-96" />,
});

const Recommended = lazyPart(async () => (await import('#web/shop/related/recommended.tsx')).Recommended, {
  fallback: <div className="min-h-72" />,
});

const WishList = lazyPart(async () => (await import('#web/shop/wishlist/wish-list.tsx')).WishList);

/** The wish list, below the cart. */
const SavedForLater = lazyPart(async () => (await import('#web/shop/wishlist/saved-for-later.tsx')).SavedForLater, {
  when: 'near',
  fallback: <div className="min-h-96" />,
});

/** The server sends what an empty cart shows; null in the browser, which loads it when it is needed, and where the server has no answer. */
export const loader = loadData(async (store, { search }) => {
  if (!import.meta.env.SSR || search.size > 0) return null;
  const list = await store.dispatch(request('GET /api/products', RECOMMENDED)).catch(() => undefined);
  return list?.products.slice(0, MOST_RECOMMENDED) ?? null;
});

const TITLE = 'Cart';
const DESCRIPTION = 'Your cart is kept in this browser: change it, see what delivery costs, and order by card or cash on delivery.';

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

function EmptyCart() {
  const pieces = useLoaderData<ProductCard[] | null>();
  return (
    <div className="mt-6 grid grid-cols-1 justify-items-start gap-5">
      <p className="text-heading">Your shopping cart is currently empty.</p>
      <ButtonLink to="/newarrivals" className="mb-6">
        See new arrivals
      </ButtonLink>
      {pieces ? <RecommendedRow pieces={pieces} /> : <Recommended />}
    </div>
  );
}

/** The cart (specification §2), stored in the browser and checked by the server when it opens; or with `?wishlist` a wish list. */
export function Component() {
  const { isRestored } = useAppSelector(selectCart);
  const isAsking = useUnanswered();
  const wishlist = useSearchParams()[0].get('wishlist');
  useFocusOnChange(wishlist);
  if (wishlist !== null) return isRestored && !isAsking ? <WishList id={wishlist} /> : <PageSkeleton title={TITLE} />;
  if (!isRestored) return <UnreadCart />;
  return isAsking ? <PageSkeleton title={TITLE} description={DESCRIPTION} /> : <Cart />;
}

/** What the server sends: the empty cart, shown where `start.ts` has seen that this browser's is empty. */
function UnreadCart() {
  return (
    <main id="main" className="container-page min-h-svh py-section" aria-busy="true">
      <Meta title={TITLE} description={DESCRIPTION} />
      <h1>Cart</h1>
      <div className="mt-4 in-data-empty-cart:hidden">
        <Unread />
      </div>
      <div className="hidden in-data-empty-cart:block">
        <EmptyCart />
      </div>
    </main>
  );
}

function Cart() {
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
    <main id="main" className="container-page min-h-svh py-section">
      <Meta title={TITLE} description={DESCRIPTION} />
      <h1>Cart</h1>
      <Notices returned={returned} removal={removal} />
      {items.length === 0 ? (
        <EmptyCart />
      ) : (
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
      {items.length === 0 && isSaved && <SavedForLater />}
    </main>
  );
}
