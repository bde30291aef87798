import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RateSum, ratesOf, vatIn } from '#contract/invoices/vat.ts';
import { claimOf } from '#contract/market/owed.ts';
import type { Correction, Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { recordDispute } from '#server/orders/refunds/refund-outcomes.service.ts';
import { applyRefunds } from '#server/payments/refunds.jobs.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { runs } from '#server/testing/runs.ts';

const shop = await testShop({ env: { ...MANY_ORDERS, STORE_MARKET: 'uk', RATE_LIMIT_FACTOR: '100000', VAT_NUMBER: 'GB123456789' } });
const { app, db, services, sandbox } = shop;
const { stripe, checkout, orderOf } = cardDesk(shop);
const admin = await anAdmin(db);
/** A card whose refunds are pending until the bank has made them. */
const SLOW_REFUNDS = '4000 0000 0000 7726';
const products = [
  await aProduct(db, { name: 'Chair', price: 9_999, stock: 90_000 }),
  await aProduct(db, { name: 'Lamp', price: 3_331, stock: 90_000, vatClass: 'reduced' }),
  await aProduct(db, { name: 'Book', price: 1_777, stock: 90_000, vatClass: 'zero' }),
];
const RATES = [2000, 500, 0];
const { code } = await aPromotion(db, { kind: 'percent', value: 13 });

const STEPS = [
  ...['take back', 'take back', 'take back', 'correct', 'correct', 'deliver', 'some kept', 'a piece that stays'],
  ...['made', 'made', 'made', 'made', 'failed', 'failed', 'returned', 'returned', 'returned'],
  ...['retry', 'retry', 'by hand', 'by hand', 'all owed', 'part of what is owed', 'pieces that left', 'goodwill', 'at the provider'],
  ...['disputed', 'lost', 'lost', 'won'],
] as const;
const step = fc.record({ name: fc.constantFrom(...STEPS), which: fc.nat(7), amount: fc.integer({ min: 1, max: 12_000 }) });
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Steps that may pay otherwise what a failed refund was for. */
const OTHERWISE = new Set<Step['name']>([
  'all owed',
  'part of what is owed',
  'pieces that left',
  'at the provider',
  'disputed',
  'lost',
  'won',
  'goodwill',
]);

type ByRate = Map<number, number>;
const sum = (list: Iterable<number>) => [...list].reduce((all, one) => all + one, 0);
const add = (map: ByRate, rate: number, amount: number) => map.set(rate, (map.get(rate) ?? 0) + amount);
const less = (after: ByRate, before: ByRate): ByRate =>
  new Map([...after].map(([rate, amount]) => [rate, amount - (before.get(rate) ?? 0)]));
const post = (url: string, payload: object = {}, headers = admin.headers) => app.inject({ method: 'POST', url, headers, payload });

interface Life {
  id: string;
  buyer: Awaited<ReturnType<typeof aCustomer>>;
  /** The sessions of the payments. */
  payments: Map<string, string>;
  trail: string[];
  /** Refunds that were done at some time. */
  wereDone: Set<string>;
  /** Refunds that have not failed since they began, with what left the order for them. */
  fresh: Map<string, ByRate>;
  /** What was credited for refunds of pieces that stay, and of amounts. */
  freely: ByRate;
  disputes: number;
  /** What went back was owed again at some time: a bank has returned a refund, or taken a loss back. */
  hasReturned: boolean;
  /** A bank has given back something that was owed. */
  hasLost: boolean;
}

/** What is seen of an order from outside. */
async function look({ id }: Pick<Life, 'id'>) {
  const order = (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();
  const row = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const documents = await db.selectFrom('invoices').selectAll().where('orderId', '=', id).orderBy('issuedAt').execute();
  const [invoiced, credited]: [ByRate, ByRate] = [new Map(), new Map()];
  for (const document of documents)
    for (const { rate, gross } of ratesOf({ ...document, vatRates: document.vatRates as RateSum[] | null }))
      add(document.kind === 'invoice' ? invoiced : credited, rate, gross);
  // What left the order since its invoice: the price of its pieces, and delivery.
  const off: ByRate = new Map();
  for (const { _id, price, qty, discount, cancelledQty, returnedQty, spoiledQty } of order.orderItems) {
    const rate = RATES[products.findIndex((product) => product._id === _id)] ?? -1;
    add(off, rate, Math.floor(((price * qty - discount) * (cancelledQty + returnedQty + spoiledQty)) / qty));
  }
  const isOver = order.orderItems.every((item) => item.qty === item.cancelledQty + item.returnedQty + item.spoiledQty);
  const first = documents.find(({ kind, part }) => kind === 'invoice' && part === 0);
  const lines = (first?.content as { lines: { name: string; details: string; gross: number }[] } | undefined)?.lines ?? [];
  for (const { name, details, gross } of lines)
    if (name === 'Delivery' && (isOver || row.deliveryOff === row.shippingPrice))
      add(off, details ? Number(/VAT (\d+)%/.exec(details)?.[1]) * 100 : (first?.vatRate ?? -1), gross);
  const waived = Math.max(0, row.waivedPrice - (row.totalPrice - sum(invoiced.values())));
  const done = sum(order.refunds.filter(({ status }) => status === 'done').map(({ amount }) => amount));
  const gone = Math.min(waived + done + row.lostPrice, sum(invoiced.values()));
  return { order, row, documents, invoiced, credited, off, waived, lost: row.lostPrice, gone, kept: sum(credited.values()) - gone };
}
type Seen = Awaited<ReturnType<typeof look>>;

/** Each document has sums, and what is left of an invoice has the VAT of its own price. */
function checkDocuments({ documents }: Seen): void {
  for (const invoice of documents) {
    expect(invoice.gross).toBeGreaterThan(0);
    if (invoice.kind !== 'invoice') continue;
    const credits = documents.filter(({ corrects }) => corrects === invoice.id);
    const at = (document: typeof invoice) => ratesOf({ ...document, vatRates: document.vatRates as RateSum[] | null });
    for (const { rate, gross, vat } of at(invoice)) {
      const parts = credits.flatMap(at).filter((one) => one.rate === rate);
      for (const one of parts) expect(Math.min(one.gross, one.net, one.vat)).toBeGreaterThanOrEqual(0);
      const left = gross - sum(parts.map((one) => one.gross));
      expect(left).toBeGreaterThanOrEqual(0);
      expect(vat - sum(parts.map((one) => one.vat))).toBe(vatIn(left, rate));
    }
  }
}

/** What the customer is still to have, from the shop or from a bank: also what refunds under way may pay again. */
const stillOwed = ({ order, row }: Seen, { fresh, wereDone }: Life, goodwill: number): number =>
  Math.max(0, claimOf(row) - row.lostPrice) +
  goodwill +
  sum(
    order.refunds.filter(({ _id, status }) => status === 'pending' && (wereDone.has(_id) || !fresh.has(_id))).map(({ amount }) => amount),
  );

const failedGoodwill = async (orderId: string) =>
  sum(
    (await db.selectFrom('orderRefunds').select('goodwill').where('orderId', '=', orderId).where('status', '=', 'failed').execute()).map(
      ({ goodwill }) => goodwill,
    ),
  );

/**
 * The ledger, after each step: what has gone back or is waived is credited, and beside it only what went back, failed then and is still owed. A refund that is done
 * for the first time is credited with its own sum, of its own pieces at their rates; one that was done before is not credited again.
 */
async function check(life: Life, before: Seen): Promise<void> {
  const now = await look(life);
  checkDocuments(now);
  const { wereDone, fresh, freely } = life;
  const isDone = ({ status, amount }: Order['refunds'][number]) => status === 'done' && amount > 0;
  const first = now.order.refunds.filter((one) => isDone(one) && !wereDone.has(one._id));
  const amount = sum(first.map((one) => one.amount));
  const notes = less(now.credited, before.credited);
  const note = sum(notes.values());
  const more = Math.max(0, now.lost - before.lost) + Math.max(0, now.waived - before.waived);
  // Nothing is missing, and nothing is there that did not go back.
  expect(now.kept, 'credited without having gone back').toBeGreaterThanOrEqual(0);
  for (const { _id } of first) wereDone.add(_id);
  const returned = now.order.refunds.filter(({ _id, status }) => status !== 'done' && wereDone.has(_id));
  life.hasReturned ||= returned.length > 0;
  life.hasLost ||= now.lost > 0;
  const owed = life.hasReturned ? stillOwed(now, life, await failedGoodwill(life.id)) : 0;
  expect(now.kept, 'credited, has failed and is not owed').toBeLessThanOrEqual(owed);
  if (more === 0 && first.length === 0) expect(note, 'a credit note for nothing').toBe(0);
  expect(note, 'more credited than went back').toBeLessThanOrEqual(amount + more);
  const wasDone = before.order.refunds.filter(({ status }) => status === 'done').map(({ _id }) => _id);
  const fellBack = sum(returned.filter(({ _id }) => wasDone.includes(_id)).map((one) => one.amount));
  const isFresh = first.every(({ _id }) => fresh.has(_id));
  if (isFresh && more === 0) {
    expect(note, 'the note of a refund has its sum').toBe(amount);
    const own: ByRate = new Map();
    for (const { _id } of first) for (const [rate, price] of fresh.get(_id) ?? []) add(own, rate, price);
    // Goodwill may have left less at a rate than all pieces that left.
    const underWay = now.order.refunds.filter(({ status }) => status === 'pending');
    const hasRoom = [...own].every(([rate, price]) => {
      const others = sum(underWay.map(({ _id }) => fresh.get(_id)?.get(rate) ?? 0));
      return price + others <= (before.invoiced.get(rate) ?? 0) - (before.credited.get(rate) ?? 0);
    });
    if (sum(own.values()) === amount && hasRoom && isSure(life, now))
      for (const [rate, price] of own) expect(Math.abs((notes.get(rate) ?? 0) - price), `at ${rate}`).toBeLessThanOrEqual(2);
  } else expect(note, 'less than went back').toBeGreaterThanOrEqual(amount + more - before.kept - fellBack);
  if (first.length > 0 && !isFresh && owedBefore(before) === 0) for (const [rate, price] of notes) add(freely, rate, price);
  await checkSettled(life, now);
}

/** With goodwill, what a bank gave back may be credited at other rates than those of its pieces, and one of several invoices may have less left. */
const isSure = ({ hasLost, fresh }: Life, { documents, order }: Seen): boolean =>
  (documents.filter(({ kind }) => kind === 'invoice').length === 1 && !hasLost) || order.refunds.every(({ _id }) => fresh.has(_id));

/** Whether something is owed or on its way. */
const owedBefore = ({ order, row }: Seen): number => claimOf(row) + order.owedPrice;

/** Once nothing is owed or under way, what is credited is what left at each rate, and what was given freely. */
async function checkSettled(life: Life, seen: Seen): Promise<void> {
  const { id, freely } = life;
  const { order, row, credited, invoiced, off, kept } = seen;
  const isOpen = order.refunds.some(({ status }) => status === 'pending') || claimOf(row) > row.lostPrice;
  if (isOpen || (await failedGoodwill(id)) > 0) return;
  expect(kept, 'credited, but nothing is owed').toBe(0);
  const should: ByRate = new Map(off);
  for (const [rate, price] of freely) add(should, rate, price);
  const isWhole = [...should].every(([rate, price]) => price <= (invoiced.get(rate) ?? 0));
  if (isWhole && isSure(life, seen) && sum(should.values()) === sum(credited.values()))
    for (const [rate, price] of should) expect(Math.abs(price - (credited.get(rate) ?? 0)), `settled, at ${rate}`).toBeLessThanOrEqual(6);
}

async function start(isByCard: boolean, hasCode: boolean): Promise<Life> {
  const buyer = await aCustomer(db);
  const lines = products.map((product, index) => aLine(product, { qty: 3 + index }));
  const seen = (await post('/api/cart/discount', { orderItems: lines, code, postcode: 'YO1 7HH' }, buyer.headers)).json<{
    amount: number;
  }>();
  const more = hasCode ? { discount: { code, amount: seen.amount, isFreeDelivery: false } } : {};
  const life = {
    buyer,
    trail: [],
    wereDone: new Set<string>(),
    fresh: new Map(),
    freely: new Map(),
    disputes: 0,
    hasReturned: false,
    hasLost: false,
  };
  if (!isByCard) {
    const { _id: id } = (await post('/api/orders', aPayload(lines, more), buyer.headers)).json<Order>();
    await app.inject({ method: 'PUT', url: `/api/orders/${id}/cash`, headers: admin.headers, payload: { isPaid: true } });
    return { ...life, id, payments: new Map() };
  }
  const { url, sessionId } = await checkout(buyer, lines, more);
  await pay(url, { card: SLOW_REFUNDS });
  const { id, providerPaymentId } = await orderOf(sessionId);
  return { ...life, id, payments: new Map([[providerPaymentId ?? '', sessionId]]) };
}

async function work({ payments }: Life): Promise<void> {
  await runJobs(services);
  for (const paymentId of payments.keys()) await applyRefunds(services, paymentId);
}

/** Takes something off the order: what it took is what its refunds are for. */
async function take(life: Life, before: Seen, act: () => Promise<unknown>): Promise<void> {
  await act();
  const after = await look(life);
  const made = after.order.refunds.filter(({ _id }) => !before.order.refunds.some((one) => one._id === _id));
  const own: ByRate = made.length === 1 ? less(after.off, before.off) : new Map();
  for (const { _id } of made) life.fresh.set(_id, own);
}

async function correct({ id, buyer, payments }: Life, { order }: Seen, { which, amount }: Step): Promise<void> {
  const line = which % order.orderItems.length;
  const added = amount % 3 > 0 ? [{ product: products[which % 3]?._id, qty: 1 + (amount % 2) }] : [];
  const isOff = amount % 3 < 2;
  const wish = {
    revision: order.revision,
    lines: isOff ? [{ line, qty: Math.max(0, (order.orderItems[line]?.qty ?? 0) - 1), price: 'then' }] : [],
    added,
  };
  const url = `/api/office/orders/${id}/correction`;
  const seen = await post(url, wish);
  if (seen.statusCode !== 200) return;
  const { difference } = seen.json<Correction>();
  await post(url, { ...wish, expected: difference });
  const link = await post(`/api/orders/${id}/correction/payment`, {}, buyer.headers);
  if (link.statusCode !== 200) return;
  const page = link.json<{ url: string }>().url;
  await pay(page, { card: SLOW_REFUNDS });
  const session = page.split('/').at(-1) ?? '';
  payments.set(String((await stripe.checkout.sessions.retrieve(session)).payment_intent), session);
}

/** What banks and staff at the provider do with a refund of one of the payments. */
async function atProvider({ payments }: Life, { name, which, amount }: Step): Promise<void> {
  const [paymentId, sessionId] = [...payments][which % payments.size] ?? [];
  if (!paymentId) return;
  const form = (fields: Record<string, string>) =>
    fetch(`${sandbox.url}/payments/${sessionId}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  if (name === 'at the provider') return void (await form({ action: 'refund', amount: (amount / 100).toFixed(2) }));
  const { data } = await stripe.refunds.list({ payment_intent: paymentId, limit: 100 });
  const refunds = data.filter(({ status }) => status === (name === 'returned' ? 'succeeded' : 'pending'));
  const refund = refunds[which % (refunds.length || 1)]?.id;
  if (refund) await form({ action: name === 'made' ? 'succeed' : 'fail', refund });
}

async function dispute(life: Life, { name, which, amount }: Step): Promise<void> {
  const paymentId = [...life.payments.keys()][which % life.payments.size];
  if (!paymentId) return;
  const stored = await db
    .selectFrom('orderDisputes')
    .selectAll()
    .where('orderId', '=', life.id)
    .where('status', 'in', ['open', 'lost'])
    .execute();
  const lost = name === 'won' ? stored.find((one) => one.status === 'lost') : undefined;
  const open = stored.find((one) => one.status === 'open') ?? lost;
  if (name === 'disputed' && open) return;
  life.hasReturned ||= open !== undefined && open === lost;
  life.disputes += 1;
  const status = name === 'disputed' ? 'open' : name === 'won' ? 'won' : 'lost';
  const made = open ?? { id: `dp_${life.id}_${life.disputes}`, amount, disputedPaymentId: paymentId };
  const told = { id: made.id, amount: made.amount, paymentId: made.disputedPaymentId ?? paymentId, reason: 'general', status } as const;
  await db.transaction().execute((tx) => recordDispute(tx, services, told.paymentId, told));
}

async function happen(life: Life, step: Step, seen: Seen): Promise<unknown> {
  const { id } = life;
  const { name, which, amount } = step;
  const { order } = seen;
  const line = which % order.orderItems.length;
  const office = `/api/office/orders/${id}`;
  const refund = (body: object) => post(`${office}/refunds`, { reason: 'Goodwill', ...body });
  const failed = order.refunds.filter(
    ({ status, openPrice, isByHand }) => (status === 'failed' && openPrice > 0) || (status === 'pending' && isByHand),
  );
  const chosen = failed[which % (failed.length || 1)]?._id;
  const isDelivered = order.status === 'delivered';
  if (name === 'deliver')
    return app.inject({ method: 'PUT', url: `/api/orders/${id}/deliver`, headers: admin.headers, payload: { isDelivered: true } });
  if (name === 'take back' && !isDelivered)
    return take(life, seen, () => post(`${office}/cancel`, { reason: 'Another reason', pieces: [{ line, qty: 1 + (amount % 2) }] }));
  if (name === 'take back' || name === 'some kept') {
    await post(`${office}/returns`, { lines: [{ line, qty: 1 }], reason: 'I changed my mind' });
    const approved = (await look(life)).order.returns.findLast(({ status }) => status === 'approved');
    const more = name === 'some kept' ? { amount: amount % 1_500, answer: 'Worn.' } : {};
    return take(life, seen, () =>
      post(`/api/office/returns/${approved?._id}/received`, { lines: [{ line, restocked: 1, spoiled: 0 }], ...more }),
    );
  }
  if (name === 'correct') return take(life, seen, () => correct(life, seen, step));
  if (name === 'made' || name === 'failed' || name === 'returned' || name === 'at the provider') {
    await atProvider(life, step);
    return work(life);
  }
  if (name === 'retry') return post(`/api/office/refunds/${chosen}/retry`);
  if (name === 'by hand') return post(`/api/office/refunds/${chosen}/paid`, { paidBackBy: 'transfer' });
  if (name === 'disputed' || name === 'lost' || name === 'won') {
    return dispute(life, step);
  }
  if (name === 'goodwill') return seen.order.owedPrice === 0 && refund({ amount: 1 + (amount % 2_000) });
  if (name === 'a piece that stays') return refund({ lines: [{ line, qty: 1 }], ...(amount % 2 === 0 && { amount: 500 }) });
  if (name === 'all owed') return order.owedPrice > 0 && refund({ amount: order.owedPrice });
  if (name === 'part of what is owed') return order.owedPrice > 0 && refund({ amount: 1 + (amount % order.owedPrice) });
  return order.owedPrice > 0 && refund({ lines: [{ line, qty: 1 }] });
}

/** Takes a step and what follows from it, and checks the ledger after each. */
async function act(life: Life, step: Step): Promise<void> {
  const before = await look(life);
  await happen(life, step, before);
  const after = await look(life);
  const refunds = after.order.refunds.map(({ amount, status }) => `${amount} ${status}`);
  life.trail.push(`${JSON.stringify(step)}: ${refunds}; credited ${[...after.credited].join(' ')}, of which ${after.kept} is owed again`);
  if (OTHERWISE.has(step.name))
    for (const { _id, status } of [...before.order.refunds, ...after.order.refunds]) if (status === 'failed') life.fresh.delete(_id);
  await check(life, before);
  await work(life);
  await check(life, after);
}

/** Pays all that is owed. */
async function settleAll(life: Life): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    const { order, row } = await look(life);
    const isOpen = order.refunds.some(({ status, openPrice }) => status === 'pending' || openPrice > 0);
    if (!isOpen && order.owedPrice === 0 && turn > 0) return;
    if (row.disputedPrice > 0) await act(life, { name: 'won', which: 0, amount: 1 });
    for (const which of [...life.payments.keys()].keys()) await act(life, { name: 'made', which, amount: 1 });
    await act(life, { name: turn % 2 === 0 ? 'by hand' : 'retry', which: turn, amount: 1 });
    if (!isOpen) await act(life, { name: 'all owed', which: 0, amount: 1 });
  }
}

test('over any sequence each refund is credited once, with its own sum and at its own rates, and what is credited is what went back or is owed again (§20.5, §22.3)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      fc.boolean(),
      fc.array(step, { minLength: 6, maxLength: 18 }),
      async (isByCard, hasCode, steps) => {
        const life = await start(isByCard, hasCode);
        try {
          for (const one of steps) await act(life, one);
          await settleAll(life);
        } catch (error) {
          throw new Error(`${(error as Error).message}\n${life.trail.join('\n')}`);
        }
      },
    ),
    { numRuns: runs(4) },
  );
});
