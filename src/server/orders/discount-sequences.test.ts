import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { worthOf } from '#contract/market/worth.ts';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { runs } from '#server/testing/runs.ts';

// Every cart stays below £500.00, so that its delivery costs £49.00.
const shop = await testShop({
  pool: 20,
  env: { ...MANY_ORDERS, STORE_MARKET: 'uk', RATE_LIMIT_FACTOR: '1000', VAT_NUMBER: 'GB123456789' },
});
const { app, db, services } = shop;
const { checkout, orderOf, stripe } = cardDesk(shop);
const admin = await anAdmin(db);
const PLACES = [0, 1, 2];
const [sofa, lamp, rug] = [
  await aProduct(db, { price: 4_999, stock: 9_000 }),
  await aProduct(db, { price: 3_333, stock: 9_000, category: 'Lamp' }),
  await aProduct(db, { price: 7, stock: 9_000, category: 'Rug', vatClass: 'zero' }),
];

const step = fc.record({
  action: fc.constantFrom('cancel a line', 'cancel pieces', 'refund pieces', 'refund an amount', 'deliver', 'return', 'cash', 'cancel'),
  line: fc.constantFrom(...PLACES),
  qty: fc.integer({ min: 1, max: 3 }),
  amount: fc.integer({ min: 1, max: 60_000 }),
});
const aLife = fc.record({
  quantities: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 9 })),
  kind: fc.constantFrom('percent' as const, 'amount' as const),
  value: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.constant(100)),
  scope: fc.constantFrom<string[]>([], ['Lamp'], ['Lamp', 'Rug']),
  automatic: fc.constantFrom(0, 7, 33),
  isByCard: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
});

const send = async (method: 'POST' | 'PUT', url: string, payload: object) => {
  const reply = await app.inject({ method, url, headers: admin.headers, payload });
  expect(reply.statusCode, reply.body).toBeLessThan(500);
};
const read = async (id: string) => (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();

/** One thing that an administrator does; many are refused. */
async function happen(
  id: string,
  { action, line, qty, amount }: { action: string; line: number; qty: number; amount: number },
): Promise<void> {
  const office = `/api/office/orders/${id}`;
  if (action === 'cancel a line') await send('POST', `${office}/cancel`, { lines: [line], reason: 'Another reason' });
  if (action === 'cancel pieces') await send('POST', `${office}/cancel`, { pieces: [{ line, qty }], reason: 'Another reason' });
  if (action === 'cancel') await send('POST', `${office}/cancel`, { reason: 'Another reason' });
  if (action === 'refund pieces') await send('POST', `${office}/refunds`, { lines: [{ line, qty }], reason: 'Goodwill' });
  if (action === 'refund an amount') await send('POST', `${office}/refunds`, { amount, reason: 'Goodwill' });
  if (action === 'deliver') await send('PUT', `/api/orders/${id}/deliver`, { isDelivered: true });
  if (action === 'cash') await send('PUT', `/api/orders/${id}/cash`, { isPaid: true });
  if (action !== 'return') return;
  await send('POST', `${office}/returns`, { lines: [{ line, qty }], reason: 'Wrong piece' });
  const open = (await read(id)).returns.find(({ status }) => status === 'approved');
  await send('POST', `/api/office/returns/${open?._id}/received`, { lines: [{ line, restocked: 0, spoiled: qty }] });
}

/** Whatever happened: no amount is negative, and no more went back than was paid or owed, on paper and at the provider. */
async function checkMoney(id: string, isByPiece: boolean): Promise<void> {
  await runJobs(services);
  const order = await read(id);
  const { totalPrice, subTotalPrice, shippingPrice, discount, waivedPrice, refundedPrice, amountDue, refundable, invoices, orderItems } =
    order;
  expect(totalPrice).toBe(subTotalPrice - discount + shippingPrice);
  expect(orderItems.reduce((sum, item) => sum + item.discount, 0)).toBe(discount);
  expect(Math.min(totalPrice, waivedPrice, refundedPrice, amountDue, refundable, discount)).toBeGreaterThanOrEqual(0);
  expect(waivedPrice + refundedPrice).toBeLessThanOrEqual(totalPrice);
  // Of a card order whose refunds all name pieces, what went back is what was paid for the pieces that are gone.
  const gone = orderItems.map((item) => worthOf(item, Math.max(item.refundedQty, item.cancelledQty + item.returnedQty + item.spoiledQty)));
  // Delivery is refunded with the last piece.
  const isOver = orderItems.every(({ qty, cancelledQty, returnedQty, spoiledQty }) => cancelledQty + returnedQty + spoiledQty === qty);
  const price = gone.reduce((sum, one) => sum + one, 0);
  if (isByPiece && order.paymentMethod === 'Credit Card' && order.status !== 'cancelled')
    expect(isOver ? [price, price + shippingPrice] : [price]).toContain(refundedPrice);
  const [invoice, ...credits] = invoices;
  // It leaves out what was cancelled before the order was paid or sent; an order of which nothing is left has none.
  if (order.isPaid || order.status !== 'cancelled') {
    expect(invoice?.gross).toBeGreaterThanOrEqual(totalPrice - waivedPrice);
    expect(invoice?.gross).toBeLessThanOrEqual(totalPrice);
  }
  expect(credits.reduce((sum, { gross }) => sum + gross, 0)).toBeLessThanOrEqual(totalPrice);
  for (const { gross, vat } of credits) expect(Math.min(gross, vat)).toBeGreaterThanOrEqual(0);
  expect(credits.reduce((sum, { vat }) => sum + vat, 0)).toBeLessThanOrEqual(invoice?.vat ?? 0);
  const { providerPaymentId } = await db.selectFrom('orders').select('providerPaymentId').where('id', '=', id).executeTakeFirstOrThrow();
  if (!providerPaymentId) return;
  const { data } = await stripe.refunds.list({ payment_intent: providerPaymentId, limit: 100 });
  expect(data.reduce((sum, { amount }) => sum + amount, 0)).toBe(refundedPrice);
}

test('over any life of an order with codes money is never negative, no more goes back than was paid, and the end is the penny (§20.5)', async () => {
  await fc.assert(
    fc.asyncProperty(aLife, async ({ quantities, kind, value, scope, automatic, isByCard, steps }) => {
      const buyer = await aCustomer(db);
      const { code } = await aPromotion(db, { kind, value: kind === 'amount' ? value * 37 : value, categories: scope });
      await db.deleteFrom('redemptions').where('code', 'is', null).execute();
      await db.deleteFrom('promotions').where('code', 'is', null).execute();
      if (automatic > 0) await aPromotion(db, { code: null, value: automatic });
      const lines = [sofa, lamp, rug].map((product, index) => aLine(product, { qty: quantities[index] ?? 1 }));
      let id = '';
      if (isByCard) {
        const { url, sessionId } = await checkout(buyer, lines, { discount: { code } });
        await pay(url);
        ({ id } = await orderOf(sessionId));
      } else {
        const payload = aPayload(lines, { discount: { code } });
        id = (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>()._id;
      }
      expect((await read(id)).discount).toBeGreaterThan(0);
      const isByPiece = steps.every(({ action }) => action !== 'refund an amount');
      for (const one of steps) {
        await happen(id, one);
        await checkMoney(id, isByPiece);
      }
      // All pieces that are left go: what is left of the money goes with them.
      await happen(id, { action: 'cancel', line: 0, qty: 1, amount: 1 });
      await checkMoney(id, isByPiece);
      const { status, totalPrice, waivedPrice, refundedPrice } = await read(id);
      if (status === 'cancelled') expect(waivedPrice + refundedPrice).toBe(totalPrice);
    }),
    { numRuns: runs(6) },
  );
  expect(await listBrokenRuleTexts(db)).toEqual([]);
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::int as wrong from redemptions r join orders o on o.id = r.order_id where r.is_used <> holds_promotions(o.order_state)`.execute(
    db,
  );
  expect(rows[0]?.wrong).toBe(0);
}, 120_000);
