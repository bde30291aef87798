/**
 * What was typed into forms and not sent yet. A draft belongs to one account: when that account logs out or another one logs in, it is
 * deleted, so that the next person on this browser tab does not find it (`state/storage-sync.ts` calls `deleteDraftsOfOthers`).
 */
import { readStored, writeStored } from './browser-storage.ts';

/**
 * The forms whose drafts are kept, by their keys in session storage. An attempt is an order that was sent and not answered yet; of the order
 * that was placed last, and of the one that is being paid, the id is kept.
 */
const FORMS = ['checkoutDraft', 'checkoutAttempt', 'placedOrder', 'payingOrder', 'productDraft', 'profileDraft', 'reviewDraft'] as const;
type Form = (typeof FORMS)[number];

/**
 * Address and code between login and the three screens of a password reset, and when another code may be asked for (`Date.now()`; 0: at any
 * time). In memory only: a reload forgets them.
 */
export const passwordResetDraft = { email: '', otp: '', nextCodeAt: 0 };

type Fields = Record<string, string>;

function readStoredDraft(form: Form): { owner: string; fields: Fields } | undefined {
  const draft = readStored(form, 'sessionStorage') as { owner?: unknown; fields?: unknown } | undefined;
  if (typeof draft?.owner !== 'string' || typeof draft.fields !== 'object' || draft.fields === null) return undefined;
  const texts = Object.entries(draft.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { owner: draft.owner, fields: Object.fromEntries(texts) };
}

/** What the account with the `_id` `owner` has typed into a form in this tab. */
export function readDraft(form: Form, owner: string): Fields {
  const draft = readStoredDraft(form);
  return draft?.owner === owner ? draft.fields : {};
}

export function writeDraft(form: Form, owner: string, fields: Fields): void {
  writeStored(form, { owner, fields }, 'sessionStorage');
}

export function deleteDraft(form: Form): void {
  writeStored(form, undefined, 'sessionStorage');
}

/** Deletes every draft but those of the account that is logged in now; without an account, all of them. */
export function deleteDraftsOfOthers(accountId: string | undefined): void {
  Object.assign(passwordResetDraft, { email: '', otp: '', nextCodeAt: 0 });
  for (const form of FORMS) if (accountId === undefined || readStoredDraft(form)?.owner !== accountId) deleteDraft(form);
}
