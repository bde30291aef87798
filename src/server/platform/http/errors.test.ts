import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { MAX_KEYS, MAX_WEBHOOKS } from '#contract/integrations/integrations.ts';
import { MAX_NOTES, MAX_TAGS } from '#contract/office/office.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { Role } from '#contract/platform/endpoint.ts';
import { MAX_SHEET_MB } from '#contract/platform/limits.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { apiRoutes, buildApp } from '#server/app/app.ts';
import { Payments } from '#server/gateways/payments.ts';
import { newId } from '#server/platform/ids.ts';
import { newLinkToken } from '#server/platform/link-token.ts';
import { newAddressLink } from '#server/sessions/address-links.service.ts';
import { LIMITS, limit } from '#server/sessions/rate-limit.service.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion, PASSWORD, type SignedIn } from '#server/testing/factories.ts';
import { testShop, WEBHOOK_SECRET } from '#server/testing/harness.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { aDelivery, sendReview } from '#server/testing/reviews.ts';
import { errorsOf } from './api-docs.ts';

const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1', ORDERS_PER_HOUR: '20' } });
const { app, db, services } = shop;
const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const noPages = async () => ({ status: 200, head: '', body: '', state: {}, modules: [] });

/** The same shop before a provider that refuses (401), and before one that is not there. */
const refusing = createServer((_, response) => response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{}}'));
await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
const shopBefore = (port: number) =>
  buildApp(
    {
      ...services,
      payments: new Payments({ secretKey: 'sk', webhookSecret: WEBHOOK_SECRET, apiBase: `http://127.0.0.1:${port}` }, services.log),
    },
    noPages,
  );
const apps: Record<number, typeof app> = { 502: await shopBefore((refusing.address() as AddressInfo).port), 503: await shopBefore(9) };
afterAll(async () => {
  for (const other of Object.values(apps)) await other.close();
  refusing.close();
});

async function formOf(fields: Record<string, string | Blob>, picture?: Buffer): Promise<Pick<InjectOptions, 'headers' | 'payload'>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (picture) form.append('images', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'a.png');
  const body = new Response(form);
  return { headers: { 'content-type': body.headers.get('content-type') ?? '' }, payload: Buffer.from(await body.arrayBuffer()) };
}
const FIELDS = {
  name: 'Oslo',
  description: 'A sofa',
  fit: 'x',
  category: 'Sofa',
  subCategory: 'x',
  brand: 'x',
  price: '1',
  countInStock: '1',
  rating: '5',
};

const A_WEBHOOK = { address: 'https://example.com/told', topics: ['order'] };
const A_PROMOTION = {
  name: 'Ten off',
  code: null,
  kind: 'percent',
  value: 10,
  goods: { categories: [], brands: [], products: [] },
  leastSubtotal: 0,
  startsAt: null,
  endsAt: null,
  mostUses: null,
  mostUsesEach: null,
  isFirstOrder: false,
  isOn: false,
};

const DETAILS = { revision: 0, fullName: 'A', phone: '07700 900123', shippingAddress: ADDRESS };

const A_PHONE_ORDER = {
  email: 'x@example.com',
  fullName: 'A',
  phone: '03001234567',
  shippingAddress: ADDRESS,
  payment: 'cash',
  expected: 0,
};

const A_RETURN = { lines: [{ line: 0, qty: 1 }], reason: 'Wrong piece' };

/** A payload that is right, and finds something else wrong. */
const good: Record<string, object> = {
  'POST /api/users': { name: 'A', email: 'x@example.com', password: 'long enough' },
  'POST /api/users/proof': { password: 'a guess' },
  'POST /api/users/second-factor/confirm': { code: '123456' },
  'PUT /api/users/profile': { name: 'A', password: 'long enough', currentPassword: PASSWORD },
  'POST /api/users/login': { email: 'x@example.com', password: 'a guess' },
  'POST /api/users/forgot-password': { email: 'x@example.com' },
  'POST /api/users/verify-otp': { email: 'x@example.com', otp: '123456' },
  'POST /api/users/reset-password': { email: 'x@example.com', otp: '123456', newPassword: 'long enough' },
  'PUT /api/users/lists': { base: { wishes: [], cart: [] }, mine: { wishes: [], cart: [] } },
  'PUT /api/users/:id': { name: 'A', email: 'y@example.com', isAdmin: false },
  'POST /stripe/create-checkout-session': { orderItems: [{ _id: UNKNOWN, price: 1, qty: 1 }] },
  'PUT /api/orders/deliver': { ids: [UNKNOWN], isDelivered: true },
  'PUT /api/orders/:id/deliver': { isDelivered: true },
  'PUT /api/orders/:id/cash': { isPaid: true },
  'PUT /api/orders/:id/delivery-note': { deliveryNote: 'Ring twice' },
  'PUT /api/office/orders/:id/delivery-details': DETAILS,
  'POST /api/office/orders/:id/correction': { revision: 0, lines: [{ line: 0, qty: 1 }] },
  'POST /api/office/orders/quote': { lines: [{ product: UNKNOWN, qty: 1 }] },
  'POST /api/office/orders': { ...A_PHONE_ORDER, lines: [{ product: UNKNOWN, qty: 1 }] },
  'POST /api/office/orders/:id/notes': { text: 'Rang' },
  'POST /api/office/users/:id/notes': { text: 'Rang' },
  'POST /api/office/orders/:id/tags': { tag: 'gift' },
  'POST /api/office/users/:id/tags': { tag: 'gift' },
  'PUT /api/orders/:id/stage': { stage: 'packing' },
  'PUT /api/office/products/:id': { price: 1, countInStock: 1, newArrivals: 'false', isRecommend: 'false', sizes: [] },
  'PUT /api/office/products/:id/successor': { product: '' },
  'PUT /api/office/products/:id/sale': { salePrice: null, sizes: [], saleFrom: null, saleTo: null },
  'PUT /api/office/promotions/:id': A_PROMOTION,
  'PUT /api/office/webhooks/:id': A_WEBHOOK,
  'PUT /api/office/promotions/:id/on': { isOn: false },
  'POST /api/cart/discount': { orderItems: [], code: 'NOBODY-MADE-IT' },
  'POST /api/orders/:id/cancel': { reason: 'Another reason' },
  'POST /api/office/orders/:id/cancel': { reason: 'Another reason' },
  'POST /api/office/orders/:id/refunds': { amount: 1, reason: 'Goodwill' },
  'POST /api/office/orders/:id/write-off': { reason: 'Goodwill' },
  'POST /api/office/orders/:id/overpayments': { amount: 1, receivedBy: 'cash' },
  'POST /api/office/overpayments/:id/paid': { paidBackBy: 'cash' },
  'POST /api/orders/:id/returns': A_RETURN,
  'POST /api/office/orders/:id/returns': A_RETURN,
  'POST /api/office/returns/:id/judge': { isApproved: true },
  'POST /api/office/returns/:id/received': { lines: [{ line: 0, restocked: 1, spoiled: 0 }] },
  'POST /api/office/refunds/:id/paid': { paidBackBy: 'cash' },
  'PUT /api/reviews/:id/vote': { isHelpful: true },
  'PUT /api/reviews/:id/hidden': { isHidden: true, reason: 'Rude' },
  'PUT /api/reviews/:id/reply': { reply: 'Thank you' },
  'POST /api/products/:id/alerts': { email: 'x@example.com', consent: true },
  'POST /api/wishlists': { key: 'a'.repeat(64), wishes: [] },
  'POST /api/users/confirm-email': { token: 'unknown' },
  'POST /api/opening/mail': { email: 'x@example.com' },
  'POST /api/opening/mail-arrived': { token: 'unknown' },
  'POST /api/alerts/confirm': { token: 'unknown' },
  'POST /api/alerts/stop': { token: 'unknown' },
  'POST /api/reviews/stop-mails': { token: 'unknown' },
};

/** A payload that is wrong, of calls that take an empty one. */
const bad: Record<string, object> = {
  'POST /api/office/refunds/:id/retry': { openPrice: 'all' },
  'POST /api/office/users/:id/erase': { isForced: 'perhaps' },
  'POST /api/office/orders/:id/not-collected': { revision: 'latest' },
  'POST /api/office/orders/:id/parcels': { carrier: 7 },
  'PUT /api/office/parcels/:id': { carrier: 7 },
  'POST /api/office/dispatches': { carrier: 7 },
};

/** What the world must be like, or what must be sent, for a conflict. */
const conflicts: Record<string, (who: SignedIn) => Promise<Pick<InjectOptions, 'headers' | 'payload'> & { id?: string }>> = {
  'POST /api/users/confirm-email/send': async ({ _id, email }) => {
    await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', _id).execute();
    await newAddressLink(db, { _id, email });
    return {};
  },
  'POST /api/users': async ({ email }) => ({ payload: { name: 'A', email: email.toUpperCase(), password: 'long enough' } }),
  'PUT /api/users/profile': async () => ({ payload: { name: 'A', email: (await aCustomer(db)).email, currentPassword: PASSWORD } }),
  'PUT /api/users/:id': async ({ email }) => ({ id: (await aCustomer(db))._id, payload: { name: 'A', email, isAdmin: false } }),
  'DELETE /api/users/:id': async ({ _id }) => ({ id: _id }),
  // An administrator.
  'POST /api/office/users/:id/erase': async ({ _id }) => ({ id: _id }),
  'PUT /api/products/:id': async () => ({ id: (await aProduct(db))._id, ...(await formOf({ ...FIELDS, version: '0' })) }),
  'PUT /api/office/products/:id': async () => ({
    id: (await aProduct(db))._id,
    payload: { price: 1, countInStock: 1, newArrivals: 'false', isRecommend: 'false', sizes: [], version: 0 },
  }),
  'POST /api/orders': async () => ({ payload: aPayload([aLine(await aProduct(db), { price: 1 })]) }),
  'POST /api/office/mails/:id/send': async (who) => ({ id: await justSent(who) }),
  'POST /api/office/orders/quote': async () => ({ payload: { lines: [{ product: UNKNOWN, qty: 1 }] } }),
  'POST /api/office/orders': async () => ({ payload: { ...A_PHONE_ORDER, lines: [{ product: (await aProduct(db))._id, qty: 1 }] } }),
  'PUT /api/office/books/ticks': async () => ({ payload: { day: '2026-11-02', kind: 'cash', isTicked: true, amount: 1 } }),
  'POST /stripe/create-checkout-session': async () => ({ payload: { orderItems: [aLine(await aProduct(db), { price: 1 })] } }),
  'POST /api/products/import': async ({ headers }) => {
    const { body } = await app.inject({ url: '/api/products/export', headers });
    return formOf({ file: new Blob([body]), fingerprint: 'of another catalogue' });
  },
  'POST /api/office/dispatches/import': async () =>
    formOf({ file: new Blob(['Reference,Tracking\nAAAA-BBBB,1']), fingerprint: 'of other orders' }),
  'POST /api/stock/counts': async () => ({
    payload: { sheet: UNKNOWN, lines: [{ productId: UNKNOWN, size: null, expected: 1, counted: 1 }] },
  }),
  'POST /api/stock/counts/import': async () =>
    formOf({
      file: new Blob([`Product ID,Size,Should be there,Counted,Reason,Sheet\n${UNKNOWN},,1,1,,${UNKNOWN}`]),
      fingerprint: 'of another file',
    }),
  'POST /api/products/:id/reviews': async () => ({ id: (await aProduct(db))._id, ...(await formOf(FIELDS)) }),
  'POST /api/products/:id/alerts': async () => ({ id: (await aProduct(db))._id, payload: { email: 'x@example.com', consent: true } }),
  'PUT /api/reviews/:id/vote': async (who) => ({ id: await ownReview(who), payload: { isHelpful: true } }),
  'PUT /api/reviews/:id/hidden': async (who) => ({ id: await ownReview(who), payload: { isHidden: false, mark: 'another' } }),
  'PUT /api/reviews/:id/reply': async (who) => ({ id: await ownReview(who), payload: { reply: 'Thank you', mark: 'another' } }),
  'POST /api/payment-links/:id': async (who) => ({ id: await aPaymentLink(who, 'ended') }),
  'POST /api/office/keys': async () => {
    await sql`insert into api_keys (id, name, key_hash, rights, made_by, ends_at)
      select gen_random_uuid(), 'Full', sha256(n::text::bytea), '{}', 'Nobody', now() + interval '1 day' from generate_series(1, ${MAX_KEYS}) as n`.execute(
      db,
    );
    return { payload: { name: 'One more', rights: ['see orders'], endsOn: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) } };
  },
  'POST /api/office/webhooks': async () => {
    await sql`insert into webhooks (id, address, topics, secret, made_by, is_on)
      select gen_random_uuid(), 'https://example.com', '{}', '', 'Nobody', false from generate_series(1, ${MAX_WEBHOOKS})`.execute(db);
    return { payload: A_WEBHOOK };
  },
  'POST /api/office/promotions': async () => ({ payload: { ...A_PROMOTION, code: (await aPromotion(db)).code } }),
  'PUT /api/office/promotions/:id': async () => ({
    id: (await aPromotion(db))._id,
    payload: { ...A_PROMOTION, code: (await aPromotion(db)).code },
  }),
  'DELETE /api/office/promotions/:id': async (who) => {
    const { _id, name } = await aPromotion(db);
    const order = await anOrder(who, { paidAt: null });
    await db.insertInto('redemptions').values({ orderId: order, promotionId: _id, name, discount: 0 }).execute();
    return { id: _id };
  },
  'PUT /api/orders/deliver': async (who) => ({ payload: { ids: [await anOrder(who, { status: 'refunded' })], isDelivered: true } }),
  'PUT /api/orders/:id/deliver': async (who) => ({ id: await anOrder(who, { status: 'refunded' }), payload: { isDelivered: true } }),
  'PUT /api/orders/:id/stage': async (who) => ({ id: await anOrder(who, { status: 'refunded' }), payload: { stage: 'packing' } }),
  'PUT /api/orders/:id/delivery-note': async (who) => ({
    id: await anOrder(who, { status: 'dispatched' }),
    payload: { deliveryNote: 'Too late' },
  }),
  'DELETE /api/office/orders/:id/correction': async (who) => ({ id: await anOrder(who, { status: 'placed' }) }),
  'POST /api/orders/:id/correction/payment': async (who) => ({ id: await anOrder(who, { status: 'placed' }) }),
  'POST /api/office/orders/:id/correction': async (who) => ({
    id: await anOrder(who, { status: 'dispatched' }),
    payload: { revision: 0, lines: [{ line: 0, qty: 1 }] },
  }),
  'PUT /api/office/orders/:id/delivery-details': async (who) => ({ id: await anOrder(who, { status: 'dispatched' }), payload: DETAILS }),
  'POST /api/office/orders/:id/notes': async (who) => fullOfNotes('orderId', await anOrder(who, { paidAt: null })),
  'POST /api/office/orders/:id/tags': async (who) => fullOfTags('orderId', await anOrder(who, { paidAt: null })),
  'POST /api/office/users/:id/tags': async () => fullOfTags('userId', (await aCustomer(db))._id),
  'POST /api/office/users/:id/notes': async () => fullOfNotes('userId', (await aCustomer(db))._id),
  'POST /api/orders/:id/cancel': async (who) => ({
    id: await anOrder(who, { status: 'dispatched' }),
    payload: { reason: 'Another reason' },
  }),
  'POST /api/office/orders/:id/cancel': async (who) => ({
    id: await anOrder(who, { status: 'dispatched' }),
    payload: { reason: 'Another reason' },
  }),
  'POST /api/office/orders/:id/parcels': async (who) => ({ id: await anOrder(who, { status: 'dispatched' }), payload: {} }),
  'POST /api/office/orders/:id/refunds': async (who) => ({
    id: await anOrder(who, { status: 'placed' }),
    payload: { amount: 1, reason: 'Goodwill' },
  }),
  'POST /api/orders/:id/returns': async (who) => ({ id: await anOrder(who, { status: 'dispatched' }), payload: A_RETURN }),
  'POST /api/office/orders/:id/returns': async (who) => ({ id: await anOrder(who, { status: 'dispatched' }), payload: A_RETURN }),
  'POST /api/office/dispatches': async () => ({ payload: { filters: { search: 'nobody at all' }, expected: 7 } }),
  'POST /api/office/bulk-edits': async () => ({
    payload: { filters: {}, products: [(await aProduct(db))._id], edit: { kind: 'delete' }, expected: 7 },
  }),
  'POST /api/office/bulk-edits/:id/undo': async () => {
    const bulk = { id: newId(), actor: 'A', change: 'Deleted', undoUntil: new Date(0).toISOString() };
    await db.insertInto('bulkEdits').values(bulk).execute();
    return { id: bulk.id };
  },
  'POST /api/office/dispatches/:id/undo': async () => {
    const batch = { id: newId(), actor: 'A', undoUntil: new Date(0).toISOString() };
    await db.insertInto('dispatchBatches').values(batch).execute();
    return { id: batch.id };
  },
  'POST /api/returns/:id/withdraw': aRefusedReturn,
  'POST /api/office/returns/:id/judge': async (who) => ({ ...(await aRefusedReturn(who)), payload: { isApproved: true } }),
  'POST /api/office/returns/:id/received': async (who) => ({
    ...(await aRefusedReturn(who)),
    payload: { lines: [{ line: 0, restocked: 1, spoiled: 0 }] },
  }),
  'POST /api/opening/mail': async () => {
    // No mail can be written where its folder is a file.
    const folder = join(shop.dataDir, 'mail');
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, '');
    onTestFinished(() => rm(folder));
    return { payload: { email: 'x@example.com' } };
  },
  'PUT /api/settings/:section': async ({ headers }) => {
    const { values } = (await app.inject({ url: '/api/settings/contact', headers })).json<SettingsSection>();
    return { payload: { version: 7, values: { ...values, phone: '0117 496 0009' } } };
  },
  'POST /api/office/refunds/:id/retry': aRefund,
  'POST /api/office/refunds/:id/paid': async (who) => ({ ...(await aRefund(who)), payload: { paidBackBy: 'cash' } }),
  'PUT /api/orders/:id/cash': async (who) => ({ id: await anOrder(who, { paymentMethod: 'Credit Card' }), payload: { isPaid: true } }),
  // What is due comes first.
  'POST /api/office/orders/:id/overpayments': async (who) => ({
    id: await anOrder(who, { awaitsApproval: false }),
    payload: { amount: 1, receivedBy: 'cash' },
  }),
  'POST /api/office/overpayments/:id/undo': anUndoneOverpayment,
  'POST /api/office/overpayments/:id/retry': anUndoneOverpayment,
  'POST /api/office/overpayments/:id/paid': async (who) => ({ ...(await anUndoneOverpayment(who)), payload: { paidBackBy: 'cash' } }),
  // Not delivered yet.
  'POST /api/office/orders/:id/not-collected': async (who) => ({ id: await anOrder(who, { awaitsApproval: false }), payload: {} }),
  'POST /api/office/orders/:id/write-off': async (who) => ({
    id: await anOrder(who, { awaitsApproval: false }),
    payload: { reason: 'Goodwill' },
  }),
};

/** A return that nothing more happens to. */
async function aRefusedReturn(who: SignedIn): Promise<{ id: string }> {
  const order = await anOrder(who, { deliveredAt: new Date().toISOString() });
  const reply = await app.inject({ method: 'POST', url: `/api/orders/${order}/returns`, headers: who.headers, payload: A_RETURN });
  const id = reply.json<Order>().returns[0]?._id ?? '';
  await db.updateTable('orderReturns').set({ status: 'refused', decidedAt: new Date().toISOString() }).where('id', '=', id).execute();
  return { id };
}

/** A refund that has been paid back in cash. */
async function aRefund({ headers }: SignedIn): Promise<{ id: string }> {
  const id = await anOrder({ headers }, { paidAt: new Date().toISOString() });
  const payload = { amount: 1, reason: 'Goodwill' };
  const reply = await app.inject({ method: 'POST', url: `/api/office/orders/${id}/refunds`, headers, payload });
  return { id: reply.json<Order>().refunds[0]?._id ?? '' };
}

/** A record of money besides what was due that was taken back. */
async function anUndoneOverpayment({ headers }: SignedIn): Promise<{ id: string }> {
  const order = await anOrder({ headers }, { paidAt: new Date().toISOString() });
  const payload = { amount: 1, receivedBy: 'cash' };
  const reply = await app.inject({ method: 'POST', url: `/api/office/orders/${order}/overpayments`, headers, payload });
  const id = reply.json<Order>().overpayments[0]?._id ?? '';
  await app.inject({ method: 'POST', url: `/api/office/overpayments/${id}/undo`, headers });
  return { id };
}

/** A card payment that was not kept and is to be paid back. */
async function anOwedCardPayment(who: SignedIn): Promise<string> {
  const [id, orderId] = [newId(), await anOrder(who, { paidAt: new Date().toISOString() })];
  const values = { id, orderId, amount: 1, receivedBy: 'transfer', actor: 'Payment provider', paymentId: 'pi_not_kept' };
  await db.insertInto('overpayments').values(values).execute();
  return id;
}

/** An order or a customer that cannot have another tag. */
async function fullOfTags(of: 'orderId' | 'userId', id: string): Promise<{ id: string; payload: object }> {
  const tags = Array.from({ length: MAX_TAGS }, (_, n) => ({ [of]: id, tag: `tag ${n}`, actor: 'A' }));
  await db.insertInto('staffTags').values(tags).execute();
  return { id, payload: { tag: 'one more' } };
}

async function anOrder({ headers }: Pick<SignedIn, 'headers'>, change: object): Promise<string> {
  const reply = await app.inject({ method: 'POST', url: '/api/orders', headers, payload: aPayload([aLine(await aProduct(db))]) });
  const { _id } = reply.json<{ _id: string }>();
  await forceOrder(db, _id, change);
  return _id;
}

/** An order or a customer that cannot have another note. */
async function fullOfNotes(of: 'orderId' | 'userId', id: string): Promise<{ id: string; payload: object }> {
  const notes = Array.from({ length: MAX_NOTES }, () => ({ [of]: id, text: 'Rang', actor: 'A' }));
  await db.insertInto('staffNotes').values(notes).execute();
  return { id, payload: { text: 'One more' } };
}

/** An email that was sent a moment ago. */
async function justSent(who: SignedIn): Promise<string> {
  const mail = JSON.stringify({ to: 'a@example.com', subject: 'Hello', text: '', html: '' });
  const values = { orderId: await anOrder(who, { status: 'placed' }), mail };
  return (await db.insertInto('orderMails').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

/** An order whose correction waits for its payment. */
async function toBePaid(who: SignedIn, link: { status?: string; tokenHash?: Buffer } = {}): Promise<string> {
  const [id, payUntil] = [await anOrder(who, { status: 'placed' }), new Date(Date.now() + 3_600_000).toISOString()];
  const correction = { id, orderId: id, status: 'open', revision: 0, difference: 100, actor: 'Ada', payUntil, ...link };
  await db
    .insertInto('orderCorrections')
    .values({ ...correction, plan: JSON.stringify({ more: '1 × Sofa' }) })
    .execute();
  return id;
}

/** The token of a link that asks for a payment. */
async function aPaymentLink(who: SignedIn, status = 'open'): Promise<string> {
  const { token, hash } = newLinkToken();
  await toBePaid(who, { status, tokenHash: hash });
  return token;
}

/** The token that confirms the address of an administrator. */
async function staffsToken(): Promise<string> {
  const { _id, email } = await anAdmin(db);
  await db.updateTable('users').set({ isEmailConfirmed: false }).where('id', '=', _id).execute();
  return newAddressLink(db, { _id, email });
}

/** A piece that was delivered to somebody. */
async function received(who: SignedIn): Promise<string> {
  const product = await aProduct(db);
  await aDelivery(shop, who, product);
  return product._id;
}

async function ownReview(who: SignedIn): Promise<string> {
  return (await sendReview(shop, who, await received(who))).json<{ _id: string }>()._id;
}

/** What somebody may review, or has: without it a form is refused before it is read. */
async function ofReview(name: string, who: SignedIn): Promise<{ id?: string }> {
  if (name === 'PUT /api/reviews/:id') return { id: await ownReview(who) };
  return name === 'POST /api/products/:id/reviews' ? { id: await received(who) } : {};
}

/** As many orders as an account may place within an hour, paid and done with. */
async function anHourOfOrders(who: SignedIn): Promise<Pick<InjectOptions, 'payload'>> {
  for (let n = 0; n < 20; n += 1) await anOrder(who, { paidAt: new Date().toISOString() });
  return { payload: aPayload([aLine(await aProduct(db))]) };
}

/** Calls with high limits. */
const LIMIT_OF: Record<string, 'afterSale' | 'lists'> = {
  'PUT /api/orders/:id/delivery-note': 'afterSale',
  'POST /api/orders/:id/cancel': 'afterSale',
  'POST /api/orders/:id/returns': 'afterSale',
  'POST /api/returns/:id/withdraw': 'afterSale',
  'PUT /api/users/lists': 'lists',
};

/** Somebody has called as often as they may. */
async function callTooOften(what: 'afterSale' | 'lists', { _id: account }: SignedIn): Promise<void> {
  await limit(db, what, { ip: anAddress(), account, factor: 1 });
  await db.updateTable('rateLimits').set({ tries: LIMITS[what].account }).where('key', 'like', `${what}:account:%`).execute();
}

/** Forms whose file has another name than a product's pictures, with one that cannot be read. */
const UNREADABLE: Record<string, () => ReturnType<typeof formOf>> = {
  'POST /api/settings/:section/pictures': () => formOf({ field: 'logo', picture: new Blob(['not a picture'], { type: 'image/png' }) }),
  'POST /api/products/models': () => formOf({ model: new Blob(['not a model']) }),
};

/** The request that must be answered with a status. */
async function requestFor(
  name: string,
  status: number,
  who: SignedIn,
): Promise<Pick<InjectOptions, 'headers' | 'payload' | 'query'> & { id?: string }> {
  const route = apiRoutes.find(({ endpoint }) => endpoint.name === name);
  const isForm = route?.endpoint.multipart === true;
  const json = { 'content-type': 'application/json' };
  if (status === 429 && name === 'POST /api/orders') return anHourOfOrders(who);
  const limitName = LIMIT_OF[name];
  if (status === 429 && limitName) await callTooOften(limitName, who);
  if (status === 403 && name === 'POST /api/users/confirm-email') return { payload: { token: await staffsToken() } };
  if (status === 409) return conflicts[name]?.(who) ?? {};
  if (status === 413)
    return isForm
      ? { ...(await ofReview(name, who)), ...(await formOf(FIELDS, Buffer.alloc((route.endpoint.maxFileMb ?? 10) * 1024 * 1024 + 1))) }
      : { headers: json, payload: `"${'x'.repeat(300_000)}"` };
  if (status === 415)
    return isForm && !name.endsWith('/import')
      ? {
          id: await (name.startsWith('PUT /api/reviews') ? ownReview(who) : received(who)),
          ...(await (UNREADABLE[name]?.() ?? formOf(FIELDS, Buffer.from('not a picture')))),
        }
      : { headers: { 'content-type': 'text/plain' }, payload: 'x' };
  if (status === 400)
    return isForm
      ? { ...(await ofReview(name, who)), ...(await formOf({ ...FIELDS, price: '-1', rating: '6' })) }
      : { payload: bad[name] ?? {} };
  if (status >= 500 && name === 'POST /api/orders/:id/correction/payment') return { id: await toBePaid(who) };
  if (status >= 500 && name === 'POST /api/office/overpayments/:id/retry') return { id: await anOwedCardPayment(who) };
  if (status >= 500 && name === 'POST /api/payment-links/:id') return { id: await aPaymentLink(who) };
  if (status >= 500) return { payload: { orderItems: [aLine(await aProduct(db))] } };
  if (isForm) return formOf(FIELDS);
  const payload = good[name];
  return payload ? { payload: { ...payload, ...('email' in payload && { email: `n${Math.abs(address)}@example.com` }) } } : {};
}

let address = 0;
const anAddress = () => {
  address += 1;
  return `10.${Math.floor(address / 60_000)}.${Math.floor(address / 250) % 250}.${(address % 250) + 1}`;
};
const people = { visitor: async () => undefined, customer: () => aCustomer(db), admin: () => anAdmin(db) };

const cases = apiRoutes.flatMap((route) =>
  errorsOf(route.endpoint).flatMap((status) =>
    (['visitor', 'customer', 'admin'] as const)
      .filter((role) => isHeardBy(route.endpoint.role, route.endpoint.name, status, role))
      .map((role, rank) => ({ title: `${role} × ${route.endpoint.name}`, route, status, role, isLeast: rank === 0 })),
  ),
);

/** Who can hear an error at all: the role's own refusals go to those without it, everything else to those who have it. */
function isHeardBy(needed: Role, name: string, status: number, role: Role): boolean {
  const rank = { visitor: 0, customer: 1, admin: 2 };
  if (status === 401 && name !== 'POST /api/users/login') return role === 'visitor';
  if (status === 403) return role === 'customer';
  // Staff may order as much as they like.
  if (status === 429 && name === 'POST /api/orders') return role === 'customer';
  return rank[role] >= rank[needed];
}

test('the table holds every error of every call, for every role that can hear it', () => {
  expect(cases.length).toBeGreaterThan(150);
  for (const route of apiRoutes) expect(cases.some((entry) => entry.route === route)).toBe(errorsOf(route.endpoint).length > 0);
});

async function expectError({ route: { endpoint }, status, role }: (typeof cases)[number]): Promise<void> {
  const who = await people[role]();
  const { id, ...request } = await requestFor(endpoint.name, status, who ?? (await aCustomer(db)));
  const url = endpoint.url.replace(':id', id ?? UNKNOWN).replace(':section', endpoint.name.endsWith('/pictures') ? 'shop' : 'contact');
  const ip = anAddress();
  const ask = () =>
    (apps[status] ?? app).inject({
      method: endpoint.method,
      url,
      ...request,
      headers: { ...request.headers, 'x-forwarded-for': ip, ...who?.headers },
    });
  let reply = await ask();
  // Only many tries are too many.
  for (let tries = 0; status === 429 && reply.statusCode !== 429 && tries < 80; tries += 1) reply = await ask();
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
  const body = reply.json<{ message: string; errors?: Record<string, string> }>();
  expect(body.message.length).toBeGreaterThan(5);
  expect(Object.keys(body).filter((key) => key !== 'message' && key !== 'errors')).toEqual([]);
  expect(reply.body).not.toMatch(/node_modules|\.ts:\d|select |insert |at \w+ \(/);
  if (status === 429 || status === 503) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
}

const [least, higher] = [cases.filter(({ isLeast }) => isLeast), cases.filter(({ isLeast }) => !isLeast)];
test.each(least)('$title: $status (§7.2)', expectError);
test.each(higher)('$title: $status (§7.2)', { tags: ['thorough'] }, expectError);

test('a sheet that is too large is told its own limit', async () => {
  const who = await anAdmin(db);
  const form = await formOf({ file: new Blob([Buffer.alloc(MAX_SHEET_MB * 1024 * 1024 + 1)]) });
  const reply = await app.inject({
    method: 'POST',
    url: '/api/products/import',
    headers: { ...who.headers, ...form.headers },
    payload: form.payload,
  });
  expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([413, expect.stringMatching(/ is larger than 100 MB\.$/)]);
});
