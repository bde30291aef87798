import type { Dispute, Ledger, Session } from './ledger.ts';
import { totalOf } from './objects.ts';
import type { Change } from './refunds.ts';
import { ApiError, newId, nowInSeconds } from './session.ts';

/** Disputes (chargebacks) of payments. */
export class Disputes {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The dispute of a payment; at most one. */
  of(paymentIntent: string): Dispute | undefined {
    return [...this.#ledger.disputes.values()].find((dispute) => dispute.paymentIntent === paymentIntent);
  }

  /** Opens a dispute over the whole payment. Throws an ApiError if already disputed. */
  open(session: Session): Change {
    const { paymentIntent = '' } = session;
    if (this.of(paymentIntent)) throw new ApiError(400, 'This payment has been disputed already.');
    const dispute: Dispute = {
      id: newId('dp'),
      paymentIntent,
      amount: totalOf(session),
      created: nowInSeconds(),
      status: 'needs_response',
    };
    return this.#changed(session, dispute, 'charge.dispute.created');
  }

  /** Closes an open dispute. Throws an ApiError without one. */
  decide(session: Session, status: 'won' | 'lost'): Change {
    const dispute = this.of(session.paymentIntent ?? '');
    if (dispute?.status !== 'needs_response') throw new ApiError(400, 'There is no open dispute of this payment.');
    return this.#changed(session, { ...dispute, status, endedAt: nowInSeconds() }, 'charge.dispute.closed');
  }

  #changed(session: Session, dispute: Dispute, type: string): Change {
    const notice = { id: newId('evt'), type, sessionId: session.id, disputeId: dispute.id, created: nowInSeconds() };
    const entries = [
      { kind: 'dispute' as const, dispute },
      { kind: 'notice' as const, notice },
    ];
    return { id: dispute.id, entries, notices: [notice] };
  }
}
