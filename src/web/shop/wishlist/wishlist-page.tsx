import { useIsBrowser, useKept } from '#web/browser/stored-value.ts';
import { keptWishes } from '#web/browser/wishes.ts';
import { Meta } from '#web/parts/meta.tsx';
import { PageSkeleton } from '#web/parts/page-skeleton.tsx';
import { useAppSelector } from '#web/state/store.ts';
import { selectUser } from '#web/state/user.slice.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { OwnPieces } from './own-pieces.tsx';
import { Share } from './share.tsx';

const TITLE = 'Wish list';

/** One's own wish list, which is kept in the browser, and on the account of who is logged in. */
export function Component() {
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
