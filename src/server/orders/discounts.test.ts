import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { quarterOf } from '#contract/invoices/quarters.ts';
import type { Order, Sales } from '#contract/orders/orders.ts';
import type { CartDiscount } from '#contract/promotions/promotions.ts';
import { runJobs } from '#server/app/jobs.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { expireHold } from '#server/payments/payments.jobs.ts';
import { lockForOrder } from '#server/promotions/uses.service.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop({ pool: 20, env: { VAT_NUMBER: 'GB123456789' } });
const { app, db, services, sandbox } = shop;
const { checkout, notify, orderOf, stripe } = cardDesk(shop);
const admin = await anAdmin(db);

type Line = ReturnType<typeof aLine>;
const post = (url: string, payload: object, who: SignedIn = admin) => app.inject({ method: 'POST', url, headers: who.headers, payload });
const put = (url: string, payload: object) => app.inject({ method: 'PUT', url, headers: admin.headers, payload });
const place = (who: SignedIn, lines: Line[], discount: object, more: object = {}) =>
  post('/api/orders', aPayload(lines, { discount, ...more }), who);
const read = async (id: string) => (await app.inject({ url: `/api/orders/${id}`, headers: admin.headers })).json<Order>();
const invoiceOf = async ({ invoices }: Order, index = 0) =>
  (await app.inject({ url: `/api/invoices/${invoices[index]?._id}`, headers: admin.headers })).json<Invoice>();
const ask = async (lines: Line[], code: string, who?: SignedIn) =>
  (
    await app.inject({
      method: 'POST',
      url: '/api/cart/discount',
      payload: { orderItems: lines, code },
      ...(who && { headers: who.headers }),
    })
  ).json<CartDiscount>();
const usesOf = async (id: string) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from redemptions where promotion_id = ${id} and is_used`.execute(db);
  return rows[0]?.n;
};
const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);

/** Three chairs at £33.33 and a lamp at £19.99: £119.98, of which a tenth is £12.00. */
async function aCart() {
  const [chair, lamp] = [await aProduct(db, { name: 'Chair', price: 3_333 }), await aProduct(db, { name: 'Lamp', price: 1_999 })];
  return { chair, lamp, lines: [aLine(chair, { qty: 3 }), aLine(lamp)] };
}

test('a cash order with a code costs less by the same pence in order, lines, mail, invoice, VAT return and CSV, and its cancellation too (§10.6)', async () => {
  const buyer = await aCustomer(db);
  const { lines } = await aCart();
  const { code, name } = await aPromotion(db, { name: 'Newsletter' });
  expect(await ask(lines, code)).toMatchObject({
    amount: 1_200,
    refusal: '',
    applied: [{ name, code, amount: 1_200, isFreeDelivery: false }],
  });
  const order = (await place(buyer, lines, { code: ` ${code.toLowerCase()} `, amount: 1_200 })).json<Order>();
  expect(order).toMatchObject({
    subTotalPrice: 11_998,
    discount: 1_200,
    totalPrice: 10_798,
    amountDue: 10_798,
    discounts: [{ name, code }],
  });
  expect(order.orderItems.map(({ discount }) => discount)).toEqual([1_000, 200]);
  for (const isPaid of [true, false]) await put(`/api/orders/${order._id}/cash`, { isPaid });
  const invoice = await invoiceOf(await read(order._id));
  expect([invoice.gross, invoice.vat, invoice.lines.map(({ gross }) => gross)]).toEqual([10_798, 1_800, [8_999, 1_799]]);
  expect(invoice.lines.map(({ details }) => details)).toEqual(['less £10.00 discount', 'less £2.00 discount']);
  await runJobs(services);
  const [mail] = await mailsOf(shop.dataDir, buyer.email);
  expect(mail?.text).toMatch(/Discount: Newsletter.*−£12\.00[\s\S]*Total.*£107\.98/);
  const [headings = [], row = []] = await parseCsv(
    (await app.inject({ url: `/api/orders/export?search=${order._id}`, headers: admin.headers })).body,
  );
  expect(['Discount (pence)', 'Promotions'].map((heading) => row[headings.indexOf(heading)])).toEqual(['1200', `Newsletter (${code})`]);

  const less = (await post(`/api/orders/${order._id}/cancel`, { lines: [1], reason: 'Another reason' }, buyer)).json<Order>();
  expect([less.waivedPrice, less.amountDue]).toEqual([1_799, 8_999]);
  const none = (await post(`/api/orders/${order._id}/cancel`, { reason: 'Another reason' }, buyer)).json<Order>();
  expect([none.waivedPrice, none.amountDue, none.status]).toEqual([10_798, 0, 'cancelled']);
  const documents = await Promise.all([0, 1, 2].map((index) => invoiceOf(none, index)));
  expect(documents.map(({ kind, gross }) => [kind, gross])).toEqual([
    ['invoice', 10_798],
    ['credit_note', 1_799],
    ['credit_note', 8_999],
  ]);
  expect(sum(documents.slice(1).map(({ vat }) => vat))).toBe(invoice.vat);
});

test('a card order shows its discount on the provider’s page; pieces that are cancelled, returned and disputed never give back more than was paid', async () => {
  const buyer = await aCustomer(db);
  const { lines, chair } = await aCart();
  const { code } = await aPromotion(db, { name: 'Newsletter' });
  const { url, sessionId } = await checkout(buyer, lines, { discount: { code, amount: 1_200 } });
  const page = await (await fetch(url)).text();
  expect(page).toMatch(/Newsletter<\/span><span>-£12\.00/);
  expect(page).toContain('Pay £107.98');
  expect(await stripe.checkout.sessions.retrieve(sessionId)).toMatchObject({
    amount_subtotal: 11_998,
    amount_total: 10_798,
    total_details: { amount_discount: 1_200 },
  });
  await pay(url);
  const { id, providerPaymentId } = await orderOf(sessionId);
  expect(await read(id)).toMatchObject({ isPaid: true, discount: 1_200, totalPrice: 10_798 });
  const atProvider = async () => {
    await runJobs(services);
    return (await stripe.refunds.list({ payment_intent: providerPaymentId ?? '' })).data.map(({ amount }) => amount);
  };
  await post(`/api/orders/${id}/cancel`, { lines: [1], reason: 'Another reason' }, buyer);
  expect(await atProvider()).toEqual([1_799]);
  await put(`/api/orders/${id}/deliver`, { isDelivered: true });
  const takeBack = async () => {
    await post(`/api/office/orders/${id}/returns`, { lines: [{ line: 0, qty: 1 }], reason: 'Wrong piece' });
    const open = (await read(id)).returns.find(({ status }) => status === 'approved');
    await post(`/api/office/returns/${open?._id}/received`, { lines: [{ line: 0, restocked: 1, spoiled: 0 }] });
  };
  await takeBack();
  await post(`/api/office/orders/${id}/refunds`, { lines: [{ line: 0, qty: 1 }], reason: 'Damaged or faulty' });
  // £89.99 for three: the pence fall on the last.
  expect((await atProvider()).sort()).toEqual([1_799, 2_999, 3_000]);
  const { bestSellers } = (await app.inject({ url: '/api/orders/sales', headers: admin.headers })).json<Sales>();
  expect(bestSellers.find(({ _id }) => _id === chair._id)).toMatchObject({ pieces: 2, revenue: 5_999 });
  await takeBack();
  expect(sum(await atProvider())).toBe(10_798);
  const done = await read(id);
  expect([done.refundable, done.refundedPrice, sum(done.invoices.slice(1).map(({ gross }) => gross))]).toEqual([0, 10_798, 10_798]);
  expect((await post(`/api/office/orders/${id}/refunds`, { amount: 1, reason: 'Goodwill' })).statusCode).toBe(409);

  const again = await checkout(buyer, lines, { discount: { code } });
  await pay(again.url);
  await fetch(`${sandbox.url}/payments/${again.sessionId}`, { method: 'POST', body: new URLSearchParams({ action: 'dispute' }) });
  const disputed = await orderOf(again.sessionId);
  await eventually(async () => expect((await orderOf(again.sessionId)).disputedPrice).toBe(10_798));
  expect((await read(disputed.id)).refundable).toBe(0);
});

test('of goods at several rates of VAT each gets its own part of the discount', async () => {
  const [sofa, blanket] = [
    await aProduct(db, { price: 10_000 }),
    await aProduct(db, { price: 5_000, vatClass: 'zero', category: 'Blanket' }),
  ];
  const { code } = await aPromotion(db, { kind: 'amount', value: 1_000, categories: ['Blanket'] });
  const order = (await place(await aCustomer(db), [aLine(sofa), aLine(blanket)], { code })).json<Order>();
  const { rates, gross } = await invoiceOf(order);
  expect([gross, rates.map(({ rate, vat, gross }) => [rate, vat, gross])]).toEqual([
    14_000,
    [
      [2_000, 1_667, 10_000],
      [0, 0, 4_000],
    ],
  ]);
});

test('a customer who was shown more is told before paying, and nothing is taken; who was shown nothing pays less', async () => {
  const buyer = await aCustomer(db);
  const { lines, chair } = await aCart();
  const { code, _id } = await aPromotion(db);
  const stock = async () =>
    (await db.selectFrom('products').select('countInStock').where('id', '=', chair._id).executeTakeFirst())?.countInStock;
  const before = await stock();
  const told = async (discount: object) => {
    const reply = await place(buyer, lines, discount);
    return [reply.statusCode, reply.json().message];
  };
  expect(await told({ code, amount: 1_201 })).toEqual([
    409,
    'The discount of your cart has changed: it is now £12.00. Please check the total.',
  ]);
  await put(`/api/office/promotions/${_id}/on`, { isOn: false });
  expect(await told({ code, amount: 1_200 })).toEqual([409, 'This code is no longer valid.']);
  expect(await told({ code: 'NOBODY' })).toEqual([409, 'We don’t know this code. Please check its spelling.']);
  expect((await checkout(buyer, lines, { discount: { code } })).reply.statusCode).toBe(409);
  expect([await stock(), await usesOf(_id)]).toEqual([before, 0]);
  const automatic = await aPromotion(db, { code: null, products: [chair._id] });
  expect((await post('/api/orders', aPayload(lines), buyer)).json<Order>()).toMatchObject({ discount: 1_000, discounts: [{ code: null }] });
  await put(`/api/office/promotions/${automatic._id}/on`, { isOn: false });
});

test('the same key with another code is another order, and with the same code the same one', async () => {
  const buyer = await aCustomer(db);
  const { lines } = await aCart();
  const { code } = await aPromotion(db);
  const send = (discount: object) =>
    app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: { ...buyer.headers, 'idempotency-key': 'one press' },
      payload: aPayload(lines, { discount }),
    });
  const first = await send({ code, amount: 1_200 });
  expect((await send({ code: code.toLowerCase() })).json()._id).toBe(first.json()._id);
  expect((await send({})).statusCode).toBe(409);
});

test('of two who take the last use at once one gets it, and the other is told before paying; a cancelled order gives it back', async () => {
  const { lines } = await aCart();
  const { code, _id } = await aPromotion(db, { mostUses: 1 });
  // Each buys other pieces, so that the locks on stock do not serialise them.
  const race = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => ({ buyer: await aCustomer(db), own: (await aCart()).lines })));
  const replies = await Promise.all([
    ...race.slice(0, 3).map(({ buyer, own }) => place(buyer, own, { code })),
    ...race.slice(3).map(async ({ buyer, own }) => (await checkout(buyer, own, { discount: { code } })).reply),
  ]);
  const lost = replies.filter(({ statusCode }) => statusCode === 409);
  expect([lost.length, await usesOf(_id)]).toEqual([5, 1]);
  for (const reply of lost) expect(reply.json().message).toBe('This code has been used up.');
  expect(await ask(lines, code)).toMatchObject({ amount: 0, refusal: 'This code has been used up.' });

  const single = await aPromotion(db, { mostUses: 1 });
  const [buyer, other] = [await aCustomer(db), await aCustomer(db)];
  const order = (await place(buyer, lines, { code: single.code })).json<Order>();
  await post(`/api/orders/${order._id}/cancel`, { lines: [1], reason: 'Another reason' }, buyer);
  expect((await place(other, lines, { code: single.code })).statusCode).toBe(409);
  await post(`/api/orders/${order._id}/cancel`, { reason: 'Another reason' }, buyer);
  expect((await place(other, lines, { code: single.code })).statusCode).toBe(201);
});

test('a card session holds its use as it holds stock: it is free when the session lapses, and a payment that comes too late goes back', async () => {
  const { lines } = await aCart();
  const { code, _id } = await aPromotion(db, { mostUses: 1 });
  const [buyer, other] = [await aCustomer(db), await aCustomer(db)];
  const { sessionId } = await checkout(buyer, lines, { discount: { code } });
  expect((await place(other, lines, { code })).statusCode).toBe(409);
  // It is the buyer's own, so their cart still shows it, and paying in cash ends the session.
  expect(await ask(lines, code, buyer)).toMatchObject({ amount: 1_200, refusal: '' });
  const { id } = await orderOf(sessionId);
  await expireHold(services, { orderId: id });
  expect(await usesOf(_id)).toBe(0);
  const paid = { status: 'complete', payment_status: 'paid', payment_intent: null };
  await notify('checkout.session.completed', sessionId, paid);
  expect([(await orderOf(sessionId)).orderState, await usesOf(_id)]).toEqual(['placed', 1]);

  const second = await aPromotion(db, { mostUses: 1 });
  const late = await checkout(other, lines, { discount: { code: second.code } });
  await expireHold(services, { orderId: (await orderOf(late.sessionId)).id });
  expect((await place(await aCustomer(db), lines, { code: second.code })).statusCode).toBe(201);
  await notify('checkout.session.completed', late.sessionId, paid);
  expect([(await orderOf(late.sessionId)).orderState, await usesOf(second._id)]).toEqual(['refunded', 1]);
});

test('a customer whose own card session has the last use can pay in cash instead', async () => {
  const { lines } = await aCart();
  const { code, _id } = await aPromotion(db, { mostUses: 1, mostUsesEach: 1, isFirstOrder: true });
  const buyer = await aCustomer(db);
  const { sessionId } = await checkout(buyer, lines, { discount: { code } });
  expect((await place(buyer, lines, { code, amount: 1_200 })).json<Order>()).toMatchObject({ discount: 1_200 });
  expect([(await orderOf(sessionId)).orderState, await usesOf(_id)]).toEqual(['expired', 1]);
});

test('a first-order code is not refused because of the customer’s own open card payment', async () => {
  const { lines } = await aCart();
  const { code, _id } = await aPromotion(db, { isFirstOrder: true });
  const buyer = await aCustomer(db);
  const { sessionId } = await checkout(buyer, lines);
  expect(await ask(lines, code, buyer)).toMatchObject({ amount: 1_200, refusal: '' });
  expect((await place(buyer, lines, { code, amount: 1_200 })).json<Order>()).toMatchObject({ discount: 1_200 });
  expect([(await orderOf(sessionId)).orderState, await usesOf(_id)]).toEqual(['expired', 1]);
});

test('an order that is refused for anything else leaves the customer’s own card payment open', async () => {
  const { lines } = await aCart();
  const { code } = await aPromotion(db);
  const buyer = await aCustomer(db);
  const send = (discount: object) =>
    app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: { ...buyer.headers, 'idempotency-key': 'pressed before' },
      payload: aPayload(lines, { discount }),
    });
  expect((await send({})).statusCode).toBe(201);
  const { sessionId } = await checkout(buyer, lines, { discount: { code } });
  expect((await send({ code })).json().errors).toBeUndefined();
  expect((await orderOf(sessionId)).orderState).toBe('awaiting_payment');
});

test('a first order that is paid late is refunded if another order came first, and is kept otherwise', async () => {
  const { lines } = await aCart();
  const { code } = await aPromotion(db, { isFirstOrder: true });
  const paid = { status: 'complete', payment_status: 'paid', payment_intent: null };
  const lateOf = async (meanwhile: (buyer: SignedIn) => Promise<unknown>) => {
    const buyer = await aCustomer(db);
    const { sessionId } = await checkout(buyer, lines, { discount: { code } });
    const { id } = await orderOf(sessionId);
    await expireHold(services, { orderId: id });
    await meanwhile(buyer);
    await notify('checkout.session.completed', sessionId, paid);
    const { events } = await read(id);
    return [(await orderOf(sessionId)).orderState, events.at(-1)?.detail];
  };
  const [refunded, why] = await lateOf((buyer) => place(buyer, lines, {}));
  expect(refunded).toBe('refunded');
  expect(why).toContain('Paid late, when its promotion could no longer be used');
  expect((await lateOf(async () => undefined))[0]).toBe('placed');
});

test('a promotion without a limit is not deleted while an order takes it', async () => {
  const { _id, code } = await aPromotion(db);
  const buyer = await aCustomer(db);
  const remove = () => app.inject({ method: 'DELETE', url: `/api/office/promotions/${_id}`, headers: admin.headers });
  const { isDone, removal } = await db.transaction().execute(async (tx) => {
    expect((await lockForOrder(tx, code, buyer._id)).map((one) => one.code)).toContain(code);
    let isDone = false;
    const removal = remove().then((reply) => {
      isDone = true;
      return reply;
    });
    await setTimeout(300);
    return { isDone, removal };
  });
  expect(isDone).toBe(false);
  expect((await removal).statusCode).toBe(200);
});

test('an order keeps the terms by which its discount was worked out, although staff change them meanwhile', async () => {
  const { lines } = await aCart();
  const { _id, code } = await aPromotion(db);
  const { isDone, order } = await db.transaction().execute(async (tx) => {
    await sql`lock table redemptions in share mode`.execute(tx);
    let isDone = false;
    const order = place(await aCustomer(db), lines, { code }).then((reply) => {
      isDone = true;
      return reply.json<Order>();
    });
    await eventually(async () => {
      const { rows } = await sql`select from pg_locks where relation = 'redemptions'::regclass and not granted`.execute(db);
      expect(rows).toHaveLength(1);
    });
    const changed = { value: 50, leastSubtotal: 5_000, categories: ['Sofas'] };
    await db.updateTable('promotions').set(changed).where('id', '=', _id).execute();
    return { isDone, order };
  });
  expect(isDone).toBe(false);
  const { _id: orderId, discount } = await order;
  expect(discount).toBe(1_200);
  const terms = db.selectFrom('redemptions').select(['value', 'leastSubtotal', 'goods']).where('orderId', '=', orderId);
  expect(await terms.executeTakeFirst()).toEqual({ value: 10, leastSubtotal: 0, goods: { categories: [], brands: [], products: [] } });
});

test('orders and the deletion of their promotion at the same time never fail without words', async () => {
  const { lines } = await aCart();
  for (let n = 0; n < 5; n += 1) {
    const { _id, code } = await aPromotion(db);
    const [order, removal] = await Promise.all([
      place(await aCustomer(db), [lines[1] as Line], { code }),
      app.inject({ method: 'DELETE', url: `/api/office/promotions/${_id}`, headers: admin.headers }),
    ]);
    expect([
      [201, 409],
      [409, 200],
    ]).toContainEqual([order.statusCode, removal.statusCode]);
  }
});

test('a code counts as often for each customer as it says, and for first orders only where it says so', async () => {
  const { lines } = await aCart();
  const once = await aPromotion(db, { mostUsesEach: 1 });
  const [buyer, other] = [await aCustomer(db), await aCustomer(db)];
  const { lines: others } = await aCart();
  await Promise.all([place(buyer, lines, { code: once.code }), checkout(buyer, others, { discount: { code: once.code } })]);
  expect(await usesOf(once._id)).toBe(1);
  const refusal = async (who: SignedIn, code: string) => (await place(who, lines, { code })).json().message;
  expect((await place(other, lines, { code: once.code })).statusCode).toBe(201);
  expect(await refusal(other, once.code)).toBe('You have already used this code.');
  const first = await aPromotion(db, { isFirstOrder: true });
  expect(await refusal(other, first.code)).toBe('This code is for a first order only.');
  expect(await ask(lines, first.code, other)).toMatchObject({ refusal: 'This code is for a first order only.' });
  expect((await place(await aCustomer(db), lines, { code: first.code })).statusCode).toBe(201);
});

test('free delivery is that of the usual method, is paid so at the provider, and is not refunded', async () => {
  const uk = await testShop({ env: { STORE_MARKET: 'uk' } });
  const desk = cardDesk(uk);
  const [buyer, lamp] = [await aCustomer(uk.db), await aProduct(uk.db, { price: 2_000 })];
  const { code } = await aPromotion(uk.db, { kind: 'free_delivery', value: 0 });
  const buy = async (more: object) => {
    const { url, sessionId } = await desk.checkout(buyer, [aLine(lamp)], more);
    await pay(url, { country: 'GB', postal_code: 'LS1 1AA' });
    return desk.orderOf(sessionId);
  };
  expect(await buy({})).toMatchObject({ shippingPrice: 4_900, totalPrice: 6_900, orderState: 'placed' });
  const free = await buy({ discount: { code, isFreeDelivery: true } });
  expect(free).toMatchObject({ shippingPrice: 0, discount: 0, totalPrice: 2_000, orderState: 'placed' });
  expect((await uk.app.inject({ url: `/api/orders/${free.id}`, headers: buyer.headers })).json<Order>().discounts).toMatchObject([
    { code, amount: 0, isFreeDelivery: true },
  ]);
  const { url, sessionId } = await desk.checkout(buyer, [aLine(lamp)], { discount: { code } });
  expect(await (await fetch(url)).text()).toContain('£99.00');
  await pay(url, { shipping: '1', country: 'GB', postal_code: 'LS1 1AA' });
  expect(await desk.orderOf(sessionId)).toMatchObject({ shippingPrice: 9_900, totalPrice: 11_900, orderState: 'placed' });
});

test.each(['', 'null', '12345', null, undefined, 'X'.repeat(500)])(
  'a cart whose postcode is not British, such as %j, is priced without one (§5.2, §7.3)',
  async (postcode) => {
    const { lines } = await aCart();
    const payload = { orderItems: lines, code: '', postcode };
    const reply = await app.inject({ method: 'POST', url: '/api/cart/discount', payload });
    expect([reply.statusCode, reply.json<CartDiscount>()]).toEqual([200, await ask(lines, '')]);
  },
);

test('guessing codes is limited, with a sentence, while codes that exist may be tried as often as one likes', async () => {
  const { lines } = await aCart();
  const { code } = await aPromotion(db);
  const guesser = await aCustomer(db);
  const guess = (typed: string, who?: SignedIn, remoteAddress = '203.0.113.9') =>
    app.inject({
      method: 'POST',
      url: '/api/cart/discount',
      remoteAddress,
      payload: { orderItems: lines, code: typed },
      ...(who && { headers: who.headers }),
    });
  for (let n = 0; n < 60; n += 1) expect((await guess(code, guesser)).statusCode).toBe(200);
  const replies = [];
  // A known code in between does not give the guesses back.
  for (let n = 0; n < 20; n += 1) replies.push(await guess(`GUESS-${n}`, guesser), ...(n < 14 ? [await guess(code, guesser)] : []));
  expect(replies.slice(0, 2).map((reply) => reply.json<CartDiscount>().isUnknown)).toEqual([true, false]);
  const refused = replies.filter(({ statusCode }) => statusCode === 429);
  expect([refused.length, replies[0]?.statusCode]).toEqual([5, 200]);
  expect(refused[0]?.json().message).toMatch(/^Too many attempts\. Please wait \d+ minutes and try again\.$/);
  // Also one that exists: otherwise guesses could go on.
  expect((await guess(code, guesser)).statusCode).toBe(429);
});

test('visitors without an account share no count but that of their network', async () => {
  const { lines } = await aCart();
  const guess = async (typed: string, remoteAddress: string) =>
    (await app.inject({ method: 'POST', url: '/api/cart/discount', remoteAddress, payload: { orderItems: lines, code: typed } }))
      .statusCode;
  // Two homes of one provider.
  const [one, other] = ['2001:db8:77:1::1', '2001:db8:77:ff01::1'];
  for (let n = 0; n < 40; n += 1) expect(await guess(`HOME-${n}`, one)).toBe(200);
  expect(await guess('HOME-40', one)).toBe(429);
  expect(await guess('HOME-41', other)).toBe(200);
});

test('the version before cannot store the payment of a discounted card order, so the provider sends it again', async () => {
  const { lines } = await aCart();
  const { code } = await aPromotion(db);
  const { sessionId } = await checkout(await aCustomer(db), lines, { discount: { code } });
  const { id } = await orderOf(sessionId);
  const columns = { orderState: 'placed', paidAt: new Date().toISOString() };
  await expect(db.updateTable('orders').set(columns).where('id', '=', id).execute()).rejects.toThrow('orders_knows_discount_check');
  await notify('checkout.session.completed', sessionId, { status: 'complete', payment_status: 'paid', payment_intent: null });
  expect(await orderOf(sessionId)).toMatchObject({ orderState: 'placed', totalPrice: 10_798 });
});

test('an order that a discount has made free is placed, invoiced, cancelled; by card there is nothing to pay', async () => {
  const buyer = await aCustomer(db);
  const { lines } = await aCart();
  const { code } = await aPromotion(db, { value: 100 });
  expect((await checkout(buyer, lines, { discount: { code } })).reply.json().message).toBe('Card payment starts at £0.30.');
  const order = (await place(buyer, lines, { code })).json<Order>();
  expect(order).toMatchObject({ totalPrice: 0, amountDue: 0, invoices: [{ gross: 0, vat: 0 }] });
  await put(`/api/orders/${order._id}/cash`, { isPaid: true });
  const refund = await post(`/api/office/orders/${order._id}/refunds`, { lines: [{ line: 0, qty: 1 }], reason: 'Goodwill' });
  expect(refund.statusCode).toBe(409);
  const gone = (await post(`/api/orders/${order._id}/cancel`, { reason: 'Another reason' }, buyer)).json<Order>();
  expect(gone).toMatchObject({ status: 'cancelled', waivedPrice: 0, refundedPrice: 0 });
});

test('after all this the books add up: orders, lines, documents, and the VAT return of the quarter', async () => {
  expect(await listBrokenRuleTexts(db)).toEqual([]);
  const vat = await parseCsv(
    (await app.inject({ url: `/api/office/vat?quarter=${quarterOf(new Date().toISOString())}`, headers: admin.headers })).body,
  );
  const totals = vat.filter(([number]) => number?.startsWith('Total of'));
  const { rows } = await sql<{ left: number }>`
    select sum(total_price - waived_price - coalesce((select sum(amount) from order_refunds r where r.order_id = o.id and r.status = 'done'), 0))::int as left
    from orders o where exists (select from invoices i where i.order_id = o.id)`.execute(db);
  expect(sum(totals.map((row) => Number(row.at(-1))))).toBe(rows[0]?.left);
});

test('the first three samples of a first order are free, beside a sale of all else, and the books agree (§10.7)', async () => {
  const isolated = await testShop({ env: { VAT_NUMBER: 'GB123456789' } });
  const [buyer, owner] = [await aCustomer(isolated.db), await anAdmin(isolated.db)];
  const sample = await aProduct(isolated.db, { price: 250, category: 'Samples', deliveryClass: 'small' });
  const sofa = await aProduct(isolated.db, { price: 80_000, category: 'Sofa' });
  await aPromotion(isolated.db, { kind: 'first_free', code: null, value: 3, categories: ['Samples'], mostUsesEach: 1 });
  await aPromotion(isolated.db, { kind: 'percent', code: null, value: 10, categories: ['Sofa'] });
  const order = async (lines: Line[]) => {
    const payload = aPayload(lines);
    const reply = await isolated.app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
    return reply.json<Order>();
  };
  const first = await order([aLine(sample, { qty: 4 }), aLine(sofa)]);
  expect([first.subTotalPrice, first.discount, first.discounts.map(({ amount }) => amount).sort()]).toEqual([81_000, 8_750, [750, 8_000]]);
  expect((await order([aLine(sample, { qty: 2 })])).discount).toBe(0);
  const reply = await isolated.app.inject({
    method: 'POST',
    url: `/api/orders/${first._id}/cancel`,
    headers: buyer.headers,
    payload: { lines: [0], reason: 'Another reason' },
  });
  expect(reply.json<Order>()).toMatchObject({ waivedPrice: 250 });
  await isolated.app.inject({ method: 'PUT', url: `/api/orders/${first._id}/cash`, headers: owner.headers, payload: { isPaid: true } });
  expect(await listBrokenRuleTexts(isolated.db)).toEqual([]);
});
