import { expect } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { recordDispute } from '#server/orders/refunds/refund-outcomes.service.ts';
import { applyRefunds } from '#server/payments/refunds.jobs.ts';
import { cardDesk, pay } from './card-payments.ts';
import { eventually } from './eventually.ts';
import { aCustomer, aLine, aProduct, type SignedIn } from './factories.ts';
import type { TestShop } from './harness.ts';

/** Card orders of a shop, with what staff, the provider and banks do with them. */
export function cardOrders(shop: TestShop, admin: SignedIn) {
  const { app, db, services, sandbox } = shop;
  const { checkout, orderOf, stripe } = cardDesk(shop);
  const send =
    (method: 'POST' | 'PUT') =>
    (url: string, payload: object = {}, who: SignedIn = admin, key?: string) =>
      app.inject({ method, url, headers: { ...who.headers, ...(key && { 'idempotency-key': key }) }, payload });
  const [post, put] = [send('POST'), send('PUT')];

  /** A card order of some lines, paid. */
  async function paid(lines: ReturnType<typeof aLine>[]) {
    const buyer = await aCustomer(db);
    const { url, sessionId } = await checkout(buyer, lines);
    await pay(url);
    const { id, totalPrice } = await orderOf(sessionId);
    const read = async (who = admin) => (await app.inject({ url: `/api/orders/${id}`, headers: who.headers })).json<Order>();
    const refund = (body: object) => post(`/api/office/orders/${id}/refunds`, { reason: 'Goodwill', ...body });
    const cancel = (wish: object = {}) => post(`/api/office/orders/${id}/cancel`, { reason: 'Another reason', ...wish });
    const deliver = () => put(`/api/orders/${id}/deliver`, { isDelivered: true });
    const atDashboard = (form: Record<string, string>) =>
      fetch(`${sandbox.url}/payments/${sessionId}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    const dispute = async (action: 'dispute' | 'won') => {
      await atDashboard({ action });
      const kind = action === 'dispute' ? 'payment disputed' : 'dispute won';
      await eventually(async () => expect((await read()).events.map((event) => event.kind)).toContain(kind));
    };
    const paymentId = async () => (await orderOf(sessionId)).providerPaymentId ?? '';
    /** Records a dispute as the provider reports it. */
    const told = async (status: 'open' | 'won' | 'lost' | 'closed', amount: number, name = '') =>
      db.transaction().execute(async (tx) =>
        recordDispute(tx, services, await paymentId(), {
          id: `dp_${id}${name}`,
          paymentId: await paymentId(),
          amount,
          reason: 'general',
          status,
        }),
      );
    /** The bank returns the order's latest refund. */
    const failRefund = async () => {
      const { data } = await stripe.refunds.list({ payment_intent: await paymentId() });
      await atDashboard({ action: 'fail', refund: data.find(({ status }) => status === 'succeeded')?.id ?? '' });
      await applyRefunds(services, await paymentId());
    };
    /** Takes back a delivered piece of a line at the sum that the shop proposes. */
    const takeBack = async (line = 0, more: object = {}, reason = 'I changed my mind') => {
      await post(`/api/office/orders/${id}/returns`, { lines: [{ line, qty: 1 }], reason });
      const approved = (await read()).returns.findLast(({ status }) => status === 'approved');
      return post(`/api/office/returns/${approved?._id}/received`, { lines: [{ line, restocked: 1, spoiled: 0 }], ...more });
    };
    return { id, buyer, read, refund, cancel, deliver, dispute, told, totalPrice, atDashboard, failRefund, paymentId, takeBack };
  }

  /** A card order of a sofa and a sideboard at £600 each, or at `price`, paid. */
  async function aPaidOrder(second: object = {}, price = 60_000) {
    const sofa = await aProduct(db, { name: 'Sofa', price });
    return paid([aLine(sofa), aLine(await aProduct(db, { name: 'Sideboard', price, ...second }))]);
  }

  /** Whether an order is under "To pay back". */
  const isToPayBack = async (id: string) => {
    const { orders } = (await app.inject({ url: '/api/orders?queue=refunds', headers: admin.headers })).json<{ orders: Order[] }>();
    return orders.some(({ _id }) => _id === id);
  };
  return { post, put, paid, aPaidOrder, isToPayBack };
}
