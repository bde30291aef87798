import { useEffect } from 'react';
import { useNavigationType } from 'react-router';
import { focusHeading } from '#web/browser/focus.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { keptWishes } from '#web/browser/wishes.ts';
import { Meta } from '#web/parts/meta.tsx';
import { useAppSelector } from '#web/state/store.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { selectUser } from '#web/state/user.slice.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { OwnPieces } from './own-pieces.tsx';
import { Share } from './share.tsx';
import { WishCards } from './wish-cards.tsx';

const TITLE = 'Wish list';

/** Shown on the cart's page in place of the cart: the visitor's wish list, or with an `id` a shared one. */
export function WishList({ id }: { id: string }) {
  const isLinked = useNavigationType() === 'PUSH';
  // At its first load, this code comes after the page has looked for its heading.
  useEffect(() => {
    if (isLinked) focusHeading();
  }, [isLinked]);
  return id ? <SharedList key={id} id={id} /> : <OwnList />;
}

/** A shared wish list, without its owner's name. */
function SharedList({ id }: { id: string }) {
  const { value, error } = useLoaded('GET /api/wishlists/:id', { params: { id } });
  return (
    <main id="main" className="container-page min-h-svh py-section">
      <Meta title="A wish list" noindex />
      <h1 className="mb-6">A wish list</h1>
      {!value && !error && <Skeleton label="Loading the wish list" shapes={['h-64 w-full']} />}
      {value && value.pieces.length > 0 && <WishCards pieces={value.pieces} label="Wish list" />}
      {(error || value?.pieces.length === 0) && (
        <div className="grid justify-items-start gap-5">
          <p className="text-heading">{error || 'This list is empty.'}</p>
          <ButtonLink to="/shop">All Products</ButtonLink>
        </div>
      )}
    </main>
  );
}

/** The visitor's wish list, stored in the browser and on their account. */
function OwnList() {
  const { wishes, shared, synced } = useStoredValue(keptWishes) ?? { wishes: [] };
  const isShared = shared !== undefined || Boolean(synced?.link) || (synced?.oldLinks ?? 0) > 0;
  const { userInfo } = useAppSelector(selectUser);
  return (
    <main id="main" className="container-page min-h-svh py-section">
      <Meta title={TITLE} noindex />
      <h1 className="mb-6">{TITLE}</h1>
      {wishes.length === 0 ? (
        <div className="grid justify-items-start gap-5">
          <p className="text-heading">Nothing saved yet.</p>
          <p>Press the heart beside an item to save it here.</p>
          <ButtonLink to="/shop">All Products</ButtonLink>
        </div>
      ) : (
        <OwnPieces wishes={wishes} />
      )}
      {!userInfo && wishes.length > 0 && (
        <p className="mt-8 flex flex-wrap items-center gap-3">
          This list is kept in this browser.
          <ButtonLink look="secondary" to="/login?redirect=cart">
            Log in to keep it on your account
          </ButtonLink>
        </p>
      )}
      {(wishes.length > 0 || isShared) && <Share />}
    </main>
  );
}
