import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Order, OrderList } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { runJobs } from '#server/app/jobs.ts';
import { readDays } from '#server/books/books.service.ts';
import { checkBooks } from '#server/books/compare.service.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { sumOverpaid } from '#server/orders/rules/asked.ts';
import { applyDisputes, applyRefunds, reconcileOutcomes } from '#server/payments/refunds.jobs.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { cardOrders } from '#server/testing/card-orders.ts';
import { cardDesk } from '#server/testing/card-payments.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aLine, anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { noticesOfOrders } from '#server/testing/staff-notices.ts';
import { lockWaits } from '#server/testing/while-waiting.ts';

const shop = await testShop({ env: { RATE_LIMIT_FACTOR: '1000', VAT_NUMBER: 'GB 123 4567 89', STORE_MARKET: 'uk' } });
const { db, services, sandbox } = shop;
const { payAgain, stripe } = cardDesk(shop);
const admin = await anAdmin(db);
const { post, paid, isToPayBack } = cardOrders(shop, admin);
const sofa = await aProduct(db, { name: 'Sofa', price: 60_000, stock: 1_000 });
const PRICE = 15_000;
const noticesOf = await noticesOfOrders(shop, admin);

/** A paid card order of a sofa that was paid for a second time, with £150, and that payment's steps at the provider. */
async function paidTwice() {
  const order = await paid([aLine(sofa)]);
  const { sessionId, paymentId } = await payAgain(order.id, PRICE, order.buyer.email);
  const atDashboard = (form: Record<string, string>) =>
    fetch(`${sandbox.url}/payments/${sessionId}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const refunds = async () => (await stripe.refunds.list({ payment_intent: paymentId })).data;
  /** The bank returns the latest refund. */
  const failRefund = async () => {
    await atDashboard({ action: 'fail', refund: (await refunds()).findLast(({ status }) => status !== 'failed')?.id ?? '' });
    await applyRefunds(services, paymentId);
  };
  const decide = async (action: 'dispute' | 'won' | 'lost') => {
    await atDashboard({ action });
    await applyDisputes(services, paymentId);
  };
  const atProvider = async () => (await refunds()).map(({ amount, status }) => [amount, status]);
  return { ...order, atDashboard, failSecond: failRefund, decide, atProvider, second: paymentId };
}

type Second = Awaited<ReturnType<typeof paidTwice>>;
const kinds = ({ events }: Order) => events.map(({ kind }) => kind);
const owedOf = ({ overpayments }: Order) => overpayments.filter(({ status }) => status === 'owed');
const notices = ({ id }: Second) => noticesOf(id);
const mailsTo = async ({ buyer }: Second) => (await mailsOf(shop.dataDir, buyer.email)).map(({ subject }) => subject);
/** Whether an order is in the tab of disputes. */
async function isDisputed({ id }: Second): Promise<boolean> {
  const { orders } = (await shop.app.inject({ url: '/api/orders?queue=disputes', headers: admin.headers })).json<OrderList>();
  return orders.some(({ _id }) => _id === id);
}
/** What the books say of orders. */
async function faults({ id }: Second): Promise<string[]> {
  await checkBooks(services, -60_000);
  const rows = await db.selectFrom('bookFaults').select('text').where('path', 'like', `%${id}%`).execute();
  return rows.map(({ text }) => text);
}
/** The order itself is as if it had been paid once. */
const untouched = async (order: Second) => {
  expect(await order.read()).toMatchObject({ refundedPrice: 0, owedPrice: 0, heldPrice: 0, refundable: order.totalPrice, refunds: [] });
  expect(await listBrokenRuleTexts(db)).toEqual([]);
};

test('the books have a payment that was not kept among what was paid by card on its day, as the provider has (§23.8)', async () => {
  const today = shopDay(new Date().toISOString());
  const sums = async () => {
    await checkBooks(services, -60_000);
    const [day] = await readDays(db, { from: today, to: today });
    return [day?.card.due ?? 0, day?.card.taken ?? 0];
  };
  const before = await sums();
  const order = await paidTwice();
  const all = order.totalPrice + PRICE;
  expect(await sums()).toEqual(before.map((sum) => sum + all));
});

test('a payment that was not kept and whose refund the bank returns is to be paid back, tried again or by hand (§20.6)', async () => {
  const order = await paidTwice();
  await runJobs(services);
  await applyRefunds(services, order.second);
  expect(await order.atProvider()).toEqual([[PRICE, 'succeeded']]);
  expect([owedOf(await order.read()), await isToPayBack(order.id), await faults(order)]).toEqual([[], false, []]);
  await order.failSecond();
  const [owed] = owedOf(await order.read());
  expect(owed).toMatchObject({ amount: PRICE, receivedBy: 'card' });
  expect([await isToPayBack(order.id), await faults(order)]).toEqual([true, []]);
  expect(await order.read(order.buyer)).toMatchObject({ isRefundDue: true, overpayments: [{ amount: PRICE, status: 'owed' }] });
  expect((await order.read()).events.at(-1)).toMatchObject({ kind: 'refund failed' });
  expect(await notices(order)).toContain(`The refund of £150.00 for order ${(await order.read()).reference} has failed`);
  expect((await post(`/api/office/overpayments/${owed?._id}/undo`)).statusCode).toBe(409);
  const again = await post(`/api/office/overpayments/${owed?._id}/retry`);
  expect([again.statusCode, owedOf(again.json<Order>())]).toEqual([200, []]);
  await runJobs(services);
  expect(await order.atProvider()).toEqual([
    [PRICE, 'failed'],
    [PRICE, 'succeeded'],
  ]);
  expect([await isToPayBack(order.id), (await order.read(order.buyer)).isRefundDue, await faults(order)]).toEqual([false, false, []]);
  expect((await mailsTo(order)).filter((subject) => subject?.startsWith('Your refund'))).toHaveLength(1);
  // The bank returns that one, too.
  await order.failSecond();
  const [last] = owedOf(await order.read());
  expect(last?._id).not.toBe(owed?._id);
  expect((await post(`/api/office/overpayments/${owed?._id}/paid`, { paidBackBy: 'transfer' })).statusCode).toBe(404);
  expect((await post(`/api/office/overpayments/${last?._id}/paid`, { paidBackBy: 'transfer' })).statusCode).toBe(200);
  expect((await post(`/api/office/overpayments/${last?._id}/retry`)).statusCode).toBe(409);
  await reconcileOutcomes(services);
  expect([owedOf(await order.read()), await isToPayBack(order.id), await faults(order)]).toEqual([[], false, []]);
  await untouched(order);
});

test('a dispute of a payment that was not kept is in the history of its order, and holds back nothing of that (§20.7)', async () => {
  const order = await paidTwice();
  await runJobs(services);
  await applyRefunds(services, order.second);
  await order.decide('dispute');
  const { reference } = await order.read();
  expect((await order.read()).events.at(-1)).toMatchObject({
    kind: 'payment disputed',
    detail:
      '£150.00, product not received. Of a payment that was not kept. £150.00 of it was refunded before. Answer it in the payment provider’s dashboard',
  });
  expect(await notices(order)).toContain(`A payment of £150.00 for order ${reference} is disputed`);
  expect(await isDisputed(order)).toBe(true);
  expect((await post(`/api/office/orders/${order.id}/cancel`, { reason: 'Another reason' })).json<Order>()).toMatchObject({
    status: 'cancelled',
    refundedPrice: order.totalPrice,
  });
  await order.decide('lost');
  await applyDisputes(services, order.second);
  expect(await isDisputed(order)).toBe(false);
  const history = kinds(await order.read());
  expect(history.filter((kind) => kind === 'dispute lost')).toHaveLength(1);
  expect((await order.read()).events.at(-1)?.detail).toContain('£150.00 of it was refunded before, so the customer has it twice');
  expect(await notices(order)).toContain(`The dispute about order ${reference} is lost, and the payment was refunded before`);
  await runJobs(services);
  expect(await faults(order)).toEqual([
    `Order ${reference}: of £150.00 that was paid and not kept, £150.00 has gone back twice, since the customer disputed it at their bank as well`,
  ]);
  expect([owedOf(await order.read()), (await order.read(order.buyer)).isRefundDue]).toEqual([[], false]);
});

test('what a bank holds of a payment that was not kept is not owed until the shop gets it after all', async () => {
  const order = await paidTwice();
  // Before the job has refunded it.
  await order.decide('dispute');
  await runJobs(services);
  expect(await order.atProvider()).toEqual([]);
  expect([kinds(await order.read()).at(-1), owedOf(await order.read())]).toEqual(['refund by hand needed', []]);
  await order.decide('won');
  const [owed] = owedOf(await order.read());
  expect([owed?.amount, await isToPayBack(order.id)]).toEqual([PRICE, true]);
  expect((await order.read()).events.at(-1)?.detail).toContain('£150.00 is to be paid back');
  // Refunded in the provider's dashboard, it is no longer owed.
  await order.atDashboard({ action: 'refund', amount: '100.00' });
  await applyRefunds(services, order.second);
  expect(owedOf(await order.read()).map(({ amount }) => amount)).toEqual([5_000]);
  await order.atDashboard({ action: 'refund', amount: '50.00' });
  await reconcileOutcomes(services);
  await runJobs(services);
  expect([owedOf(await order.read()), await faults(order)]).toEqual([[], []]);
  expect((await mailsTo(order)).filter((subject) => subject?.startsWith('Your refund'))).toHaveLength(2);
  await untouched(order);
});

test('a returned refund whose payment is then disputed is the bank’s, and owed again only if the shop wins', async () => {
  const [won, lost] = [await paidTwice(), await paidTwice()];
  await runJobs(services);
  for (const order of [won, lost]) {
    await order.failSecond();
    expect(owedOf(await order.read())).toHaveLength(1);
    await order.decide('dispute');
    expect(owedOf(await order.read())).toEqual([]);
    await order.decide(order === won ? 'won' : 'lost');
  }
  expect([owedOf(await won.read()).length, owedOf(await lost.read()).length]).toEqual([1, 0]);
  expect([await faults(won), await faults(lost)]).toEqual([[], []]);
});

test('while the provider has not answered a try, nobody pays it back by hand; with the same press it is made once', async () => {
  const order = await paidTwice();
  await runJobs(services);
  await order.failSecond();
  const [owed] = owedOf(await order.read());
  const retry = () => post(`/api/office/overpayments/${owed?._id}/retry`);
  const byHand = () => post(`/api/office/overpayments/${owed?._id}/paid`, { paidBackBy: 'cash' });
  let meanwhile = 0;
  const { refundPart } = services.payments;
  // The answer is lost after the provider has made the refund.
  services.payments.refundPart = async (part) => {
    meanwhile = (await byHand()).statusCode;
    await refundPart.call(services.payments, part);
    throw new Problem(503, 'No answer');
  };
  expect([(await retry()).statusCode, meanwhile]).toEqual([503, 409]);
  services.payments.refundPart = refundPart;
  // It is there no longer once the notice has come.
  expect([404, 409]).toContain((await byHand()).statusCode);
  expect([200, 404]).toContain((await retry()).statusCode);
  expect((await order.atProvider()).filter(([, status]) => status === 'succeeded')).toEqual([[PRICE, 'succeeded']]);
  expect([owedOf(await order.read()), await faults(order)]).toEqual([[], []]);
});

test('what is paid by hand while a notice of the provider changes it is refused', async () => {
  const order = await paidTwice();
  await runJobs(services);
  await order.failSecond();
  const [owed] = owedOf(await order.read());
  const { readEvent, listRefunds } = services.payments;
  services.payments.readEvent = () => undefined;
  await order.atDashboard({ action: 'refund', amount: '50.00' });
  // The press finds the row, then waits for the notice.
  services.payments.listRefunds = async () => [];
  const presses: Promise<number>[] = [];
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('orders').select('id').where('id', '=', order.id).forUpdate().execute();
    await tx
      .deleteFrom('overpayments')
      .where('id', '=', owed?._id ?? '')
      .execute();
    presses.push(post(`/api/office/overpayments/${owed?._id}/paid`, { paidBackBy: 'transfer' }).then(({ statusCode }) => statusCode));
    await eventually(async () => expect(await lockWaits(db)).toBe(1));
  });
  Object.assign(services.payments, { readEvent, listRefunds });
  expect(await Promise.all(presses)).toEqual([404]);
  expect(kinds(await order.read())).not.toContain('more paid back');
  await applyRefunds(services, order.second);
  expect(owedOf(await order.read()).map(({ amount }) => amount)).toEqual([10_000]);
});

test('what a dispute has taken that the shop has not heard of is not paid back by hand, unless the provider does not answer', async () => {
  for (const isDown of [false, true]) {
    const order = await paidTwice();
    await runJobs(services);
    await order.failSecond();
    const [owed] = owedOf(await order.read());
    const { readEvent, listRefunds } = services.payments;
    services.payments.readEvent = () => undefined;
    if (isDown)
      services.payments.listRefunds = async () => {
        throw new Problem(503, 'No answer');
      };
    await order.atDashboard({ action: 'dispute' });
    const { statusCode } = await post(`/api/office/overpayments/${owed?._id}/paid`, { paidBackBy: 'transfer' });
    Object.assign(services.payments, { readEvent, listRefunds });
    expect(statusCode).toBe(isDown ? 200 : 404);
  }
});

test('a try that the provider refuses leaves it to be paid back by hand', async () => {
  const order = await paidTwice();
  await runJobs(services);
  await order.failSecond();
  const [owed] = owedOf(await order.read());
  const { refundPart } = services.payments;
  services.payments.refundPart = async () => ({ refusal: 'The account is closed.' });
  const refused = await post(`/api/office/overpayments/${owed?._id}/retry`);
  services.payments.refundPart = refundPart;
  expect([refused.statusCode, refused.json().message]).toEqual([409, 'The payment provider says: The account is closed.']);
  expect((await post(`/api/office/overpayments/${owed?._id}/paid`, { paidBackBy: 'cash' })).statusCode).toBe(200);
  expect([await isToPayBack(order.id), await faults(order)]).toEqual([false, []]);
});

test('what the provider refuses for good, or a job has given up, is under “To pay back” with a notice, and is tried again or paid by hand (§20.6)', async () => {
  const { refund } = services.payments;
  for (const refusal of ['This payment method takes no refunds.', '']) {
    for (const way of ['retry', 'paid']) {
      const order = await paidTwice();
      services.payments.refund = async () => {
        if (!refusal) throw new Problem(503, 'No answer');
        return { refusal };
      };
      for (let tries = refusal ? 1 : 25; tries > 0; tries -= 1) {
        await makeJobsDue(db);
        await runJobs(services);
        expect(owedOf(await order.read())).toHaveLength(refusal || tries === 1 ? 1 : 0);
      }
      services.payments.refund = refund;
      expect([await isToPayBack(order.id), (await order.read(order.buyer)).isRefundDue, await faults(order)]).toEqual([true, true, []]);
      expect((await order.read()).events.at(-1)).toMatchObject({
        kind: 'refund by hand needed',
        detail: refusal || 'The shop has asked the payment provider for days, and does not ask again by itself',
      });
      expect(await notices(order)).toContain(`The refund of £150.00 for order ${(await order.read()).reference} has failed`);
      const [owed] = owedOf(await order.read());
      expect((await post(`/api/office/overpayments/${owed?._id}/${way}`, { paidBackBy: 'transfer' })).statusCode).toBe(200);
      // Somebody has its job done once more as well.
      await sql`update jobs set attempts = 0, run_at = now() where key = ${`refund-${order.second}`}`.execute(db);
      await enqueue(db, orderJobs.refundPayment, { orderId: order.id, paymentId: order.second, amount: PRICE, reason: 'twice' });
      await runJobs(services);
      await applyRefunds(services, order.second);
      expect(await order.atProvider()).toEqual(way === 'retry' ? [[PRICE, 'succeeded']] : []);
      expect([owedOf(await order.read()), await isToPayBack(order.id), await faults(order)]).toEqual([[], false, []]);
      await untouched(order);
    }
  }
});

test('a second payment is not owed if the provider refuses its refund because of a dispute that the shop had not heard of', async () => {
  const order = await paidTwice();
  const { readEvent } = services.payments;
  services.payments.readEvent = () => undefined;
  await order.atDashboard({ action: 'dispute' });
  await runJobs(services);
  services.payments.readEvent = readEvent;
  expect([owedOf(await order.read()), await order.atProvider()]).toEqual([[], []]);
  expect(await notices(order)).not.toContain(`The refund of £150.00 for order ${(await order.read()).reference} has failed`);
});

/** The provider makes a refund, but its answers are lost until the job gives up. */
async function giveUp(afterEachTry = async () => {}): Promise<void> {
  const { refund } = services.payments;
  services.payments.refund = async (...asked) => {
    await refund.apply(services.payments, asked);
    throw new Problem(503, 'No answer');
  };
  for (let tries = 0; tries < 25; tries += 1) {
    await makeJobsDue(db);
    await runJobs(services);
    await afterEachTry();
  }
  services.payments.refund = refund;
}

test.each([
  ['once the provider answers', false],
  ['by “Try again”', true],
])('a refund that the provider has made before its job gave up is found %s', async (_, isTriedAgain) => {
  const order = await paidTwice();
  const { readEvent, listRefunds } = services.payments;
  services.payments.readEvent = () => undefined;
  services.payments.listRefunds = async () => {
    throw new Problem(503, 'No answer');
  };
  await giveUp();
  Object.assign(services.payments, { readEvent, listRefunds });
  const [owed] = owedOf(await order.read());
  expect(owed).toMatchObject({ amount: PRICE });
  if (isTriedAgain) expect((await post(`/api/office/overpayments/${owed?._id}/retry`)).statusCode).toBe(200);
  await makeJobsDue(db);
  await runJobs(services);
  expect([owedOf(await order.read()), await faults(order)]).toEqual([[], []]);
  expect(await order.atProvider()).toEqual([[PRICE, 'succeeded']]);
});

test('a refund that the shop heard of before its job gave up is in the history and in a mail, and asks for nothing by hand', async () => {
  const order = await paidTwice();
  await giveUp(() => applyRefunds(services, order.second));
  await runJobs(services);
  const { events, reference } = await order.read();
  expect(events.at(-1)).toMatchObject({ kind: 'refunded', detail: '£150.00. Of a payment that was not kept' });
  expect(events.map(({ kind }) => kind)).not.toContain('refund by hand needed');
  expect((await mailsTo(order)).filter((subject) => subject === `Your refund for order ${reference}`)).toHaveLength(1);
  expect([owedOf(await order.read()), await faults(order)]).toEqual([[], []]);
});

test('each try of a refused refund is another request, and nobody pays by hand during one, also if its row is replaced', async () => {
  const order = await paidTwice();
  await runJobs(services);
  await order.failSecond();
  const { refundPart } = services.payments;
  const attempts: string[] = [];
  services.payments.refundPart = async ({ refundId, attempt }) => {
    attempts.push(`${refundId} ${attempt}`);
    return { refusal: 'Not enough money in the account.' };
  };
  const retry = async () => post(`/api/office/overpayments/${owedOf(await order.read())[0]?._id}/retry`);
  expect([(await retry()).statusCode, (await retry()).statusCode, new Set(attempts).size]).toEqual([409, 409, 2]);
  let meanwhile = 0;
  services.payments.refundPart = async (part) => {
    await order.atDashboard({ action: 'refund', amount: '50.00' });
    await applyRefunds(services, order.second);
    const [owed] = owedOf(await order.read());
    meanwhile = (await post(`/api/office/overpayments/${owed?._id}/paid`, { paidBackBy: 'cash' })).statusCode;
    return refundPart.call(services.payments, part);
  };
  expect([(await retry()).statusCode, meanwhile]).toEqual([409, 409]);
  services.payments.refundPart = refundPart;
  const [owed] = owedOf(await order.read());
  expect([owed?.amount, (await retry()).statusCode, owedOf(await order.read())]).toEqual([10_000, 200, []]);
  expect((await order.atProvider()).map(([amount]) => amount)).toEqual([PRICE, 5_000, 10_000]);
  expect(await faults(order)).toEqual([]);
});

test('while the provider still works on a refund, the customer reads that it is pending', async () => {
  const order = await paidTwice();
  await runJobs(services);
  await order.failSecond();
  const { refundPart, listRefunds } = services.payments;
  services.payments.refundPart = async (part) => {
    const made = await refundPart.call(services.payments, part);
    return 'refusal' in made ? made : { ...made, status: 'pending' as const };
  };
  // The notices are late.
  const { readEvent } = services.payments;
  services.payments.readEvent = () => undefined;
  expect((await post(`/api/office/overpayments/${owedOf(await order.read())[0]?._id}/retry`)).statusCode).toBe(200);
  Object.assign(services.payments, { refundPart, listRefunds, readEvent });
  expect(await order.read(order.buyer)).toMatchObject({ isRefundDue: true });
  await applyRefunds(services, order.second);
  expect(await order.read(order.buyer)).toMatchObject({ isRefundDue: false });
});

test('the check of the books says by whom too much went back', async () => {
  const order = await paidTwice();
  await runJobs(services);
  await order.failSecond();
  await post(`/api/office/overpayments/${owedOf(await order.read())[0]?._id}/paid`, { paidBackBy: 'cash' });
  await order.atDashboard({ action: 'refund', amount: '150.00' });
  await applyRefunds(services, order.second);
  const { reference } = await order.read();
  expect(await faults(order)).toEqual([
    `Order ${reference}: of £150.00 that was paid and not kept, £150.00 has gone back twice, by hand and at the provider`,
  ]);
});

test('a refund job that runs again after the bank has returned its refund makes no other', async () => {
  const order = await paidTwice();
  await runJobs(services);
  await order.failSecond();
  await enqueue(db, orderJobs.refundPayment, { orderId: order.id, paymentId: order.second, reason: 'twice' });
  await runJobs(services);
  expect(await order.atProvider()).toEqual([[PRICE, 'failed']]);
});

test('what is owed of a payment that was not kept pays nothing of its order, and several such payments are apart', async () => {
  const order = await paidTwice();
  const other = await payAgain(order.id, 7_000, order.buyer.email);
  await runJobs(services);
  await order.failSecond();
  await applyRefunds(services, other.paymentId);
  expect(owedOf(await order.read()).map(({ amount }) => amount)).toEqual([PRICE]);
  expect(await db.transaction().execute((tx) => sumOverpaid(tx, order.id))).toBe(0);
  const { count } = await db
    .selectFrom('secondPayments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('orderId', '=', order.id)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(2);
});
