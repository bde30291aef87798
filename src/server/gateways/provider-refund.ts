import { z } from 'zod';
import { cut } from '#contract/platform/text.ts';
import { PaymentId, ProviderId } from './provider-session.ts';

declare const brand: unique symbol;

/** A refund at the provider, in pence. Only `readProviderRefund` makes one, so the type proves its origin. */
export interface ProviderRefund {
  readonly [brand]: true;
  id: string;
  paymentId: string;
  amount: number;
  status: 'pending' | 'done' | 'failed';
  /** The provider's reason for a failure, for administrators. */
  failure: string;
  /** `refundId` and `attempt` of the shop's refund; empty if made at the provider. */
  refundId: string;
  attempt: number;
}

const STATES = { succeeded: 'done', pending: 'pending', requires_action: 'pending', failed: 'failed', canceled: 'failed' } as const;

const Refund = z.object({
  object: z.literal('refund'),
  id: ProviderId,
  amount: z.int().min(0),
  status: z.enum(['succeeded', 'pending', 'requires_action', 'failed', 'canceled']),
  payment_intent: PaymentId,
  failure_reason: z.string().nullish(),
  metadata: z.object({ refund: z.string().catch(''), attempt: z.coerce.number().int().catch(0) }).catch({ refund: '', attempt: 0 }),
});

/** Parses a refund from the provider's response. Throws a ZodError for anything else. */
export function readProviderRefund(value: unknown): ProviderRefund {
  const { id, payment_intent, amount, status, failure_reason, metadata } = Refund.parse(value);
  const failed = STATES[status] === 'failed';
  return {
    id,
    paymentId: payment_intent,
    amount,
    status: STATES[status],
    failure: failed ? cut((failure_reason ?? status).replace(/_/g, ' '), 300) : '',
    refundId: metadata.refund,
    attempt: metadata.attempt,
  } satisfies Omit<ProviderRefund, typeof brand> as ProviderRefund;
}

/** A dispute (chargeback) at the provider, in pence. */
export interface ProviderDispute {
  id: string;
  paymentId: string;
  amount: number;
  /** The provider's reason code. */
  reason: string;
  status: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
}

/** `warning_…`: the bank's inquiry, which takes no money. It ends, or becomes a dispute. `appeal_…`: after a loss, which stands until it is won. */
const DISPUTE_STATES = {
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'closed',
  won: 'won',
  lost: 'lost',
} as const;

const Dispute = z.object({
  object: z.literal('dispute'),
  id: ProviderId,
  amount: z.int().min(0),
  payment_intent: PaymentId,
  reason: z.string(),
  status: z.string(),
  // What it has taken from the account's balance (negative), and what came back.
  balance_transactions: z.array(z.object({ amount: z.int() })).default([]),
});

/**
 * The status of a dispute. `prevented`: settled before the bank opened it, either with the shop's money or without. A status of later versions counts as open,
 * so that nothing is paid back or sent that a bank may hold; staff read the provider's word for it.
 */
function statusOf({ status, balance_transactions }: z.infer<typeof Dispute>): ProviderDispute['status'] | undefined {
  if (status !== 'prevented') return DISPUTE_STATES[status as keyof typeof DISPUTE_STATES];
  return balance_transactions.reduce((sum, { amount }) => sum + amount, 0) < 0 ? 'lost' : 'closed';
}

/** Parses a dispute from the provider's response. Throws a ZodError for anything else. */
export function readProviderDispute(value: unknown): ProviderDispute {
  const dispute = Dispute.parse(value);
  const { id, amount, payment_intent: paymentId, reason, status } = dispute;
  const known = statusOf(dispute);
  const words = cut((known ? reason : `${reason}: ${status}`).replace(/_/g, ' '), 300);
  return { id, paymentId, amount, reason: words, status: known ?? 'open' };
}
