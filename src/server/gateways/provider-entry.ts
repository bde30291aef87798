import { z } from 'zod';
import { PaymentId, ProviderId } from './provider-session.ts';

/** The kinds of entries of the provider's balance. `other` are corrections, reserves and the like. */
export const ENTRY_KINDS = ['charge', 'refund', 'dispute', 'fee', 'payout', 'other'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** An entry of the account's balance at the provider; pence, signed as the balance moved, and the fee that was taken off besides. */
export interface ProviderEntry {
  id: string;
  kind: EntryKind;
  amount: number;
  fee: number;
  createdAt: string;
  /** The charge, refund, dispute or payout; empty for others. */
  sourceId: string;
  /** Null for payouts and fees. */
  paymentId: string | null;
}

/** A refund that failed comes back as a refund of the other sign; so do disputes that were won and payouts that the bank returned. */
const KINDS: Record<string, EntryKind> = {
  charge: 'charge',
  refund: 'refund',
  partial_capture_reversal: 'refund',
  refund_failure: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute',
  fee: 'fee',
  network_cost: 'fee',
  payout: 'payout',
  payout_reversal: 'payout',
};

const Source = z.object({ id: ProviderId, payment_intent: PaymentId.nullish() });
const Entry = z.object({
  object: z.literal('balance_transaction'),
  id: ProviderId,
  reporting_category: z.string(),
  amount: z.int(),
  fee: z.int(),
  created: z.int().min(0).max(8_640_000_000_000),
  source: z.union([ProviderId.transform((id) => ({ id, payment_intent: null })), Source]).nullish(),
});

/** Parses an entry from the provider's response. Throws a ZodError for anything else. */
export function readProviderEntry(value: unknown): ProviderEntry {
  const { id, reporting_category, amount, fee, created, source } = Entry.parse(value);
  return {
    id,
    kind: KINDS[reporting_category] ?? 'other',
    amount,
    fee,
    createdAt: new Date(created * 1000).toISOString(),
    sourceId: source?.id ?? '',
    paymentId: source?.payment_intent ?? null,
  };
}
