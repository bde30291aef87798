import { useLoaderData } from 'react-router';
import { isProblem } from '#contract/platform/problem.ts';
import type { WishPiece } from '#contract/wishlist/wishlist.ts';
import { useIsBrowser, useKept } from '#web/browser/stored-value.ts';
import { keptWishes } from '#web/browser/wishes.ts';
import { Meta } from '#web/parts/meta.tsx';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import { loadData } from '#web/state/load.ts';
import { useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { selectUser } from '#web/state/user.slice.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { OwnPieces } from './own-pieces.tsx';
import { Share } from './share.tsx';
import { WishCards } from './wish-cards.tsx';

const TITLE = 'Wish list';

/** The pieces of a shared list, or that its link has ended; null for one's own list, which the browser has. */
type Shared = WishPiece[] | 'ended' | null;

export const loader = loadData(async (store, { params: { id } }): Promise<Shared> => {
  if (!id) return null;
  try {
    return (await store.dispatch(request('GET /api/wishlists/:id', { params: { id } }))).pieces;
  } catch (error) {
    if (isProblem(error) && error.status === 404) return 'ended';
    throw error;
  }
});

export function Component() {
  const shared = useLoaderData<Shared>();
  return shared ? <SharedList pieces={shared} /> : <OwnList />;
}

/** A wish list that somebody shared, without their name. */
function SharedList({ pieces }: { pieces: Exclude<Shared, null> }) {
  const text = pieces === 'ended' ? 'This list is no longer shared.' : 'There is nothing on this list today.';
  return (
    <main id="main" className="container-page py-section">
      <Meta title="A wish list" noindex />
      <h1 className="mb-6">A wish list</h1>
      {pieces !== 'ended' && pieces.length > 0 ? (
        <WishCards pieces={pieces} label="Wish list" />
      ) : (
        <div className="grid justify-items-start gap-5">
          <p className="text-heading">{text}</p>
          <ButtonLink to="/shop">All Products</ButtonLink>
        </div>
      )}
    </main>
  );
}

/** One's own wish list, which is kept in the browser, and on the account of who is logged in. */
function OwnList() {
  const isBrowser = useIsBrowser();
  const { wishes } = useKept(keptWishes) ?? { wishes: [] };
  const { userInfo } = useAppSelector(selectUser);
  if (!isBrowser) return <PageSkeleton title={TITLE} />;
  return (
    <main id="main" className="container-page py-section">
      <Meta title={TITLE} noindex />
      <h1 className="mb-6">{TITLE}</h1>
      {wishes.length === 0 ? (
        <div className="grid justify-items-start gap-5">
          <p className="text-heading">Nothing saved yet.</p>
          <p>Press the heart on a piece to save it here.</p>
          <ButtonLink to="/shop">All Products</ButtonLink>
        </div>
      ) : (
        <OwnPieces wishes={wishes} />
      )}
      {!userInfo && wishes.length > 0 && (
        <p className="mt-8 flex flex-wrap items-center gap-3">
          This list is kept in this browser.
          <ButtonLink look="secondary" to="/login?redirect=wishlist">
            Log in to keep it on your account
          </ButtonLink>
        </p>
      )}
      <Share />
    </main>
  );
}
