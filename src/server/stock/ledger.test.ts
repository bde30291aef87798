import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import type { Movements } from '#contract/stock/stock.ts';
import { cardDesk } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { runs } from '#server/testing/runs.ts';
import { differencesInLedger } from '#server/testing/stock-ledger.ts';

const shop = await testShop({ pool: 20, env: { RATE_LIMIT_FACTOR: '1000' } });
const { app, db } = shop;
const admin = await anAdmin(db);
const { checkout, orderOf, notify } = cardDesk(shop);

const place = async (line: ReturnType<typeof aLine>) => {
  const buyer = await aCustomer(db);
  const reply = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([line]) });
  return { buyer, status: reply.statusCode, order: reply.json<Order>() };
};
const movementsOf = async (id: string, before = '') => {
  const reply = await app.inject({ url: `/api/products/${id}/stock?before=${before}`, headers: admin.headers });
  return reply.json<Movements>();
};
/** Reason, who, the count's change and what was left, and the same of sizes. */
const shown = ({ movements }: Movements) =>
  movements.map(({ reason, actor, count, sizes }) => [
    reason,
    actor,
    count?.change,
    count?.left,
    ...sizes.map((s) => `${s.size} ${s.change} ${s.left}`),
  ]);

test('the ledger says what moved a product’s stock, who did it, and for which order (§11.5)', async () => {
  const sofa = await aProduct(db, {
    stock: 10,
    sizes: [
      { size: 'L', quantity: 6 },
      { size: 'S', quantity: 4 },
    ],
  });
  const { order, buyer } = await place(aLine(sofa, { size: 'L', qty: 2 }));
  await app.inject({
    method: 'POST',
    url: `/api/orders/${order._id}/cancel`,
    headers: buyer.headers,
    payload: { reason: 'I changed my mind' },
  });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa, { size: 'S' })]);
  expect(shown(await movementsOf(sofa._id))[0]).toEqual(['Held for a card payment', '', -1, 9, 'S -1 3']);
  await notify('checkout.session.expired', sessionId, { status: 'expired', payment_status: 'unpaid' });
  const ledger = await movementsOf(sofa._id);
  expect(shown(ledger)).toEqual([
    ['Card checkout ended unpaid', '', 1, 10, 'S 1 4'],
    ['Ordered', '', -1, 9, 'S -1 3'],
    ['Cancelled', 'The customer', 2, 10, 'L 2 6'],
    ['Ordered', '', -2, 8, 'L -2 4'],
    // Made in the database, as tests make products.
    ['Changed in the database', '', undefined, undefined, 'L 6 6', 'S 4 4'],
    ['Changed in the database', '', 10, 10],
  ]);
  expect(ledger.movements[3]?.order).toEqual({ _id: order._id, reference: order.reference });
  expect(ledger.next).toBeNull();
});

const form = {
  name: 'Bench',
  description: 'A bench.',
  fit: 'Hall',
  category: 'Bench',
  subCategory: 'Hall',
  brand: 'Alder',
  price: 9_900,
  countInStock: 7,
};
const sizesOf = (...pieces: [string, number][]) => pieces.map(([size, quantity]) => ({ size, quantity, price: 0, measurements: [] }));

async function send(method: 'POST' | 'PUT', url: string, fields: Record<string, unknown>) {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields))
    body.append(field, typeof value === 'object' ? JSON.stringify(value) : String(value));
  const request = new Request('http://shop.test/', { method, body });
  const headers = { ...admin.headers, 'content-type': request.headers.get('content-type') ?? '' };
  return app.inject({ method, url, headers, payload: Buffer.from(await request.arrayBuffer()) });
}

const edit = (id: string, fields: Record<string, unknown>) => send('PUT', `/api/products/${id}`, { ...form, ...fields });

test('an edit is in the ledger with its reason, and sizes may change places, come and go', async () => {
  const made = await send('POST', '/api/products', { ...form, sizes: sizesOf(['L', 3], ['S', 4]) });
  const { _id } = made.json<{ _id: string }>();
  const reply = await edit(_id, { countInStock: 9, sizes: sizesOf(['S', 4], ['XL', 5]), stockNote: 'Delivery of 12 March' });
  expect([
    reply.statusCode,
    reply.json<{ sizes: { size: string; quantity: number }[] }>().sizes.map(({ size, quantity }) => [size, quantity]),
  ]).toEqual([
    200,
    [
      ['S', 4],
      ['XL', 5],
    ],
  ]);
  const { movements } = await movementsOf(_id);
  expect(shown({ movements, next: null })).toEqual([
    ['Edited', 'Ada Admin', 2, 9, 'L -3 0', 'XL 5 5'],
    ['New', 'Ada Admin', 7, 7, 'L 3 3', 'S 4 4'],
  ]);
  expect(movements[0]?.note).toBe('Delivery of 12 March');
  expect(await differencesInLedger(db)).toEqual([]);
});

test('a long ledger is read in parts, without gaps', async () => {
  const lamp = await aProduct(db, { stock: 300 });
  for (let n = 0; n < 130; n += 1) await sql`update products set count_in_stock = count_in_stock - 1 where id = ${lamp._id}`.execute(db);
  const first = await movementsOf(lamp._id);
  const second = await movementsOf(lamp._id, first.next ?? '');
  expect(second.next).toBeNull();
  const left = [...first.movements, ...second.movements].map(({ count }) => count?.left);
  expect(left).toEqual(Array.from({ length: 131 }, (_, n) => 170 + n));
});

test('only administrators read the ledger', async () => {
  const sofa = await aProduct(db);
  const { headers } = await aCustomer(db);
  expect((await app.inject({ url: `/api/products/${sofa._id}/stock`, headers })).statusCode).toBe(403);
  expect(
    (await app.inject({ url: `/api/products/${'0'.repeat(8)}-0000-7000-8000-000000000000/stock`, headers: admin.headers })).statusCode,
  ).toBe(404);
});

test('no movement can be changed afterwards', async () => {
  await aProduct(db);
  await expect(sql`update stock_movements set change = 0`.execute(db)).rejects.toThrow('append-only');
  await expect(sql`truncate stock_movements`.execute(db)).rejects.toThrow('append-only');
});

type Happening = 'order' | 'check out' | 'cancel' | 'expire' | 'edit' | 'count' | 'import';
const happenings = fc.array(
  fc.record({
    what: fc.constantFrom<Happening>('order', 'order', 'check out', 'cancel', 'expire', 'edit', 'count', 'import'),
    qty: fc.integer({ min: 1, max: 3 }),
    size: fc.constantFrom('L', 'S'),
    at: fc.nat(9),
  }),
  { minLength: 4, maxLength: 16 },
);

test('stored stock is what the ledger adds up to, whatever happens at the same time (§11.5)', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, async (steps) => {
      const sofa = await aProduct(db, {
        stock: 12,
        sizes: [
          { size: 'L', quantity: 6 },
          { size: 'S', quantity: 6 },
        ],
      });
      const orders: Awaited<ReturnType<typeof place>>[] = [];
      const sessions: string[] = [];
      const happen = async ({ what, qty, size, at }: (typeof steps)[number]) => {
        if (what === 'order') orders.push(await place(aLine(sofa, { size, qty })));
        if (what === 'check out') {
          const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa, { size, qty })]);
          if (sessionId) sessions.push(sessionId);
        }
        const { order, buyer } = orders[at % Math.max(1, orders.length)] ?? {};
        if (what === 'cancel' && order?._id)
          await app.inject({
            method: 'POST',
            url: `/api/orders/${order._id}/cancel`,
            headers: buyer?.headers ?? {},
            payload: { reason: 'I changed my mind' },
          });
        const session = sessions[at % Math.max(1, sessions.length)];
        if (what === 'expire' && session && (await orderOf(session)))
          await notify('checkout.session.expired', session, { status: 'expired', payment_status: 'unpaid' });
        if (what === 'edit') await edit(sofa._id, { countInStock: 12 + qty, price: sofa.price, sizes: sizesOf([size, 6 + qty], ['M', 2]) });
        if (what === 'count') await count(sofa._id, size, 6, 6 - qty);
        if (what === 'import') await importStock(sofa._id, qty);
      };
      // Pairs at the same time, as in a busy shop.
      for (let first = 0; first < steps.length; first += 2) await Promise.all(steps.slice(first, first + 2).map(happen));
      expect(await differencesInLedger(db)).toEqual([]);
    }),
    { numRuns: runs(4) },
  );
});

const count = (productId: string, size: string, expected: number, counted: number) =>
  app.inject({
    method: 'POST',
    url: '/api/stock/counts',
    headers: admin.headers,
    payload: { sheet: crypto.randomUUID(), lines: [{ productId, size, expected, counted, reason: 'damaged' }] },
  });

async function importStock(id: string, countInStock: number) {
  const send = async (fingerprint?: string) => {
    const body = new FormData();
    body.append('file', new File([`_id,countInStock\n${id},${countInStock}\n`], 'products.csv', { type: 'text/csv' }));
    if (fingerprint) body.append('fingerprint', fingerprint);
    const request = new Request('http://shop.test/', { method: 'POST', body });
    const headers = { ...admin.headers, 'content-type': request.headers.get('content-type') ?? '' };
    return app.inject({ method: 'POST', url: '/api/products/import', headers, payload: Buffer.from(await request.arrayBuffer()) });
  };
  await send((await send()).json<{ fingerprint?: string }>().fingerprint);
}
