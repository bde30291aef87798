import type { Pence } from './money.ts';

/** The sums of a paid order from which it follows what its customer is owed, as they are stored. */
export interface Account {
  totalPrice: Pence;
  waivedPrice: Pence;
  /** Refunds that have not failed. */
  refundedPrice: Pence;
  /** The part of them that was for nothing that left the order. */
  goodwillPrice: Pence;
  /** Disputes that are open or lost. */
  disputedPrice: Pence;
  /** The total that the customer is to have back for what left the order, from the shop or from a bank. */
  entitledPrice: Pence;
  /** What staff kept of the price of pieces that left. */
  keptPrice: Pence;
}

const paidOf = ({ totalPrice, waivedPrice }: Account): Pence => totalPrice - waivedPrice;

/** What the shop has refunded of what the customer is entitled to. */
const givenOf = ({ refundedPrice, goodwillPrice }: Account): Pence => Math.max(0, refundedPrice - goodwillPrice);

/** What the customer is to have back in all. Refunds that earlier versions made are no part of the stored sum, so they raise it. */
export const entitledOf = (account: Account): Pence => Math.max(account.entitledPrice, givenOf(account));

/** What the shop has not refunded of that. A bank may hold it, or may have given it back. */
export const claimOf = (account: Account): Pence => entitledOf(account) - givenOf(account);

/** What is to be refunded now: `owed_price()` of the database is the same. */
export const owedOf = (account: Account): Pence =>
  Math.max(0, Math.min(claimOf(account), paidOf(account) - account.refundedPrice) - account.disputedPrice);

/** What a bank holds or has given back of what the customer is entitled to. */
export const byBankOf = (account: Account): Pence => Math.min(claimOf(account), account.disputedPrice);

/** What a bank holds or has given back of the rest: it counts for the next pieces that leave. */
export const heldOf = (account: Account): Pence => account.disputedPrice - byBankOf(account);

/** What is left of the payment beyond what the customer is entitled to already: the most that the next pieces can bring back. */
export const unclaimedOf = (account: Account): Pence => Math.max(0, paidOf(account) - account.refundedPrice - claimOf(account));

/** What `due` more for pieces that leave makes of an order, and the part that is refunded at once. What was owed before is left to staff. */
export function entitle(account: Account, due: Pence): Pick<Account, 'entitledPrice'> & { refund: Pence } {
  const entitledPrice = entitledOf(account) + Math.min(due, unclaimedOf(account));
  return { entitledPrice, refund: owedOf({ ...account, entitledPrice }) - owedOf(account) };
}

/** What an order is after staff have chosen less than `due` for pieces that leave: the rest is kept. */
export function entitleLess(account: Account, due: Pence, amount: Pence): Pick<Account, 'entitledPrice' | 'keptPrice'> {
  const kept = Math.max(0, Math.min(due, unclaimedOf(account)) - amount);
  return { entitledPrice: entitledOf(account) + amount, keptPrice: account.keptPrice + kept };
}

/** What an order is after staff have chosen to keep an amount that was owed. */
export const keep = (account: Account, amount: Pence): Pick<Account, 'entitledPrice' | 'keptPrice'> => ({
  entitledPrice: entitledOf(account) - amount,
  keptPrice: account.keptPrice + amount,
});

/**
 * What an amount without pieces pays: what the customer is still owed and no bank has given back (`lost`, all lost disputes), then goodwill that has failed
 * (`failed`), then what staff kept before, and the rest is new goodwill.
 */
export function payInto(
  account: Account,
  amount: Pence,
  { lost, failed }: Record<'lost' | 'failed', Pence>,
): Pick<Account, 'entitledPrice' | 'keptPrice'> & { goodwill: Pence; again: Pence } {
  const owed = Math.min(amount, Math.max(0, claimOf(account) - lost));
  const again = Math.min(amount - owed, failed);
  const back = Math.min(amount - owed - again, account.keptPrice);
  return { ...keep(account, -back), goodwill: amount - owed - back, again };
}

/**
 * What lost disputes (`lost`) are counted for: what the customer is entitled to, then what staff kept, which the customer then has. The sum may fall again,
 * such as when a bank takes a loss back.
 */
export function countLost(account: Account, lost: Pence): Pick<Account, 'entitledPrice' | 'keptPrice'> & { lostPrice: Pence } {
  const claim = claimOf(account);
  const kept = Math.min(account.keptPrice, Math.max(0, lost - claim));
  const left = Math.max(0, paidOf(account) - account.refundedPrice);
  return { ...keep(account, -kept), lostPrice: Math.min(lost, left, claim + kept) };
}

type Parts = Record<'amount' | 'goodwill', Pence>;

/**
 * The part of each failed refund that can be paid now, and how much of it is goodwill: at most `owed` for what left the order, and `refundable` in all. The first
 * refund of the list takes what is owed first.
 */
export function openParts(failed: readonly Parts[], { owed, refundable }: Record<'owed' | 'refundable', Pence>): Parts[] {
  let [owedLeft, most] = [owed, refundable];
  return failed.map(({ amount, goodwill }) => {
    const own = Math.min(amount - goodwill, owedLeft);
    const given = Math.min(goodwill, Math.max(0, most - own));
    owedLeft -= own;
    most -= own + given;
    return { amount: own + given, goodwill: given };
  });
}
