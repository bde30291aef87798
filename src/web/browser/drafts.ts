/**
 * Typed but unsent forms. A draft belongs to one account, and is deleted when that account logs out or another one logs in
 * (`state/storage-sync.ts`).
 */
import { readStored, writeStored } from './browser-storage.ts';

/** Keys in session storage. `checkoutAttempt` is an order sent and not answered yet; `placedOrder` and `payingOrder` hold ids. */
const DRAFT_KEYS = [
  'checkoutDraft',
  'checkoutAttempt',
  'placedOrder',
  'payingOrder',
  'productDraft',
  'profileDraft',
  'reviewDraft',
] as const;
type DraftKey = (typeof DRAFT_KEYS)[number];

/** Address and code of a password reset, and when another code may be requested (`Date.now()`; 0 is now). In memory only. */
export const passwordResetDraft = { email: '', otp: '', nextCodeAt: 0 };

type Fields = Record<string, string>;

function readStoredDraft(key: DraftKey): { owner: string; fields: Fields } | undefined {
  const draft = readStored(key, 'sessionStorage') as { owner?: unknown; fields?: unknown } | undefined;
  if (typeof draft?.owner !== 'string' || typeof draft.fields !== 'object' || draft.fields === null) return undefined;
  const texts = Object.entries(draft.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { owner: draft.owner, fields: Object.fromEntries(texts) };
}

/** The account's draft of a form in this tab. */
export function readDraft(key: DraftKey, owner: string): Fields {
  const draft = readStoredDraft(key);
  return draft?.owner === owner ? draft.fields : {};
}

export function writeDraft(key: DraftKey, owner: string, fields: Fields): void {
  writeStored(key, { owner, fields }, 'sessionStorage');
}

export function deleteDraft(key: DraftKey): void {
  writeStored(key, undefined, 'sessionStorage');
}

/** Keeps only the drafts of the logged-in account; without an account, none. */
export function deleteDraftsOfOthers(accountId: string | undefined): void {
  Object.assign(passwordResetDraft, { email: '', otp: '', nextCodeAt: 0 });
  for (const key of DRAFT_KEYS) if (accountId === undefined || readStoredDraft(key)?.owner !== accountId) deleteDraft(key);
}
