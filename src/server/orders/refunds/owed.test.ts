import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Account, owedOf } from '#contract/market/owed.ts';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { cardOrders } from '#server/testing/card-orders.ts';
import { aLine, anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { migrateOwed } from '#server/testing/migrate-again.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { failRefund } from './refund-outcomes.service.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000', VAT_NUMBER: 'GB 123 4567 89', STORE_MARKET: 'uk' } });
const { db, services } = shop;
const admin = await anAdmin(db);
const { post, put, paid, isToPayBack } = cardOrders(shop, admin);

const sofa = await aProduct(db, { name: 'Sofa', price: 60_000, stock: 1_000 });
const lamp = await aProduct(db, { name: 'Lamp', price: 5_000, stock: 1_000 });
const stool = await aProduct(db, { name: 'Stool', price: 9_000, stock: 1_000 });
/** A sofa at £600, a lamp at £50 and a stool at £90: £740 without delivery. */
const allThree = () => paid([aLine(sofa), aLine(lamp), aLine(stool)]);
const onlyStool = () => paid([aLine(stool)]);

type Paid = Awaited<ReturnType<typeof paid>>;
const first = [{ line: 0, qty: 1 }];
const invoiced = ({ invoices }: Order) => invoices.reduce((sum, { kind, gross }) => sum + (kind === 'credit_note' ? -gross : gross), 0);
const settle = (id = '') => post(`/api/office/refunds/${id}/paid`, { paidBackBy: 'transfer' });
const retry = (id = '') => post(`/api/office/refunds/${id}/retry`);

/** What the shop's screens and books say of an order. */
async function seen(order: Paid) {
  await runJobs(services);
  const read = await order.read();
  const { rows } = await sql<{ revenue: number }>`
    select revenue_of(status, total_price, waived_price, refunded_price, lost_price, due_back)::int as revenue from orders where id = ${order.id}`.execute(
    db,
  );
  return { ...read, papers: invoiced(read), revenue: rows[0]?.revenue, isWaiting: await isToPayBack(order.id) };
}

/** Lets the bank return the refund that is on its way. */
async function returned(order: Paid) {
  await runJobs(services);
  await order.failRefund();
}

test('what the database computes as owed is what the shop computes', async () => {
  const pence = () => Math.floor(Math.random() * 3) * Math.floor(Math.random() * 1_000);
  const accounts = Array.from({ length: 300 }, (): Account => {
    const waivedPrice = pence();
    const totalPrice = waivedPrice + pence() + 500;
    return {
      totalPrice,
      waivedPrice,
      refundedPrice: pence(),
      goodwillPrice: pence(),
      disputedPrice: pence(),
      entitledPrice: pence(),
      keptPrice: 0,
    };
  });
  const { rows } = await sql<{ owed: number }>`
    select owed_price((a ->> 'totalPrice')::int, (a ->> 'waivedPrice')::int, (a ->> 'refundedPrice')::int, (a ->> 'goodwillPrice')::int,
      (a ->> 'disputedPrice')::int, (a ->> 'entitledPrice')::int) as owed
    from jsonb_array_elements(${JSON.stringify(accounts)}::jsonb) with ordinality as accounts (a, at) order by at`.execute(db);
  expect(rows.map(({ owed }) => owed)).toEqual(accounts.map((account) => owedOf({ ...account, keptPrice: 0 })));
});

test('a refund that fails while a bank holds a part is paid as far as it is not held, and the rest once the shop has won (§20.6)', async () => {
  for (const isSent of [true, false]) {
    const order = await paid([aLine(sofa), aLine(stool)]);
    await order.cancel({ pieces: first });
    if (isSent) await returned(order);
    await order.told('open', 20_000);
    const held = await seen(order);
    expect([held.isWaiting, held.owedPrice, held.refunds[0]?.openPrice]).toEqual([true, 40_000, 40_000]);
    await (isSent ? order.refund({ amount: 40_000, reason: 'Returned' }) : retry(held.refunds[0]?._id));
    expect(await seen(order)).toMatchObject({ isWaiting: false, isRefundDue: false, refundedPrice: 40_000, owedPrice: 0 });
    await order.told('won', 20_000);
    const won = await seen(order);
    expect([won.isWaiting, won.isRefundDue, won.owedPrice]).toEqual([true, true, 20_000]);
    if (isSent) await settle(won.refunds.find(({ status }) => status === 'failed')?._id);
    else await order.refund({ amount: 20_000 });
    expect(await seen(order)).toMatchObject({ isWaiting: false, refundedPrice: 60_000, papers: order.totalPrice - 60_000 });
  }
});

test('an amount without pieces pays what is owed first: a penny leaves the rest under “To pay back” (§20.5)', async () => {
  const order = await onlyStool();
  await order.deliver();
  await order.takeBack(0, {}, 'Damaged or faulty');
  await returned(order);
  await order.refund({ amount: 500 });
  const part = await seen(order);
  expect([part.isWaiting, part.owedPrice, (await order.read(order.buyer)).isRefundDue]).toEqual([true, order.totalPrice - 500, true]);
  expect((await settle(part.refunds[0]?._id)).statusCode).toBe(200);
  expect(await seen(order)).toMatchObject({ isWaiting: false, refundedPrice: order.totalPrice, papers: 0 });
});

test('a refund that failed and was made again in another way is not paid once more (§20.6)', async () => {
  const order = await paid([aLine(sofa, { qty: 2 })]);
  await order.cancel({ pieces: first });
  await returned(order);
  await order.refund({ amount: 60_000, reason: 'Returned' });
  const again = await seen(order);
  const failed = again.refunds.find(({ status }) => status === 'failed');
  expect([again.isWaiting, failed?.openPrice]).toEqual([false, 0]);
  expect([(await settle(failed?._id)).statusCode, (await retry(failed?._id)).statusCode]).toEqual([409, 409]);
  expect((await order.read(order.buyer)).refunds).toMatchObject([{ status: 'done', amount: 60_000 }]);
  // The whole cancellation leaves to staff what was owed before.
  await order.cancel();
  expect(await seen(order)).toMatchObject({ refundedPrice: order.totalPrice, isWaiting: false, papers: 0 });
});

test('what a bank holds is kept back once, not once for each piece that leaves (§20.7)', async () => {
  const delivered = await allThree();
  await delivered.deliver();
  await delivered.told('open', 5_000);
  await delivered.takeBack(0);
  expect(await delivered.read()).toMatchObject({ refundedPrice: 55_000, heldPrice: 0 });
  await delivered.takeBack(2);
  expect((await seen(delivered)).refundedPrice).toBe(64_000);

  const stools = await paid([aLine(sofa), aLine(stool, { qty: 4 })]);
  await stools.told('open', 9_000);
  for (const _ of [1, 2, 3, 4]) await stools.cancel({ pieces: [{ line: 1, qty: 1 }] });
  expect((await seen(stools)).refundedPrice).toBe(27_000);

  const sofas = await paid([aLine(sofa, { qty: 2 })]);
  await sofas.deliver();
  await sofas.told('open', 47_800);
  await sofas.takeBack(0);
  expect((await seen(sofas)).refundedPrice).toBe(12_200);
  await sofas.takeBack(0);
  expect((await seen(sofas)).refundedPrice).toBe(72_200);

  const two = await allThree();
  await two.deliver();
  for (const status of ['open', 'lost'] as const) await two.told(status, 4_000, 'a');
  await two.told('open', 3_000, 'b');
  for (const line of [1, 2, 0]) await two.takeBack(line);
  expect((await seen(two)).refundedPrice).toBe(67_000);
});

test('what a bank holds is kept back once also from a correction and from a customer who cancels line by line (§20.7)', async () => {
  const corrected = await allThree();
  await corrected.told('open', 5_000);
  await corrected.cancel({ pieces: first });
  const { revision } = await corrected.read();
  const wish = { revision, lines: [{ line: 2, qty: 0 }], added: [] };
  const preview = await post(`/api/office/orders/${corrected.id}/correction`, wish);
  expect(preview.json().difference).toBe(-9_000);
  await post(`/api/office/orders/${corrected.id}/correction`, { ...wish, expected: -9_000 });
  expect((await seen(corrected)).refundedPrice).toBe(64_000);

  const own = await paid([aLine(sofa), aLine(lamp, { qty: 2 }), aLine(stool)]);
  await own.told('open', 9_000);
  for (const line of [1, 2]) await post(`/api/orders/${own.id}/cancel`, { lines: [line], reason: 'Another reason' }, own.buyer);
  expect((await seen(own)).refundedPrice).toBe(10_000);
});

test('goodwill that failed after a loss is owed by itself, not counted for the loss, and given once (§20.6)', async () => {
  for (const isRefused of [true, false]) {
    const order = await allThree();
    await order.deliver();
    await order.told('lost', 60_000);
    await order.refund({ amount: 5_000 });
    if (isRefused) {
      const row = await db.selectFrom('orderRefunds').selectAll().where('orderId', '=', order.id).executeTakeFirstOrThrow();
      await failRefund(services, row.id, row.attempt, 'The charge is disputed');
    } else await returned(order);
    const failed = await seen(order);
    expect([failed.isWaiting, failed.refunds[0]?.openPrice, failed.owedPrice, failed.heldPrice]).toEqual([true, 5_000, 0, 60_000]);
    if (isRefused) expect(failed.papers).toBe(failed.revenue);
    await order.refund({ amount: 5_000 });
    const again = await seen(order);
    expect([again.isWaiting, again.refunds[0]?.openPrice]).toEqual([false, 0]);
    await order.takeBack(0);
    expect(await seen(order)).toMatchObject({ refundedPrice: 5_000, papers: order.totalPrice - 65_000, isWaiting: false });
  }
});

test('of failed goodwill, what a bank leaves room for is paid, and the rest once the shop has won (§20.6)', async () => {
  const order = await onlyStool();
  await order.deliver();
  await order.refund({ amount: 5_000 });
  await returned(order);
  await order.told('open', order.totalPrice - 2_000);
  const held = await seen(order);
  expect([held.isWaiting, held.refunds[0]?.openPrice]).toEqual([true, 2_000]);
  await retry(held.refunds[0]?._id);
  expect(await seen(order)).toMatchObject({ refundedPrice: 2_000, isWaiting: false, refunds: [{}, { amount: 3_000, openPrice: 0 }] });
  await order.told('won', order.totalPrice - 2_000);
  const won = await seen(order);
  expect([won.isWaiting, won.refunds[1]?.openPrice]).toEqual([true, 3_000]);
  await settle(won.refunds[1]?._id);
  expect(await seen(order)).toMatchObject({ refundedPrice: 5_000, isWaiting: false, papers: order.totalPrice - 5_000 });
});

test('a failed refund of which more or less can be paid than its page says is not paid from that page (§20.6)', async () => {
  const order = await allThree();
  await order.cancel({ pieces: first });
  await returned(order);
  await order.told('open', 30_000);
  const [refund] = (await seen(order)).refunds;
  expect(refund?.openPrice).toBe(30_000);
  await order.told('won', 30_000);
  for (const way of ['paid', 'retry']) {
    const stale = await post(`/api/office/refunds/${refund?._id}/${way}`, { paidBackBy: 'transfer', openPrice: 30_000 });
    expect([stale.statusCode, stale.json().message]).toEqual([409, expect.stringContaining('£600.00 of this refund can be paid back now')]);
  }
  expect(await seen(order)).toMatchObject({ refundedPrice: 0, owedPrice: 60_000 });
  const fresh = await post(`/api/office/refunds/${refund?._id}/paid`, { paidBackBy: 'transfer', openPrice: 60_000 });
  expect([fresh.statusCode, (await seen(order)).refundedPrice]).toEqual([200, 60_000]);
});

test('what a bank has paid back of a failed refund stays in the history, with its row (§20.7)', async () => {
  for (const isFirst of [true, false]) {
    const order = await allThree();
    await order.cancel({ pieces: [{ line: 1, qty: 1 }] });
    await runJobs(services);
    if (isFirst) await order.failRefund();
    for (const status of ['open', 'lost'] as const) await order.told(status, 60_000);
    if (!isFirst) await order.failRefund();
    const lost = await seen(order);
    expect(lost).toMatchObject({ isWaiting: false, refunds: [{ status: 'failed', amount: 5_000, openPrice: 0 }], heldPrice: 55_000 });
    expect(lost.events.at(-1)?.detail).toContain(isFirst ? 'the bank has paid back £50.00' : 'The bank has given back £50.00');
    expect([lost.papers, lost.revenue, (await order.read(order.buyer)).refunds]).toEqual([
      order.totalPrice - 5_000,
      order.totalPrice - 5_000,
      [],
    ]);
  }
});

test('of an order that came back as a whole during a dispute, all that is owed is proposed, with the delivery (§20.9)', async () => {
  for (const held of [5_000, 13_900]) {
    const order = await onlyStool();
    expect(order.totalPrice).toBe(13_900);
    await order.deliver();
    await order.told('open', held);
    await order.takeBack(0, {}, 'Damaged or faulty');
    expect((await seen(order)).refundedPrice).toBe(13_900 - held);
    await order.told('won', held);
    expect(await seen(order)).toMatchObject({ owedPrice: held, isWaiting: true });
    await order.refund({ lines: first, reason: 'Returned' });
    expect(await seen(order)).toMatchObject({ refundedPrice: 13_900, isWaiting: false, papers: 0 });
  }
});

test('of pieces of which one left during a dispute only the one that stays is refunded (§20.7)', async () => {
  const order = await allThree();
  await order.told('open', 60_000);
  await order.cancel({ pieces: first });
  const refused = await order.refund({ lines: first });
  expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringMatching(/^The bank holds £600\.00/)]);
  expect((await order.refund({ lines: [...first, { line: 1, qty: 1 }] })).statusCode).toBe(200);
  await order.told('lost', 60_000);
  expect(await seen(order)).toMatchObject({ refundedPrice: 5_000, papers: order.totalPrice - 65_000 });
});

test('what staff give with a return of a piece that the bank has paid back is goodwill, also when it fails (§20.7)', async () => {
  for (const isFailing of [false, true]) {
    const order = await allThree();
    await order.deliver();
    await order.told('open', 60_000);
    await order.told('lost', 60_000);
    await order.takeBack(0, { amount: 5_000, answer: 'We are sorry' });
    await runJobs(services);
    if (isFailing) {
      await order.failRefund();
      expect(await seen(order)).toMatchObject({ isWaiting: true });
    }
    await order.takeBack(1);
    expect(await seen(order)).toMatchObject({ refundedPrice: isFailing ? 5_000 : 10_000, isWaiting: isFailing });
  }
});

test('staff cannot keep a part of what a credit note has given back already (§20.5)', async () => {
  const order = await allThree();
  await order.cancel({ pieces: first });
  await runJobs(services);
  await order.failRefund();
  // £50 was waived before the invoice, which leaves it out.
  const { subTotalPrice, totalPrice } = await order.read();
  await forceOrder(db, order.id, { subTotalPrice: subTotalPrice + 5_000, totalPrice: totalPrice + 5_000, waivedPrice: 5_000 });
  const less = await order.refund({ lines: first, amount: 56_000, reason: 'Returned' });
  expect([less.statusCode, less.json().message]).toEqual([
    409,
    'The credit note for these pieces is issued already, so all of their price goes back.',
  ]);
  expect((await order.refund({ lines: first, reason: 'Returned' })).statusCode).toBe(200);
  expect(await seen(order)).toMatchObject({ refundedPrice: 60_000, isWaiting: false, papers: order.totalPrice - 60_000 });
});

test('less than their price for pieces that left is all that the customer gets, also once the dispute of the rest is won (§20.5)', async () => {
  const order = await allThree();
  await order.deliver();
  await order.told('open', 60_000);
  await order.takeBack(0);
  // The bank disputes less by now.
  await order.told('open', 20_000);
  expect((await seen(order)).owedPrice).toBe(40_000);
  expect((await order.refund({ lines: first, amount: 10_000, reason: 'Returned' })).statusCode).toBe(200);
  await order.told('won', 20_000);
  expect(await seen(order)).toMatchObject({ owedPrice: 0, isWaiting: false, keptPrice: 50_000 });
});

test('the mail of a return speaks of the bank only if that has the price of the pieces (§20.7)', async () => {
  for (const [disputed, line, more, isFromBank] of [
    [1_000, 1, { amount: 0, answer: 'It is broken' }, false],
    [74_000, 0, {}, true],
    [0, 2, {}, false],
  ] as const) {
    const order = await allThree();
    await order.deliver();
    if (disputed > 0) await order.told('open', disputed);
    // Without a dispute, the piece has been refunded before it comes back.
    else await order.refund({ amount: order.totalPrice });
    await order.takeBack(line, more);
    await runJobs(services);
    const [mail] = (await mailsOf(shop.dataDir, order.buyer.email)).filter(({ subject }) => subject?.includes('arrived'));
    expect([disputed, mail?.text?.includes('any money back comes from your bank')]).toEqual([disputed, isFromBank]);
  }
});

test('two people with the same page refund what is owed once, and a page from before a dispute is told so (§20.5)', async () => {
  const order = await paid([aLine(sofa, { qty: 2 })]);
  await order.cancel({ pieces: first });
  await runJobs(services);
  await order.failRefund();
  const { owedPrice, refundable, revision } = await order.read();
  const press = (page: object, key: string) =>
    post(`/api/office/orders/${order.id}/refunds`, { amount: owedPrice, reason: 'Returned', ...page }, admin, key);
  const pages = ['one', 'two'].map((key) => press({ refundable, revision }, key));
  const replies = await Promise.all(pages);
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(replies.find(({ statusCode }) => statusCode === 409)?.json().message).toMatch(
    /^What can be refunded of order \S+ has changed since you opened it\. Reload the page, then try again\.$/,
  );
  const after = await order.read();
  await order.told('open', 10_000);
  const late = await press({ refundable: after.refundable, revision: after.revision }, 'three');
  expect([late.statusCode, (await order.read()).refundedPrice]).toEqual([409, owedPrice]);
});

test('a refund that brings nothing, since the bank has the money, is the same answer when it is repeated (§20.5)', async () => {
  const order = await allThree();
  await post(`/api/office/orders/${order.id}/parcels`);
  await put(`/api/orders/${order.id}/stage`, { stage: 'delivery_failed' });
  await order.told('open', 60_000);
  const wish = { lines: first, isRestocked: true, reason: 'Returned' };
  for (const _ of [1, 2]) expect((await post(`/api/office/orders/${order.id}/refunds`, wish, admin, 'once')).statusCode).toBe(200);
  expect(await seen(order)).toMatchObject({ refundedPrice: 0, refunds: [], heldPrice: 0 });
});

test('a refund that an earlier version made while this one was already there is owed once it fails', async () => {
  const order = await allThree();
  await order.cancel({ pieces: [{ line: 1, qty: 1 }] });
  await runJobs(services);
  await forceOrder(db, order.id, { entitledPrice: 0 });
  await order.cancel({ pieces: [{ line: 2, qty: 1 }] });
  expect((await seen(order)).refundedPrice).toBe(14_000);
  await forceOrder(db, order.id, { entitledPrice: 0 });
  await order.failRefund();
  const { isWaiting, owedPrice, refunds } = await seen(order);
  expect([isWaiting, owedPrice]).toEqual([true, refunds.find(({ status }) => status === 'failed')?.amount]);
});

/** Stores an order as the version before migration 0961 had it, and migrates it. */
async function migrated(order: Paid, row: { amount?: number; settled?: number; part?: number }) {
  await forceOrder(db, order.id, { lostPrice: 0, entitledPrice: 0, keptPrice: 0 });
  await db.updateTable('orderRefunds').set({ goodwill: 0 }).where('orderId', '=', order.id).execute();
  if (row.amount !== undefined) await db.updateTable('orderRefunds').set({ amount: row.amount }).where('orderId', '=', order.id).execute();
  const { settled: refundedQty, part: partialRefund = 0 } = row;
  if (refundedQty !== undefined)
    await db
      .updateTable('orderItems')
      .set({ refundedQty, partialRefund })
      .where('orderId', '=', order.id)
      .where('position', '=', 0)
      .execute();
  await migrateOwed(db);
  return seen(order);
}

test('of a refund that had failed before the upgrade the rest is owed that no bank has given back', async () => {
  const order = await allThree();
  await order.cancel({ pieces: first });
  for (const status of ['open', 'lost'] as const) await order.told(status, 20_000);
  expect(await migrated(order, {})).toMatchObject({ owedPrice: 40_000, isWaiting: true, heldPrice: 0, refunds: [{ openPrice: 40_000 }] });
  // The version before this one has lowered the refund.
  await db.updateTable('orderRefunds').set({ amount: 40_000 }).where('orderId', '=', order.id).execute();
  expect(await migrated(order, {})).toMatchObject({ owedPrice: 40_000, heldPrice: 0 });

  const whole = await onlyStool();
  await whole.deliver();
  await whole.takeBack(0, {}, 'Damaged or faulty');
  await returned(whole);
  for (const status of ['open', 'lost'] as const) await whole.told(status, 5_000);
  expect(await migrated(whole, {})).toMatchObject({ owedPrice: 8_900, isWaiting: true });
});

test('a refund that was on its way at the upgrade is not counted as lost, and is credited once', async () => {
  const order = await allThree();
  await order.cancel({ pieces: [{ line: 1, qty: 1 }] });
  await order.deliver();
  for (const status of ['open', 'lost'] as const) await order.told(status, 60_000);
  await db.updateTable('orderRefunds').set({ status: 'pending', doneAt: null }).where('orderId', '=', order.id).execute();
  await forceOrder(db, order.id, { lostPrice: 0, entitledPrice: 0 });
  await migrateOwed(db);
  expect(await order.read()).toMatchObject({ heldPrice: 60_000, owedPrice: 0 });
  await runJobs(services);
  await order.takeBack(0);
  expect(await seen(order)).toMatchObject({ refundedPrice: 5_000, papers: order.totalPrice - 65_000 });
});

test('of a piece that left during two disputes, of which one was lost and one won before the upgrade, the rest alone is owed', async () => {
  const order = await allThree();
  for (const name of ['a', 'b']) await order.told('open', 30_000, name);
  await order.cancel({ pieces: first });
  await order.refund({ amount: 14_000 });
  await runJobs(services);
  await order.told('lost', 30_000, 'a');
  await order.told('won', 30_000, 'b');
  expect(await migrated(order, { settled: 0, part: 14_000 })).toMatchObject({ owedPrice: 16_000 });
  await order.refund({ lines: first, reason: 'Returned' });
  expect(await seen(order)).toMatchObject({ refundedPrice: 30_000, papers: order.totalPrice - 60_000, isWaiting: false });
});
