import { useLoaderData } from 'react-router';
import { isProblem } from '#contract/platform/problem.ts';
import type { WishPiece } from '#contract/wishlist/wishlist.ts';
import { Meta } from '#web/parts/meta.tsx';
import { loadData } from '#web/state/load.ts';
import { request } from '#web/state/thunk.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { WishCards } from './wish-cards.tsx';

/** Null for a link that has ended. */
export const loader = loadData(async (store, { params: { id = '' } }): Promise<WishPiece[] | null> => {
  try {
    return (await store.dispatch(request('GET /api/wishlists/:id', { params: { id } }))).pieces;
  } catch (error) {
    if (isProblem(error) && error.status === 404) return null;
    throw error;
  }
});

/** A wish list that somebody shared, without their name. */
export function Component() {
  const pieces = useLoaderData<WishPiece[] | null>();
  return (
    <main id="main" className="container-page py-section">
      <Meta title="A wish list" noindex />
      <h1 className="mb-6">A wish list</h1>
      {pieces && pieces.length > 0 ? (
        <WishCards pieces={pieces} label="Wish list" />
      ) : (
        <div className="grid justify-items-start gap-5">
          <p className="text-heading">{pieces ? 'There is nothing on this list today.' : 'This list is no longer shared.'}</p>
          <ButtonLink to="/shop">All Products</ButtonLink>
        </div>
      )}
    </main>
  );
}
