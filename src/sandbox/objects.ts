import type { Dispute, Notice, Refund, Session } from './ledger.ts';

export function subtotalOf(session: Session): number {
  return session.lines.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0);
}

export const discountOf = ({ coupon }: Session): number => coupon?.amount ?? 0;

export function totalOf(session: Session): number {
  return subtotalOf(session) - discountOf(session) + (session.payer?.shippingAmount ?? session.shipping[0]?.amount ?? 0);
}

/** What delivery costs, with the chosen option's id or, if it is `expanded`, the option itself. Older ledgers know only its price. */
function shippingCost({ id, shipping, payer }: Session, amount: number, isExpanded: boolean) {
  if (shipping.length === 0) return null;
  const index = payer?.shippingIndex;
  const rateId = index === undefined ? null : `shr_${id}_${index}`;
  const { label: display_name = '', metadata = {} } = shipping[index ?? 0] ?? {};
  const rate = rateId && isExpanded ? { id: rateId, object: 'shipping_rate', display_name, metadata } : rateId;
  return { amount_total: amount, amount_subtotal: amount, amount_tax: 0, shipping_rate: rate };
}

/** A checkout session in the API's format. */
export function sessionObject(session: Session, baseUrl: string, isExpanded = false) {
  const { payer } = session;
  const shipping = payer?.shippingAmount ?? session.shipping[0]?.amount ?? 0;
  return {
    id: session.id,
    object: 'checkout.session',
    mode: 'payment',
    livemode: false,
    status: session.status,
    payment_status: payer ? 'paid' : 'unpaid',
    created: session.created,
    expires_at: session.expiresAt,
    client_reference_id: session.reference || null,
    metadata: session.metadata,
    currency: session.currency,
    amount_subtotal: subtotalOf(session),
    amount_total: totalOf(session),
    total_details: { amount_discount: discountOf(session), amount_shipping: shipping, amount_tax: 0 },
    shipping_cost: shippingCost(session, shipping, isExpanded),
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    url: session.status === 'open' ? `${baseUrl}/pay/${session.id}` : null,
    customer_email: session.email || null,
    customer_details: payer ? { name: payer.name, email: payer.email, phone: payer.phone, address: payer.address } : null,
    collected_information: payer ? { shipping_details: { name: payer.name, address: payer.address } } : null,
    payment_intent: session.paymentIntent ?? null,
  };
}

export function refundObject(refund: Refund, currency: string) {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    currency,
    payment_intent: refund.paymentIntent,
    status: refund.status,
    failure_reason: refund.failure ?? null,
    metadata: refund.metadata,
    created: refund.created,
  };
}

export function disputeObject({ id, amount, paymentIntent, status, created }: Dispute) {
  return { id, object: 'dispute', amount, currency: 'gbp', payment_intent: paymentIntent, reason: 'product_not_received', status, created };
}

/** A payment's charge, as in refund events. */
function chargeObject(session: Session) {
  return { id: `ch_${session.paymentIntent}`, object: 'charge', amount: totalOf(session), payment_intent: session.paymentIntent ?? null };
}

/** The object of an event, if not its session. */
interface Subject {
  refund?: Refund | undefined;
  dispute?: Dispute | undefined;
}

function subjectOf(notice: Notice, session: Session, { refund, dispute }: Subject, baseUrl: string) {
  if (dispute) return disputeObject(dispute);
  if (notice.type.startsWith('charge.')) return chargeObject(session);
  return refund ? refundObject(refund, session.currency) : sessionObject(session, baseUrl);
}

/** An event in the API's format, with its object's current state. */
export function eventObject(notice: Notice, session: Session, subject: Subject, baseUrl: string) {
  return {
    id: notice.id,
    object: 'event',
    type: notice.type,
    created: notice.created,
    livemode: false,
    data: { object: subjectOf(notice, session, subject, baseUrl) },
  };
}
