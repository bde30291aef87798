import { textAt, type Value } from './form.ts';
import type { Entry, Ledger, Notice, Refund, Session } from './ledger.ts';
import { refundObject, totalOf } from './objects.ts';
import { ApiError, newId, nowInSeconds } from './session.ts';

/** Outcome of refunds by card, as with the provider's test cards. */
export const REFUND_CARDS = { '4000000000005126': 'failing', '4000000000007726': 'pending' } as const;

/** A change of the ledger that is not written yet. Its events are sent once it is. */
export interface Change {
  id: string;
  entries: Entry[];
  notices: Notice[];
}

/** Refunds, created by the API or on the payment's page. */
export class Refunds {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  of(paymentIntent: string): Refund[] {
    return [...this.#ledger.refunds.values()].filter((refund) => refund.paymentIntent === paymentIntent);
  }

  /** Pence that can still be refunded. */
  refundable(session: Session): number {
    const counted = this.of(session.paymentIntent ?? '').filter(({ status }) => status !== 'failed');
    return totalOf(session) - counted.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Creates a refund. Throws an ApiError if it exceeds what can still be refunded, or if the payment is disputed. */
  make(form: { [name: string]: Value }): Change {
    const paymentIntent = textAt(form, 'payment_intent');
    const session = this.#sessionPaidWith(paymentIntent);
    const refundable = this.refundable(session);
    const dispute = [...this.#ledger.disputes.values()].find((one) => one.paymentIntent === paymentIntent);
    if (dispute && dispute.status !== 'won')
      throw new ApiError(400, 'Charge has been charged back; cannot issue a refund.', undefined, 'charge_disputed');
    const amount = Number(textAt(form, 'amount') || refundable);
    if (refundable === 0) throw new ApiError(400, 'Charge has already been refunded.', undefined, 'charge_already_refunded');
    if (!Number.isInteger(amount) || amount < 1 || amount > refundable)
      throw new ApiError(400, 'Refund amount is greater than unrefunded amount on charge.');
    const givenMetadata = typeof form.metadata === 'object' ? Object.entries(form.metadata) : [];
    const metadata = Object.fromEntries(
      givenMetadata.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
    );
    const status = session.refunds === 'pending' ? 'pending' : 'succeeded';
    const refund: Refund = { id: newId('re'), paymentIntent, amount, created: nowInSeconds(), status, metadata };
    return this.#changeOf(session, refund, status === 'succeeded' ? ['charge.refunded'] : ['refund.created']);
  }

  /** Settles a refund as succeeded or failed: a bank may send back even one that has succeeded. Throws an ApiError if unknown or already failed. */
  settle(id: string, status: 'succeeded' | 'failed'): Change {
    const refund = this.#ledger.refunds.get(id);
    if (!refund) throw new ApiError(404, `No such refund: '${id}'`);
    if (refund.status === 'failed') throw new ApiError(400, 'This refund has failed already.');
    const failure = status === 'failed' ? { failure: 'lost_or_stolen_card', endedAt: nowInSeconds() } : {};
    const eventTypes = status === 'failed' ? ['refund.updated', 'refund.failed'] : ['refund.updated'];
    return this.#changeOf(this.#sessionPaidWith(refund.paymentIntent), { ...refund, status, ...failure }, eventTypes);
  }

  show(id: string) {
    const refund = this.#ledger.refunds.get(id);
    if (!refund) throw new ApiError(404, `No such refund: '${id}'`);
    return refundObject(refund, 'gbp');
  }

  #sessionPaidWith(paymentIntent: string): Session {
    const session = [...this.#ledger.sessions.values()].find((entry) => entry.paymentIntent === paymentIntent);
    if (!paymentIntent || !session) throw new ApiError(404, `No such payment_intent: '${paymentIntent}'`);
    return session;
  }

  #changeOf(session: Session, refund: Refund, eventTypes: string[]): Change {
    const notices = eventTypes.map((type) => ({
      id: newId('evt'),
      type,
      sessionId: session.id,
      refundId: refund.id,
      created: nowInSeconds(),
    }));
    const noticeEntries = notices.map((notice) => ({ kind: 'notice' as const, notice }));
    return { id: refund.id, entries: [{ kind: 'refund', refund }, ...noticeEntries], notices };
  }
}
