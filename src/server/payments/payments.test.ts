import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop, WEBHOOK_SECRET } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { expireHold } from './payments.jobs.ts';

const shop = await testShop({ pool: 20 });
const { app, db, services } = shop;
const { checkout, notify, orderOf, reconcile, refunds, stockOf, stripe } = cardDesk(shop);

test('a card payment becomes a paid order with the address of the provider’s page, and a mail (§3.7, §14.2)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 3, price: 50_000 });
  const { url, sessionId } = await checkout(buyer, [aLine(sofa, { qty: 2 })]);
  expect(await stockOf(sofa._id)).toBe(1);
  expect((await app.inject({ url: '/api/orders/myorders', headers: buyer.headers })).json().total).toBe(0);

  const paid = await pay(url);

  expect([paid.status, paid.headers.get('location')]).toEqual([303, `${shop.url}/successPayment`]);
  const { orders } = (await app.inject({ url: '/api/orders/myorders', headers: buyer.headers })).json<{ orders: Order[] }>();
  expect(orders).toHaveLength(1);
  expect(orders[0]).toMatchObject({
    paymentMethod: 'Credit Card',
    isPaid: true,
    paidAt: expect.any(String),
    orderPaymentID: sessionId,
    totalPrice: 100_000,
    phone: '07700 900123',
    shippingAddress: { line1: '2 Low Road', city: 'York', postalCode: 'YO1 7HH', country: 'United Kingdom' },
  });
  expect(await stockOf(sofa._id)).toBe(1);
  await runJobs(services);
  expect((await mailsOf(shop.dataDir, buyer.email))[0]?.text).toContain('Paid by Credit Card');
});

test('wallets and instalments of the settings are offered on the provider’s page, and instalments only for the lender’s amounts', async () => {
  const instalments = [{ lender: 'Klarna' as const, from: 100, to: 2_000, words: 'Subject to status.' }];
  services.config.company.payment = { wallets: [{ wallet: 'Apple Pay' }, { wallet: 'PayPal' }], instalments };
  onTestFinished(() => {
    services.config.company.payment = { wallets: [], instalments: [] };
  });
  const lamp = await aProduct(db, { price: 5_000 });
  const waysFor = async (qty: number) => {
    const made = await checkout(await aCustomer(db), [aLine(lamp, { qty })]);
    return { ...made, ways: [...(await (await fetch(made.url)).text()).matchAll(/name="method" value="(\w+)"/g)].map(([, way]) => way) };
  };
  expect((await waysFor(1)).ways).toEqual(['card', 'paypal']);
  const { ways, url, sessionId } = await waysFor(2);
  expect(ways).toEqual(['card', 'paypal', 'klarna']);
  expect((await pay(url, { method: 'klarna', card: '', expiry: '', cvc: '' })).status).toBe(303);
  expect((await orderOf(sessionId)).status).toBe('placed');
});

test('the provider’s page is filled in from the first order on: with what was typed at the checkout, else of the latest order, else the account’s name', async () => {
  const buyer = await aCustomer(db);
  const lamp = await aProduct(db);
  const filledWith = async (more: object, fields: Record<string, string>) => {
    const page = await (await fetch((await checkout(buyer, [aLine(lamp)], more)).url)).text();
    for (const [name, value] of Object.entries({ email: buyer.email, ...fields }))
      expect(page).toContain(`name="${name}" value="${value}"`);
  };
  const nothing = { phone: '', line1: '', postal_code: '' };
  await filledWith({}, { name: buyer.name, ...nothing });
  await filledWith({ postcode: 'LS1 4AP' }, { name: buyer.name, ...nothing, postal_code: 'LS1 4AP' });
  const payload = aPayload([aLine(lamp)]);
  const { shippingAddress, phone } = payload;
  const { line1, city, postalCode } = shippingAddress;
  const typed = {
    payer: { fullName: 'Casey Typed', phone: '07700 900999', shippingAddress: { ...shippingAddress, line1: '9 New Road', country: null } },
  };
  const expected = { name: 'Casey Typed', phone: '07700 900999', line1: '9 New Road', city, postal_code: postalCode };
  await filledWith(typed, expected);
  // What cannot be used does not stop a payment.
  await filledWith({ payer: { ...typed.payer, phone: '0'.repeat(25) } }, { ...expected, phone: '' });
  await filledWith({ payer: { fullName: 7 } }, { name: buyer.name, ...nothing });
  await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
  await filledWith({ payer: { shippingAddress: {} } }, { phone, line1, city, postal_code: postalCode });
  await filledWith(typed, expected);
  // The price is that of the cart's postcode, so an address elsewhere is not filled in.
  const elsewhere = { line1: '', postal_code: 'IV2 3AA' };
  await filledWith({ postcode: 'IV2 3AA' }, { phone, ...elsewhere });
  await filledWith({ ...typed, postcode: 'IV2 3AA' }, { name: 'Casey Typed', ...elsewhere });
  await filledWith({ postcode: postalCode.split(' ')[0] }, { phone, line1, postal_code: postalCode });
});

test('a declined card can be followed by another', async () => {
  const sofa = await aProduct(db);
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  const declined = await pay(url, { card: '4000 0000 0000 0002' });
  expect(declined.status).toBe(402);
  expect(await declined.text()).toContain('Your card was declined');
  expect((await orderOf(sessionId)).status).toBe('awaiting_payment');
  expect((await pay(url)).status).toBe(303);
  expect((await orderOf(sessionId)).status).toBe('placed');
});

test('an expired session gives its stock back, once', async () => {
  const sofa = await aProduct(db, { stock: 2, sizes: [{ size: 'S', quantity: 2 }] });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa, { qty: 2, size: 'S' })]);
  expect(await stockOf(sofa._id)).toBe(0);
  await stripe.checkout.sessions.expire(sessionId);
  await notify('checkout.session.expired', sessionId);
  await notify('checkout.session.expired', sessionId);
  expect([await stockOf(sofa._id), (await orderOf(sessionId)).status]).toEqual([2, 'expired']);
  const { quantity } = await db.selectFrom('productSizes').select('quantity').where('productId', '=', sofa._id).executeTakeFirstOrThrow();
  expect(quantity).toBe(2);
});

test('a hold whose time is over closes the provider’s page first', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  await expireHold(services, { orderId: (await orderOf(sessionId)).id });
  expect(await stockOf(sofa._id)).toBe(1);
  expect((await pay(url)).status).toBe(410);
});

test('a lost webhook is made up for by asking the provider (§14.1)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1 });
  const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
  const order = await orderOf(sessionId);
  await pay(url);
  // As if the notice had never come: the order waits again, as before it.
  await forceOrder(db, order.id, { status: 'awaiting_payment', paidAt: null });
  await reconcile();
  await reconcile();
  const { orders } = (await app.inject({ url: '/api/orders/myorders', headers: buyer.headers })).json<{ orders: Order[] }>();
  expect(orders).toMatchObject([{ _id: order.id, isPaid: true, paidAt: expect.any(String) }]);
  expect(await stockOf(sofa._id)).toBe(0);
});

test('a payment that cannot be stored holds up no other: the reconciliation fails at its end, and is tried again', async () => {
  const [stuck, fine] = [
    await checkout(await aCustomer(db), [aLine(await aProduct(db))]),
    await checkout(await aCustomer(db), [aLine(await aProduct(db))]),
  ];
  const [{ id: poisoned }, { id }] = [await orderOf(stuck.sessionId), await orderOf(fine.sessionId)];
  // As a fault of a later version could be.
  await sql`alter table orders add constraint poisoned check (id <> ${sql.lit(poisoned)}::uuid or paid_at is null)`.execute(db);
  try {
    await pay(stuck.url);
    await pay(fine.url);
    await forceOrder(db, id, { status: 'awaiting_payment', paidAt: null });
    await expect(reconcile()).rejects.toThrow('1 of the payments cannot be stored');
    expect((await orderOf(fine.sessionId)).status).toBe('placed');
  } finally {
    await sql`alter table orders drop constraint poisoned`.execute(db);
  }
  await reconcile();
  expect((await orderOf(stuck.sessionId)).status).toBe('placed');
});

test('a payment after its hold was given back takes the stock again where there is any', async () => {
  const sofa = await aProduct(db, { stock: 1 });
  const { sessionId } = await checkout(await aCustomer(db), [aLine(sofa)]);
  await notify('checkout.session.expired', sessionId, { status: 'expired' });
  expect(await stockOf(sofa._id)).toBe(1);
  await notify('checkout.session.completed', sessionId, { status: 'complete', payment_status: 'paid', payment_intent: 'pi_late' });
  expect([(await orderOf(sessionId)).status, await stockOf(sofa._id)]).toEqual(['placed', 0]);
});

test('a payment after its hold was given back and sold is refunded, and the customer told', async () => {
  const [late, quick] = [await aCustomer(db), await aCustomer(db)];
  const sofa = await aProduct(db, { stock: 1 });
  const { url, sessionId } = await checkout(late, [aLine(sofa)]);
  const order = await orderOf(sessionId);
  await forceOrder(db, order.id, { status: 'expired' });
  await db.updateTable('products').set({ countInStock: 1 }).where('id', '=', sofa._id).execute();
  await checkout(quick, [aLine(sofa)]);
  await pay(url, { email: late.email });
  expect((await db.selectFrom('orders').select('status').where('id', '=', order.id).executeTakeFirstOrThrow()).status).toBe('refunded');
  await runJobs(services);
  expect(await refunds()).toContain(sofa.price);
  expect((await mailsOf(shop.dataDir, late.email))[0]?.subject).toContain('was refunded');
  expect(await stockOf(sofa._id)).toBe(0);
});

test('a forged or stale webhook is refused (§14.1)', async () => {
  const payload = JSON.stringify({ id: 'evt_forged', type: 'checkout.session.completed', data: { object: {} } });
  const send = (signature: string) =>
    app.inject({
      method: 'POST',
      url: '/stripe/webhook',
      headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
      payload,
    });
  const forged = stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_other' });
  const stale = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: WEBHOOK_SECRET,
    timestamp: Math.floor(Date.now() / 1000) - 3_600,
  });
  for (const signature of ['', 'nonsense', forged, stale]) expect((await send(signature)).statusCode).toBe(400);
});

test('any shuffle and repetition of the provider’s events ends in the same state (§14.1)', async () => {
  const buyer = await aCustomer(db);
  const events = fc.array(fc.constantFrom('paid', 'paid again', 'reconcile', 'hold over'), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(events, async (list) => {
      const sofa = await aProduct(db, { stock: 1 });
      const { url, sessionId } = await checkout(buyer, [aLine(sofa)]);
      const { id } = await orderOf(sessionId);
      await pay(url);
      const steps: Record<string, () => Promise<unknown>> = {
        paid: () => notify('checkout.session.completed', sessionId, {}, `evt_${id}`),
        'paid again': () => notify('checkout.session.completed', sessionId),
        reconcile: () => reconcile(),
        'hold over': () => expireHold(services, { orderId: id }),
      };
      await Promise.all(list.map((name) => steps[name]?.()));
      const paid = await db.selectFrom('orderEvents').select('id').where('orderId', '=', id).where('kind', '=', 'paid').execute();
      const shown = (await app.inject({ url: `/api/orders/${id}`, headers: buyer.headers })).json<Order>();
      expect([shown.isPaid, shown.isRefunded, await stockOf(sofa._id), paid.length]).toEqual([true, false, 0, 1]);
    }),
    { numRuns: 15 },
  );
});

test('a checkout is refused like an order: no session, no stock, another price', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { stock: 1 });
  expect(
    (await app.inject({ method: 'POST', url: '/stripe/create-checkout-session', payload: { orderItems: [aLine(sofa)] } })).statusCode,
  ).toBe(401);
  expect((await checkout(buyer, [aLine(sofa, { qty: 2 })])).reply.statusCode).toBe(409);
  expect((await checkout(buyer, [aLine(sofa, { price: 1 })])).reply.statusCode).toBe(409);
  expect((await checkout(buyer, [])).reply.json()).toMatchObject({ message: 'Not Items Found' });
  expect(await stockOf(sofa._id)).toBe(1);
});
