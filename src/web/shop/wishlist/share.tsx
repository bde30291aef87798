import { useStoredValue } from '#web/browser/stored-value.ts';
import { keptWishes, readWishes } from '#web/browser/wishes.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Creates and ends the share link of the account's or this browser's list. */
function useShareLink() {
  const dispatch = useAppDispatch();
  const isAccount = useAppSelector(selectUserInfo) !== null;
  const { synced, shared } = useStoredValue(keptWishes) ?? {};
  const setLinks = (links: { link: string | null; oldLinks: number }) => {
    const list = readWishes();
    if (list.synced) keptWishes.write({ ...list, synced: { ...list.synced, ...links } });
  };
  const share = async () => {
    if (isAccount) {
      const { token } = await dispatch(request('POST /api/users/lists/link', {}));
      return setLinks({ link: token, oldLinks: synced?.oldLinks ?? 0 });
    }
    const key = newKey();
    const { token } = await dispatch(request('POST /api/wishlists', { body: { key, wishes: readWishes().wishes } }));
    return keptWishes.write({ ...readWishes(), shared: { key, token } });
  };
  const end = async () => {
    if (isAccount) {
      await dispatch(request('DELETE /api/users/lists/link', {}));
      setLinks({ link: null, oldLinks: 0 });
    } else if (shared) {
      await dispatch(request('POST /api/wishlists/end', { body: { key: shared.key } }));
      keptWishes.write({ ...readWishes(), shared: undefined });
    }
    return 'The link has ended.';
  };
  // An account's link is known once its lists are synced.
  return {
    isReady: !isAccount || synced !== undefined,
    token: isAccount ? synced?.link : shared?.token,
    oldLinks: isAccount ? (synced?.oldLinks ?? 0) : 0,
    share,
    end,
  };
}

/** Creates, shows and ends the share link. */
export function Share() {
  const { isReady, token, oldLinks, share, end } = useShareLink();
  const { pending, error, done, run } = useAction();
  if (!isReady) return null;
  return (
    <section aria-label="Share" className="mt-section grid max-w-2xl gap-3 border-t border-line pt-6">
      {token ? (
        <CopyField key={token} label="Link to this list" value={`${location.origin}/cart?wishlist=${token}`} action="Copy link" />
      ) : (
        <Button look="secondary" className="justify-self-start" pending={pending === 'share'} onClick={() => run('share', share)}>
          Share this list
        </Button>
      )}
      <p className="hint">Anyone with the link sees today’s prices, but not your name.</p>
      {oldLinks > 0 && <p className="hint">A link from before you logged in still shows that list as it was.</p>}
      {(token || oldLinks > 0) && (
        <Button look="quiet" className="justify-self-start" pending={pending === 'end'} onClick={() => run('end', end)}>
          Stop sharing
        </Button>
      )}
      <p role="status">{done}</p>
      {error && <Alert>{error}</Alert>}
    </section>
  );
}
