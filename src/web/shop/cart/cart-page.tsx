import { useSearchParams } from 'react-router';
import { useFocusOnChange } from '#web/browser/focus.ts';
import { FAR_DOWN, lazyPart } from '#web/parts/lazy-part.tsx';
import { Meta } from '#web/parts/meta.tsx';
import { PageSkeleton, Unread } from '#web/parts/page-skeleton.tsx';
import { MOST_RECOMMENDED, RECOMMENDED } from '#web/shop/related/recommended-query.ts';
import { selectCart } from '#web/state/cart.slice.ts';
import { loadData } from '#web/state/load.ts';
import { useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useUnanswered } from './use-unanswered.ts';

/** Hidden where `start.ts` has seen that this browser's cart is empty. */
const UNREAD = (
  <div className="mt-4 in-data-empty-cart:hidden">
    <Unread />
  </div>
);

const Cart = lazyPart(async () => (await import('./cart.tsx')).Cart, { fallback: UNREAD });

/** Near the screen only while it is shown, so that a cart with lines does not load it. */
const EmptyCart = lazyPart(async () => (await import('./empty-cart.tsx')).EmptyCart, FAR_DOWN);

const WishList = lazyPart(async () => (await import('#web/shop/wishlist/wish-list.tsx')).WishList);

/** The server sends what an empty cart shows, or null without an answer. The browser loads that when it is needed, and here the code of what it shows. */
export const loader = loadData(async (store, { search }) => {
  if (!import.meta.env.SSR) {
    await (search.has('wishlist') ? WishList : Cart).load();
    return null;
  }
  if (search.size > 0) return null;
  const list = await store.dispatch(request('GET /api/products', RECOMMENDED)).catch(() => undefined);
  return list?.products.slice(0, MOST_RECOMMENDED) ?? null;
});

const TITLE = 'Cart';
const DESCRIPTION = 'Your cart is kept in this browser: change it, see what delivery costs, and order by card or cash on delivery.';

/**
 * The cart (specification §2), stored in the browser; or with `?wishlist` a wish list. The server sends the empty cart, which stays where it is if
 * the browser's is empty too.
 */
export function Component() {
  const { items, isRestored } = useAppSelector(selectCart);
  const isAsking = useUnanswered();
  const wishlist = useSearchParams()[0].get('wishlist');
  useFocusOnChange(wishlist);
  if (wishlist !== null) return isRestored && !isAsking ? <WishList id={wishlist} /> : <PageSkeleton title={TITLE} />;
  if (isAsking) return <PageSkeleton title={TITLE} description={DESCRIPTION} />;
  return (
    <main id="main" className="container-page min-h-svh py-section" aria-busy={!isRestored}>
      <Meta title={TITLE} description={DESCRIPTION} />
      <h1>Cart</h1>
      {isRestored ? <Cart /> : UNREAD}
      {items.length === 0 && (
        <div className={isRestored ? '' : 'hidden in-data-empty-cart:block'}>
          <EmptyCart />
        </div>
      )}
    </main>
  );
}
