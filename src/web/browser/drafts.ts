/**
 * What was typed into forms and not sent yet. A draft belongs to one account: when that account logs out or another one logs in, it is
 * deleted, so that the next person on this browser tab does not find it (`state/storage-sync.ts` calls `deleteDraftsOfOthers`).
 */
import { readStored, writeStored } from './browser-storage.ts';

const CHECKOUT_DRAFT_KEY = 'checkoutDraft';

/** Address and code between the three screens of a password reset. In memory only: a reload forgets them. */
export const passwordResetDraft = { email: '', otp: '' };

type Fields = Record<string, string>;

function readDraft(): { owner: string; fields: Fields } | undefined {
  const draft = readStored(CHECKOUT_DRAFT_KEY, 'sessionStorage') as { owner?: unknown; fields?: unknown } | undefined;
  if (typeof draft?.owner !== 'string' || typeof draft.fields !== 'object' || draft.fields === null) return undefined;
  const texts = Object.entries(draft.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { owner: draft.owner, fields: Object.fromEntries(texts) };
}

/** What the account with the `_id` `owner` has typed at the checkout in this tab. */
export function readCheckoutDraft(owner: string): Fields {
  const draft = readDraft();
  return draft?.owner === owner ? draft.fields : {};
}

export function writeCheckoutDraft(owner: string, fields: Fields): void {
  writeStored(CHECKOUT_DRAFT_KEY, { owner, fields }, 'sessionStorage');
}

export function deleteCheckoutDraft(): void {
  writeStored(CHECKOUT_DRAFT_KEY, undefined, 'sessionStorage');
}

/** Deletes every draft but those of the account that is logged in now; without an account, all of them. */
export function deleteDraftsOfOthers(accountId: string | undefined): void {
  Object.assign(passwordResetDraft, { email: '', otp: '' });
  if (accountId === undefined || readDraft()?.owner !== accountId) deleteCheckoutDraft();
}
