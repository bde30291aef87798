import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type RateSum, ratesOf, vatIn } from '#contract/invoices/vat.ts';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { applyDisputes, applyRefunds } from '#server/payments/refunds.jobs.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { runs } from '#server/testing/runs.ts';
import { readPieces } from './lines/parcels.service.ts';
import { readAnyOrder } from './read.service.ts';

const shop = await testShop({ pool: 20, env: { RATE_LIMIT_FACTOR: '1000', VAT_NUMBER: 'GB123456789' } });
const { app, db, services } = shop;
const { checkout, orderOf, payAgain, stripe } = cardDesk(shop);
const admins = [await anAdmin(db), await anAdmin(db)];

const STOCK = 20;
const REASON = 'Another reason';
const STEPS = [
  'cancel own',
  'cancel own line',
  'cancel',
  'cancel line',
  'packing',
  'placed',
  'dispatched',
  'delivery_failed',
  'send a piece',
  'parcel failed',
  'parcel taken back',
  'ask for a return',
  'agree to a return',
  'judge',
  'receive',
  'withdraw',
  'deliver',
  'take back delivery',
  'cash',
  'take back cash',
  'refund',
  'refund pieces',
  'retry',
  'paid',
  'work',
  'refund at the provider',
  'read refunds',
  'bank fails',
  'pay again',
  'second fails',
  'second disputed',
  'second won',
  'second lost',
  'read second',
  'retry second',
  'second paid',
] as const;
interface Step {
  name: (typeof STEPS)[number];
  /** Which administrator, line and refund, counted round. */
  which: number;
  amount: number;
}
const step = fc.record<Step>({
  name: fc.constantFrom(...STEPS),
  which: fc.nat(3),
  amount: fc.integer({ min: 1, max: 12_000 }),
});

interface Run {
  order: Order;
  buyer: SignedIn;
  sessionId: string;
  paymentId: string;
  /** Payments of the order that were not kept. */
  seconds: { sessionId: string; paymentId: string; amount: number }[];
}

async function start(isByCard: boolean): Promise<Run> {
  const buyer = await aCustomer(db);
  const products = [
    await aProduct(db, { price: 4_000, stock: STOCK }),
    await aProduct(db, { price: 1_500, stock: STOCK, vatClass: 'reduced' }),
  ];
  const lines = products.map((product, index) => aLine(product, { qty: 1 + index }));
  if (!isByCard) {
    const reply = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload(lines) });
    return { order: reply.json(), buyer, sessionId: '', paymentId: '', seconds: [] };
  }
  const { url, sessionId } = await checkout(buyer, lines);
  await pay(url);
  const { id, providerPaymentId } = await orderOf(sessionId);
  const order = (await app.inject({ url: `/api/orders/${id}`, headers: buyer.headers })).json<Order>();
  return { order, buyer, sessionId, paymentId: providerPaymentId ?? '', seconds: [] };
}

/** The calls of the shop that people make. */
async function ask({ name, which, amount }: Step, { order, buyer }: Run): Promise<void> {
  const who = admins[which % 2] ?? buyer;
  const send = (by: SignedIn, method: 'POST' | 'PUT', url: string, payload: object = {}) =>
    app.inject({ method, url, headers: by.headers, payload });
  const [own, office] = [`/api/orders/${order._id}`, `/api/office/orders/${order._id}`];
  const line = { reason: REASON, lines: [which % 2] };
  const refundId = async () =>
    (await app.inject({ url: own, headers: who.headers })).json<Order>().refunds.at(-1 - (which % 2))?._id ?? 'none';
  const parcelId = async () =>
    (await app.inject({ url: own, headers: who.headers })).json<Order>().parcels.at(-1 - (which % 2))?._id ?? 'none';
  const returnId = async () =>
    (await app.inject({ url: own, headers: who.headers })).json<Order>().returns.at(-1 - Math.floor(which / 2))?._id ?? 'none';
  const owedId = async () =>
    (await app.inject({ url: own, headers: who.headers }))
      .json<Order>()
      .overpayments.filter(({ status }) => status === 'owed')
      .at(which % 2)?._id ?? 'none';
  const calls: Partial<Record<Step['name'], () => Promise<{ statusCode: number }>>> = {
    'cancel own': () => send(buyer, 'POST', `${own}/cancel`, { reason: REASON }),
    'cancel own line': () => send(buyer, 'POST', `${own}/cancel`, line),
    cancel: () => send(who, 'POST', `${office}/cancel`, { reason: REASON }),
    'cancel line': () => send(who, 'POST', `${office}/cancel`, line),
    packing: () => send(who, 'PUT', `${own}/stage`, { stage: name }),
    placed: () => send(who, 'PUT', `${own}/stage`, { stage: name }),
    dispatched: () => send(who, 'PUT', `${own}/stage`, { stage: name }),
    delivery_failed: () => send(who, 'PUT', `${own}/stage`, { stage: name }),
    'send a piece': () => send(who, 'POST', `${office}/parcels`, { lines: [{ line: which % 2, qty: 1 }] }),
    'parcel failed': async () => send(who, 'PUT', `${own}/stage`, { stage: 'delivery_failed', parcel: await parcelId() }),
    'parcel taken back': async () => send(who, 'PUT', `${own}/stage`, { stage: 'packing', parcel: await parcelId() }),
    'ask for a return': () => send(buyer, 'POST', `${own}/returns`, { lines: [{ line: which % 2, qty: 1 }], reason: REASON }),
    'agree to a return': () => send(who, 'POST', `${office}/returns`, { lines: [{ line: which % 2, qty: 1 }], reason: REASON }),
    judge: async () => send(who, 'POST', `/api/office/returns/${await returnId()}/judge`, { isApproved: which < 3, answer: 'So it is.' }),
    receive: async () =>
      send(who, 'POST', `/api/office/returns/${await returnId()}/received`, {
        lines: [0, 1].map((line) => ({
          line,
          restocked: Number(line === which % 2 && which > 1),
          spoiled: Number(line === which % 2 && which < 2),
        })),
        ...(amount % 3 === 0 && { amount, answer: 'There are marks of use.' }),
      }),
    withdraw: async () => send(buyer, 'POST', `/api/returns/${await returnId()}/withdraw`),
    deliver: () => send(who, 'PUT', `${own}/deliver`, { isDelivered: true }),
    'take back delivery': () => send(who, 'PUT', `${own}/deliver`, { isDelivered: false }),
    cash: () => send(who, 'PUT', `${own}/cash`, { isPaid: true }),
    'take back cash': () => send(who, 'PUT', `${own}/cash`, { isPaid: false }),
    refund: () => send(who, 'POST', `${office}/refunds`, { amount, reason: REASON }),
    'refund pieces': () =>
      send(who, 'POST', `${office}/refunds`, { lines: [{ line: which % 2, qty: 1 }], reason: REASON, isRestocked: which > 1 }),
    retry: async () => send(who, 'POST', `/api/office/refunds/${await refundId()}/retry`),
    'retry second': async () => send(who, 'POST', `/api/office/overpayments/${await owedId()}/retry`),
    'second paid': async () => send(who, 'POST', `/api/office/overpayments/${await owedId()}/paid`, { paidBackBy: 'transfer' }),
    paid: async () => send(who, 'POST', `/api/office/refunds/${await refundId()}/paid`, { paidBackBy: 'cash' }),
  };
  const reply = await calls[name]?.();
  expect([200, 400, 404, 409, undefined]).toContain(reply?.statusCode);
}

/** What happens to payments that are not kept. */
async function happenToSecond({ name, which, amount }: Step, { order, buyer, seconds }: Run): Promise<void> {
  if (name === 'pay again' && seconds.length < 3)
    seconds.push({ amount: 50 + amount, ...(await payAgain(order._id, 50 + amount, buyer.email)) });
  const second = seconds[which % (seconds.length || 1)];
  if (!second) return;
  const atDashboard = (form: Record<string, string>) =>
    fetch(`${shop.sandbox.url}/payments/${second.sessionId}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const refund = (await stripe.refunds.list({ payment_intent: second.paymentId })).data.findLast(({ status }) => status !== 'failed');
  if (name === 'second fails' && refund) await atDashboard({ action: 'fail', refund: refund.id });
  if (name === 'second disputed') await atDashboard({ action: 'dispute' });
  if (name === 'second won' || name === 'second lost') await atDashboard({ action: name.slice(7) });
  if (name === 'read second') await readSecond(second.paymentId);
}

async function readSecond(paymentId: string): Promise<void> {
  await applyRefunds(services, paymentId);
  await applyDisputes(services, paymentId);
}

/** What the provider, the banks and the shop's own jobs do. */
async function happen({ name, amount }: Step, { sessionId, paymentId }: Run): Promise<void> {
  if (name === 'work') await runJobs(services);
  if (!paymentId) return;
  const atDashboard = (form: Record<string, string>) =>
    fetch(`${shop.sandbox.url}/payments/${sessionId}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  if (name === 'refund at the provider') await atDashboard({ action: 'refund', amount: (amount / 100).toFixed(2) });
  if (name === 'read refunds') await applyRefunds(services, paymentId);
  const made = (await stripe.refunds.list({ payment_intent: paymentId })).data.at(-1);
  if (name === 'bank fails' && made) await atDashboard({ action: 'fail', refund: made.id });
}

/** Every piece is in stock or with the customer, and the money that goes back is counted right and is no more than was paid. */
async function checkBooks({ order, paymentId }: Run): Promise<void> {
  const { rows } = await sql<{ stock: number; out: number }>`
    select p.count_in_stock as stock, i.qty - i.cancelled_qty - i.returned_qty as out
    from order_items i join products p on p.id = i.product_id where i.order_id = ${order._id}`.execute(db);
  for (const { stock, out } of rows) expect(stock + out).toBe(STOCK);
  const { rows: money } = await sql<{ total: number; waived: number; refunded: number; isPaid: boolean; sum: number }>`
    select total_price as total, waived_price as waived, refunded_price as refunded, paid_at is not null as is_paid,
      (select coalesce(sum(amount), 0)::int from order_refunds where order_id = orders.id and status <> 'failed') as sum
    from orders where id = ${order._id}`.execute(db);
  const { total = 0, waived = 0, refunded = 0, isPaid = false, sum = 0 } = money[0] ?? {};
  expect(refunded).toBeLessThanOrEqual(isPaid ? total - waived : 0);
  expect(refunded).toBe(Math.min(sum, isPaid ? total - waived : 0));
  if (!paymentId) return;
  const made = (await stripe.refunds.list({ payment_intent: paymentId })).data.filter(({ status }) => status !== 'failed');
  expect(made.reduce((all, { amount }) => all + amount, 0)).toBeLessThanOrEqual(total);
}

/** All of a payment that was not kept has gone back, is with a bank, or is owed, and the shop pays none of it back twice. */
async function checkSeconds({ order, buyer, seconds }: Run): Promise<void> {
  const { isRefundDue } = (await app.inject({ url: `/api/orders/${order._id}`, headers: buyer.headers })).json<Order>();
  for (const { paymentId, amount } of seconds) {
    const refunds = (await stripe.refunds.list({ payment_intent: paymentId })).data.filter(({ status }) => status !== 'failed');
    const disputes = (await stripe.disputes.list({ payment_intent: paymentId })).data.filter(({ status }) => status !== 'won');
    const rows = await db.selectFrom('overpayments').select(['status', 'amount']).where('paymentId', '=', paymentId).execute();
    const sum = (list: { amount: number }[]) => list.reduce((all, one) => all + one.amount, 0);
    const [owed, paid] = ['owed', 'paid_back'].map((wanted) => sum(rows.filter(({ status }) => status === wanted)));
    const gone = sum(refunds) + Number(paid);
    expect(gone).toBeLessThanOrEqual(amount);
    expect(owed).toBe(Math.max(0, amount - gone - sum(disputes)));
    if (Number(owed) > 0) expect(isRefundDue).toBe(true);
  }
}

/** What the returns say came back is what the lines count, and the order waits for what its returns wait for. */
async function checkReturns({ order }: Run): Promise<void> {
  const { returns, orderItems, status } = (
    await app.inject({ url: `/api/orders/${order._id}`, headers: admins[0]?.headers ?? {} })
  ).json<Order>();
  const pieces = returns.flatMap((one) => one.pieces);
  orderItems.forEach(({ spoiledQty, returnedQty }, line) => {
    const came = (name: 'spoiledQty' | 'restockedQty') =>
      pieces.filter((one) => one.line === line).reduce((sum, one) => sum + one[name], 0);
    expect(came('spoiledQty')).toBe(spoiledQty);
    expect(came('restockedQty')).toBeLessThanOrEqual(returnedQty);
  });
  const has = (wanted: string) => returns.some((one) => one.status === wanted);
  const isOpen = has('asked') || has('approved');
  expect(status === 'return_asked').toBe(has('asked'));
  expect(status === 'return_approved').toBe(has('approved') && !has('asked'));
  if (status === 'returned') expect(isOpen).toBe(false);
}

/** No more has left than was ordered and not cancelled, and an order has left in part exactly where something of it is still here. */
async function checkParcels({ order }: Run): Promise<void> {
  const pieces = await readPieces(db, order._id);
  const { rows } = await sql<{ sent: number; kept: number }>`
    select i.qty - i.cancelled_qty as kept, (select coalesce(sum(piece.qty), 0)::int from parcels join parcel_items piece on piece.parcel_id = parcels.id
      where parcels.order_id = i.order_id and parcels.status = 'sent' and piece.position = i.position) as sent
    from order_items i where i.order_id = ${order._id}`.execute(db);
  for (const { sent, kept } of rows) expect(sent).toBeLessThanOrEqual(kept);
  const { status } = await readAnyOrder(db, order._id);
  const isRestHere = pieces.some(({ unsent }) => unsent > 0);
  if (status === 'partly_dispatched') expect(isRestHere).toBe(true);
  if (status === 'dispatched') expect(isRestHere).toBe(false);
}

/**
 * The order's invoice, which leaves out what was cancelled before it, less its credit notes is what was sold less what was cancelled and has gone back. A
 * refund that failed afterwards is still owed, and stays credited. Before it is paid or leaves it has none.
 */
async function checkInvoices({ order }: Run): Promise<void> {
  const { rows } = await sql<{ total: number; waived: number; back: number; owed: number; awaits: boolean }>`
    select total_price as total, waived_price as waived, awaits_invoice as awaits,
      waived_price + (select coalesce(sum(amount), 0)::int from order_refunds where order_id = orders.id and status = 'done') as back,
      (select coalesce(sum(amount), 0)::int from order_refunds where order_id = orders.id and status = 'failed') as owed
    from orders where id = ${order._id}`.execute(db);
  const { total = 0, waived = 0, back = 0, owed = 0, awaits } = rows[0] ?? {};
  const [invoice, ...credits] = await db.selectFrom('invoices').selectAll().where('orderId', '=', order._id).orderBy('id').execute();
  expect(invoice?.kind).toBe(awaits ? undefined : 'invoice');
  const leftOut = total - (invoice?.gross ?? total);
  expect(leftOut).toBeGreaterThanOrEqual(0);
  expect(leftOut).toBeLessThanOrEqual(waived);
  const credited = credits.reduce((sum, { gross }) => sum + gross, 0);
  if (invoice) expect(credited).toBeGreaterThanOrEqual(Math.min(total, back) - leftOut);
  expect(credited).toBeLessThanOrEqual(invoice ? Math.min(total, back + owed) - leftOut : 0);
  const ratesIn = (document: (typeof credits)[number]) => ratesOf({ ...document, vatRates: document.vatRates as RateSum[] | null });
  for (const { rate, gross, vat: invoiced } of invoice ? ratesIn(invoice) : []) {
    const parts = credits.flatMap(ratesIn).filter((part) => part.rate === rate);
    const [sum, vat] = [parts.reduce((all, part) => all + part.gross, 0), parts.reduce((all, part) => all + part.vat, 0)];
    expect(sum).toBeLessThanOrEqual(gross);
    expect(invoiced - vat).toBe(vatIn(gross - sum, rate));
  }
}

/** Numbers count from 1, and each is there once. */
async function checkNumbers(): Promise<void> {
  const { rows } = await sql<{ kind: string; gaps: number }>`
    select kind, (max(number) - count(*))::int as gaps from invoices group by kind order by kind`.execute(db);
  expect(rows).toEqual([
    { kind: 'credit_note', gaps: 0 },
    { kind: 'invoice', gaps: 0 },
  ]);
}

/** One mail for each thing that happened and is the customer's business. */
async function checkMails({ order, buyer }: Run): Promise<void> {
  const rows = await db.selectFrom('orderEvents').select('kind').where('orderId', '=', order._id).execute();
  const subjects = (await mailsOf(shop.dataDir, buyer.email)).map(({ subject }) => subject ?? '');
  const [happened, told] = [
    (kinds: string[]) => rows.filter(({ kind }) => kinds.includes(kind)).length,
    (words: string) => subjects.filter((subject) => subject.includes(words)).length,
  ];
  expect(told(`order ${order.reference} was cancelled`)).toBe(happened(['cancelled', 'partly cancelled']));
  // A cancellation or return says itself what goes back; its refund has a mail of its own for the credit note, or where it failed at first.
  const refunds = told('Your refund') + told('was refunded');
  expect(refunds).toBeLessThanOrEqual(happened(['refunded', 'more paid back']));
  expect(refunds).toBeGreaterThanOrEqual(
    happened(['refunded', 'more paid back']) - happened(['cancelled', 'partly cancelled', 'return received']),
  );
  expect(told('We could not deliver')).toBe(happened(['delivery failed']));
  expect(told('request for a return')).toBe(happened(['return asked for']));
  expect(told('Send your return')).toBe(happened(['return agreed']));
  expect(told('About your return')).toBe(happened(['return refused']));
  expect(told('return was cancelled')).toBe(happened(['return withdrawn']));
  expect(told('return has arrived')).toBe(happened(['return received']));
  const parcels = await db.selectFrom('parcels').select(['status', 'toldAt']).where('orderId', '=', order._id).execute();
  expect(told('on its way')).toBeLessThanOrEqual(parcels.filter(({ toldAt }) => toldAt !== null).length);
  expect(told('was delivered')).toBe(Math.min(1, happened(['delivered'])));
  expect(happened(['cancelled'])).toBeLessThanOrEqual(1);
}

test('over any sequence of steps by customers, administrators, the provider and banks no piece is lost, no more goes back than was paid, invoices less credit notes are what was kept, their numbers have no gaps, and each event is mailed once (§20.4, §22.3)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.boolean(),
      fc.array(step, { minLength: 3, maxLength: 18 }),
      fc.boolean(),
      fc.boolean(),
      async (isByCard, isDelivered, steps, isAtOnce, isPaidAgain) => {
        const run = await start(isByCard);
        const half = isAtOnce ? Math.floor(steps.length / 2) : steps.length;
        const act = async (one: Step) => {
          await ask(one, run);
          await happen(one, run);
          await happenToSecond(one, run);
        };
        // Half of the runs begin where returns do: nearly every step of them needs a delivery.
        if (isDelivered) await act({ name: 'deliver', which: 0, amount: 1 });
        if (isPaidAgain) await act({ name: 'pay again', which: 0, amount: 5_000 });
        for (const one of steps.slice(0, half)) await act(one);
        await Promise.all(steps.slice(half).map(act));
        await runJobs(services);
        if (run.paymentId) await applyRefunds(services, run.paymentId);
        for (const { paymentId } of run.seconds) await readSecond(paymentId);
        await runJobs(services);
        await checkBooks(run);
        await checkSeconds(run);
        await checkParcels(run);
        await checkReturns(run);
        await checkMails(run);
        await checkInvoices(run);
      },
    ),
    { numRuns: runs(4) },
  );
  await checkNumbers();
});
