/**
 * What somebody typed and the tab remembers beside the store. It belongs to one account and goes with its logout, so that the next
 * person on this tab finds nothing of it (`persistence.ts` calls `forgetPrivate`).
 */
const DRAFT_KEY = 'checkoutDraft';

/** The address and code between the three screens of a password reset: kept in memory only, and gone with the page. */
export const resetMemory = { email: '', otp: '' };

type Fields = Record<string, string>;

function storedDraft(): { owner: string; fields: Fields } | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? 'null') as { owner?: unknown; fields?: unknown } | null;
    if (typeof draft?.owner !== 'string' || typeof draft.fields !== 'object' || draft.fields === null) return undefined;
    const texts = Object.entries(draft.fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { owner: draft.owner, fields: Object.fromEntries(texts) };
  } catch {
    return undefined;
  }
}

/** What the account (its `_id`) has typed at the checkout in this tab; nothing where somebody else did. */
export function readDraft(owner: string): Fields {
  const draft = storedDraft();
  return draft?.owner === owner ? draft.fields : {};
}

export function writeDraft(owner: string, fields: Fields): void {
  try {
    sessionStorage.setItem(DRAFT_KEY, JSON.stringify({ owner, fields }));
  } catch {
    // The form goes on without.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(DRAFT_KEY);
  } catch {
    // Nothing was kept either.
  }
}

/** Forgets what was typed by anybody but the account that is logged in now; with none, everything. */
export function forgetPrivate(owner: string | undefined): void {
  Object.assign(resetMemory, { email: '', otp: '' });
  if (storedDraft()?.owner !== owner || owner === undefined) forgetDraft();
}
