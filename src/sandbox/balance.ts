import type { Ledger, Payout } from './ledger.ts';
import { totalOf } from './objects.ts';
import type { Change } from './refunds.ts';
import { ApiError, newId, nowInSeconds } from './session.ts';

/** An entry of the account's balance. `fee` is deducted in addition to `amount`. */
interface BalanceEntry {
  id: string;
  category: 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal' | 'payout';
  amount: number;
  fee: number;
  created: number;
  source: { id: string; object: 'charge' | 'refund' | 'dispute' | 'payout'; payment_intent?: string };
}

/** The provider's fee for British cards: 1.5% and 20p. */
const feeOf = (amount: number) => Math.round(amount * 0.015) + 20;
const DISPUTE_FEE = 2_000;

/** The account's balance, derived from what was paid, refunded, disputed and paid out. */
export class Balance {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Oldest first. */
  entries(): BalanceEntry[] {
    const { sessions, refunds, disputes, payouts } = this.#ledger;
    const entries: BalanceEntry[] = [];
    const add = (name: string, entry: Omit<BalanceEntry, 'id'>) => void entries.push({ id: `txn_${name}`, ...entry });
    for (const session of sessions.values()) {
      const { paymentIntent: payment_intent, created, paidAt = created } = session;
      if (!payment_intent) continue;
      const amount = totalOf(session);
      const source = { id: `ch_${payment_intent}`, object: 'charge', payment_intent } as const;
      add(payment_intent, { category: 'charge', amount, fee: feeOf(amount), created: paidAt, source });
    }
    for (const { id, amount, created, paymentIntent, status, endedAt = created } of refunds.values()) {
      const source = { id, object: 'refund', payment_intent: paymentIntent } as const;
      add(id, { category: 'refund', amount: -amount, fee: 0, created, source });
      if (status === 'failed') add(`${id}_failed`, { category: 'refund_failure', amount, fee: 0, created: endedAt, source });
    }
    for (const { id, amount, created, paymentIntent, status, endedAt = created } of disputes.values()) {
      const source = { id, object: 'dispute', payment_intent: paymentIntent } as const;
      add(id, { category: 'dispute', amount: -amount, fee: DISPUTE_FEE, created, source });
      if (status === 'won') add(`${id}_won`, { category: 'dispute_reversal', amount, fee: 0, created: endedAt, source });
    }
    for (const { id, amount, created } of payouts.values())
      add(id, { category: 'payout', amount: -amount, fee: 0, created, source: { id, object: 'payout' } });
    return entries.sort((one, other) => one.created - other.created);
  }

  /** Pays the whole balance out to the bank. Throws an ApiError if the balance is empty. */
  payOut(): Change {
    const amount = this.entries().reduce((sum, entry) => sum + entry.amount - entry.fee, 0);
    if (amount <= 0) throw new ApiError(400, 'There is nothing to pay out.');
    const payout: Payout = { id: newId('po'), amount, created: nowInSeconds() };
    return { id: payout.id, entries: [{ kind: 'payout', payout }], notices: [] };
  }
}

const TYPES = { refund_failure: 'refund_failure', dispute: 'adjustment', dispute_reversal: 'adjustment' } as const;

/** An entry in the API's format, with its source. */
export function balanceObject({ category, amount, fee, source, ...entry }: BalanceEntry) {
  const type = category in TYPES ? TYPES[category as keyof typeof TYPES] : category;
  return {
    ...entry,
    object: 'balance_transaction',
    type,
    reporting_category: category,
    amount,
    fee,
    net: amount - fee,
    currency: 'gbp',
    source,
  };
}
