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

/** `warning_…`: the bank's inquiry, which takes no money. It ends, or becomes a dispute. */
const DISPUTE_STATES = {
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
});

/** Parses a dispute from the provider's response. Any state that is neither an inquiry nor final counts as open. Throws a ZodError for anything else. */
export function readProviderDispute(value: unknown): ProviderDispute {
  const { id, amount, payment_intent, reason, status } = Dispute.parse(value);
  const end = DISPUTE_STATES[status as keyof typeof DISPUTE_STATES] as ProviderDispute['status'] | undefined;
  return { id, paymentId: payment_intent, amount, reason: cut(reason.replace(/_/g, ' '), 300), status: end ?? 'open' };
}
