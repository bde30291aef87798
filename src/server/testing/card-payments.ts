import Stripe from 'stripe';
import { PAYER } from '#sandbox/payer.ts';
import { reconcilePayments } from '#server/payments/payments.jobs.ts';
import { type aLine, type SignedIn, stockOf } from './factories.ts';
import { type TestShop, WEBHOOK_SECRET } from './harness.ts';

/** Pays on the provider's page, as a browser would. */
export const pay = (url: string, form: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ ...PAYER, ...form }), redirect: 'manual' });

/** Actions and checks of card payments; `providerUrl` if the provider is not the shop's sandbox. */
export function cardDesk({ app, db, services, sandbox, wire }: TestShop, providerUrl = sandbox.url) {
  const stripe = new Stripe('sk_test_shop', { host: '127.0.0.1', port: new URL(providerUrl).port, protocol: 'http' });
  let events = 0;
  const desk = {
    stripe,
    async checkout(buyer: SignedIn, lines: ReturnType<typeof aLine>[], more: object = {}) {
      const reply = await app.inject({
        method: 'POST',
        url: '/stripe/create-checkout-session',
        headers: buyer.headers,
        payload: { orderItems: lines, customerID: 'somebody else', ...more },
      });
      const url: string = reply.json().url ?? '';
      return { reply, url, sessionId: url.split('/').at(-1) ?? '' };
    },
    orderOf: (sessionId: string) =>
      db.selectFrom('orders').selectAll().where('providerSessionId', '=', sessionId).executeTakeFirstOrThrow(),
    stockOf: (productId: string) => stockOf(db, productId),
    /** The kinds of an order's events, oldest first. */
    async eventsOf(orderId: string): Promise<string[]> {
      const rows = await db.selectFrom('orderEvents').select('kind').where('orderId', '=', orderId).orderBy('id').execute();
      return rows.map(({ kind }) => kind);
    },
    /** The request of a webhook about a session, signed as by the provider. */
    async notice(type: string, sessionId: string, change: object = {}, id = '') {
      events += 1;
      const session = { ...(await stripe.checkout.sessions.retrieve(sessionId)), ...change };
      return desk.signed({ id: id || `evt_${sessionId}_${events}`, object: 'event', type, data: { object: session } });
    },
    /** The request of a webhook with an event, signed as by the provider. */
    signed(event: object) {
      const payload = JSON.stringify(event);
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
      return { method: 'POST' as const, url: '/stripe/webhook', headers, payload };
    },
    /** Sends a webhook while the provider reports the same state of the session. */
    async notify(type: string, sessionId: string, change: object = {}, id = '') {
      const told = await desk.notice(type, sessionId, change, id);
      return wire.pretend(sessionId, change, () => app.inject(told));
    },
    reconcile: () => reconcilePayments(services),
    /** Pays for an order once more, by a session that names it; returns that session's id and its payment's. */
    async payAgain(orderId: string, unit_amount: number, email: string): Promise<{ sessionId: string; paymentId: string }> {
      const line = { price_data: { currency: 'gbp', unit_amount, product_data: { name: 'The same' } }, quantity: 1 };
      const session = await stripe.checkout.sessions.create({
        mode: 'payment',
        client_reference_id: orderId,
        success_url: 'http://127.0.0.1/',
        line_items: [line],
      });
      await pay(session.url ?? '', { email });
      await desk.notify('checkout.session.completed', session.id);
      return { sessionId: session.id, paymentId: String((await stripe.checkout.sessions.retrieve(session.id)).payment_intent) };
    },
    /** Refunded pence. */
    refunds: async () => (await stripe.refunds.list({ limit: 100 })).data.map(({ amount }) => amount),
  };
  return desk;
}
