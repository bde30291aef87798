import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';
import { demote, endSessionOf, whileWaiting } from '#server/testing/while-waiting.ts';

/** Changes by an administrator that were allowed when they arrived, and must not happen any more when their turn comes. */
const { app, db } = await testShop();
let product: string;
let order: string;
/** What was dispatched in one go. */
let batch: string;
/** Of an order that was paid in cash and delivered: a refund that failed, its parcel, and a return that was agreed. */
let refund: string;
let parcel: string;
let aReturn: string;

/** Makes a product, an order, and what else an act is about. */
async function prepare(besides?: 'after-sale' | 'batch'): Promise<void> {
  const sofa = await aProduct(db);
  const { headers } = await aCustomer(db);
  product = sofa._id;
  const place = async () =>
    (await app.inject({ method: 'POST', url: '/api/orders', headers, payload: aPayload([aLine(sofa, { qty: 3 })]) })).json()._id;
  order = await place();
  if (besides === 'after-sale') ({ refund, parcel, aReturn } = await afterSale(await place()));
  if (besides !== 'batch') return;
  const many = { filters: { search: await place() }, expected: 1 };
  batch = (await post(await anAdmin(db), '/api/office/dispatches', many)).json<{ batch: { _id: string } }>().batch._id;
}

/** Has an order dispatched, paid in cash, delivered and returned in part, and a refund of it fail. */
async function afterSale(id: string): Promise<{ refund: string; parcel: string; aReturn: string }> {
  const who = await anAdmin(db);
  await put(who, `/api/orders/${id}/cash`, { isPaid: true });
  const sent = (await post(who, `/api/office/orders/${id}/parcels`, {})).json<Order>();
  const refunded = (await post(who, `/api/office/orders/${id}/refunds`, { amount: 1, reason: 'Goodwill' })).json<Order>();
  await put(who, `/api/orders/${id}/deliver`, { isDelivered: true });
  const { returns } = (await post(who, `/api/office/orders/${id}/returns`, A_RETURN)).json<Order>();
  const made = { refund: refunded.refunds[0]?._id ?? '', parcel: sent.parcels[0]?._id ?? '', aReturn: returns[0]?._id ?? '' };
  await db.updateTable('orderRefunds').set({ status: 'failed' }).where('id', '=', made.refund).execute();
  await db.updateTable('orders').set({ refundedPrice: 0 }).where('id', '=', id).execute();
  return made;
}

const PRODUCT = { name: 'Changed', description: 'D', fit: 'F', category: 'C', subCategory: 'S', brand: 'B', price: '1', countInStock: '1' };

async function sendForm(who: SignedIn, method: 'POST' | 'PUT', url: string, fields: Record<string, string | Blob> = PRODUCT) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const request = new Request('http://shop.test/', { method, body: form });
  const headers = { ...who.headers, 'content-type': request.headers.get('content-type') ?? '' };
  return app.inject({ method, url, headers, payload: Buffer.from(await request.arrayBuffer()) });
}
/** Checks a courier's file as somebody whose rights last, and carries it out. */
async function importTracking(who: SignedIn, csv: string) {
  const send = (by: SignedIn, fields = {}) => sendForm(by, 'POST', '/api/office/dispatches/import', { file: new Blob([csv]), ...fields });
  const { fingerprint } = (await send(await anAdmin(db))).json<{ fingerprint: string }>();
  return send(who, { fingerprint });
}
const post = ({ headers }: SignedIn, url: string, payload: object) => app.inject({ method: 'POST', url, headers, payload });
const put = ({ headers }: SignedIn, url: string, payload: object) => app.inject({ method: 'PUT', url, headers, payload });

/** The order whose refund failed. */
const paidOrder = async () =>
  (await db.selectFrom('orderRefunds').select('orderId').where('id', '=', refund).executeTakeFirstOrThrow()).orderId;

const A_RETURN = { lines: [{ line: 0, qty: 1 }], reason: 'Wrong piece' };

const acts: [string, (who: SignedIn) => Promise<{ statusCode: number }>, besides?: 'after-sale' | 'batch'][] = [
  ['creates a product', (who) => sendForm(who, 'POST', '/api/products')],
  ['edits a product', (who) => sendForm(who, 'PUT', `/api/products/${product}`)],
  ['deletes a product', (who) => app.inject({ method: 'DELETE', url: `/api/products/${product}`, headers: who.headers })],
  [
    'changes a selection of products',
    (who) =>
      post(who, '/api/office/bulk-edits', {
        filters: {},
        products: [product],
        edit: { kind: 'price', percent: 5, rounding: 'exact' },
        expected: 1,
      }),
  ],
  ['marks an order', (who) => put(who, `/api/orders/${order}/deliver`, { isDelivered: true })],
  ['marks several orders', (who) => put(who, '/api/orders/deliver', { ids: [order], isDelivered: true })],
  ['moves an order on its way', (who) => put(who, `/api/orders/${order}/stage`, { stage: 'packing' })],
  ['cancels an order', (who) => post(who, `/api/office/orders/${order}/cancel`, { reason: 'Not in stock' })],
  ['sends a parcel', (who) => post(who, `/api/office/orders/${order}/parcels`, {})],
  ['dispatches a list', (who) => post(who, '/api/office/dispatches', { filters: { search: order }, expected: 1 })],
  ['takes back what was dispatched in one go', (who) => post(who, `/api/office/dispatches/${batch}/undo`, {}), 'batch'],
  ['imports tracking numbers', (who) => importTracking(who, `Reference,Tracking\n${order},1`)],
  ['changes a parcel', (who) => put(who, `/api/office/parcels/${parcel}`, { carrier: 'dpd', trackingNumber: '1' }), 'after-sale'],
  ['agrees to a return', async (who) => post(who, `/api/office/orders/${await paidOrder()}/returns`, A_RETURN), 'after-sale'],
  ['judges a return', (who) => post(who, `/api/office/returns/${aReturn}/judge`, { isApproved: false, answer: 'No.' }), 'after-sale'],
  [
    'receives a return',
    (who) => post(who, `/api/office/returns/${aReturn}/received`, { lines: [{ line: 0, restocked: 1, spoiled: 0 }] }),
    'after-sale',
  ],
  ['refunds', async (who) => post(who, `/api/office/orders/${await paidOrder()}/refunds`, { amount: 1, reason: 'Goodwill' }), 'after-sale'],
  ['tries a refund again', (who) => post(who, `/api/office/refunds/${refund}/retry`, {}), 'after-sale'],
  ['records a refund as paid back', (who) => post(who, `/api/office/refunds/${refund}/paid`, { paidBackBy: 'cash' }), 'after-sale'],
  [
    'changes delivery details',
    (who) =>
      put(who, `/api/office/orders/${order}/delivery-details`, {
        revision: 0,
        fullName: 'B',
        phone: '07700 900999',
        shippingAddress: ADDRESS,
      }),
  ],
  [
    'corrects an order',
    (who) => post(who, `/api/office/orders/${order}/correction`, { revision: 0, lines: [{ line: 0, qty: 2 }], expected: -49_999 }),
  ],
  ['records cash', (who) => put(who, `/api/orders/${order}/cash`, { isPaid: true })],
];

/** All that such a change could have written. */
const written = async () =>
  Promise.all([
    db.selectFrom('products').selectAll().orderBy('id').execute(),
    db.selectFrom('orders').selectAll().orderBy('id').execute(),
    db.selectFrom('auditEntries').selectAll().orderBy('id').execute(),
    db.selectFrom('orderEvents').selectAll().orderBy('id').execute(),
    db.selectFrom('dispatchBatches').selectAll().orderBy('id').execute(),
    db.selectFrom('parcels').selectAll().orderBy('id').execute(),
    db.selectFrom('orderReturns').selectAll().orderBy('id').execute(),
    db.selectFrom('orderRefunds').selectAll().orderBy('id').execute(),
  ]);

test.each(acts)('nobody %s whose role or session ends before the turn comes (§6.3)', async (_, act, besides) => {
  await prepare(besides);
  const before = await written();
  const [demoted, gone] = [await anAdmin(db), await anAdmin(db)];
  expect((await whileWaiting(db, demoted, () => act(demoted), demote(demoted))).statusCode).toBe(403);
  expect((await whileWaiting(db, gone, () => act(gone), endSessionOf(gone))).statusCode).toBe(401);
  expect(await written()).toEqual(before);
  expect((await act(await anAdmin(db))).statusCode).toBeLessThan(300);
  expect(await written()).not.toEqual(before);
});

test('an import writes nothing for somebody whose role ends between its check and its turn (§6.3)', async () => {
  await prepare();
  const who = await anAdmin(db);
  const products = importer(app, who);
  const csv = `_id,name\n${product},Changed by import\n`;
  const { fingerprint } = await products.check(csv);
  const before = await written();
  expect((await whileWaiting(db, who, () => products.send(csv, fingerprint), demote(who))).statusCode).toBe(403);
  expect(await written()).toEqual(before);
});
