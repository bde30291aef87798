import { expect, test } from 'vitest';
import type { CheckedCart, Order } from '#contract/orders/orders.ts';
import { aCustomer, aLine, aPayload, aProduct, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const place = async (headers: Record<string, string>, payload: object) =>
  app.inject({ method: 'POST', url: '/api/orders', headers, payload });

test('a line whose size has become dearer is refused with the new price, although the old one is still the price of another size (§10.2)', async () => {
  const buyer = await aCustomer(db);
  const sofa = await aProduct(db, { price: 45_000, sizes: [{ size: 'S' }, { size: 'L', price: 60_000 }] });
  const reply = await place(buyer.headers, aPayload([aLine(sofa, { size: 'L', price: 45_000 })]));
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    `The price of ${sofa.name} (L) has changed: it is now £600.00. Please check your cart.`,
  ]);
  expect(await stockOf(db, sofa._id)).toBe(10);
});

test('a product with sizes is ordered in one of them: the only one when none is named, else the buyer is asked (§10.3)', async () => {
  const buyer = await aCustomer(db);
  const one = await aProduct(db, { price: 99_900, stock: 5, sizes: [{ size: 'Single', price: 20_000 }] });
  const two = await aProduct(db, {
    price: 99_900,
    stock: 5,
    sizes: [
      { size: 'S', price: 100 },
      { size: 'L', price: 200 },
    ],
  });
  const order = await place(buyer.headers, aPayload([aLine(one, { price: 20_000 })]));
  expect(order.json<Order>()).toMatchObject({ totalPrice: 20_000, orderItems: [{ size: 'Single', price: 20_000 }] });
  const left = await db.selectFrom('productSizes').select('quantity').where('productId', '=', one._id).executeTakeFirstOrThrow();
  expect([left.quantity, await stockOf(db, one._id)]).toEqual([4, 4]);
  for (const price of [99_900, 100]) {
    const refused = await place(buyer.headers, aPayload([aLine(two, { price })]));
    expect([refused.statusCode, refused.json().message]).toEqual([400, `Please choose a size of ${two.name}`]);
  }
  expect(await stockOf(db, two._id)).toBe(5);
});

test('a line without a colour is valid, and is marked where the product has colours (§10.3)', async () => {
  const buyer = await aCustomer(db);
  const [dyed, plain] = [await aProduct(db, { colors: ['#112233', '#445566'] }), await aProduct(db)];
  const reply = await place(buyer.headers, aPayload([aLine(dyed), aLine(dyed, { color: '#445566' }), aLine(plain)]));
  expect(reply.json<Order>().orderItems).toMatchObject([
    { color: null, isColourOpen: true },
    { color: '#445566', isColourOpen: false },
    { color: null, isColourOpen: false },
  ]);
});

test('at most 99 of each counts all lines of one product together, in cash orders and card checkouts (§9.8)', async () => {
  const sofa = await aProduct(db, { stock: 500, sizes: [{ size: 'S' }, { size: 'L' }] });
  const lines = (qty: number) => [aLine(sofa, { size: 'S', qty: 50 }), aLine(sofa, { size: 'L', qty })];
  for (const url of ['/api/orders', '/stripe/create-checkout-session']) {
    const buyer = await aCustomer(db);
    const ask = (qty: number) => app.inject({ method: 'POST', url, headers: buyer.headers, payload: aPayload(lines(qty)) });
    const refused = await ask(50);
    expect([refused.statusCode, refused.json().message]).toEqual([400, `We sell at most 99 of each. Please choose fewer of ${sofa.name}.`]);
    expect((await ask(49)).statusCode).toBeLessThan(300);
  }
});

test.each([
  ['a quantity above 99', { qty: 100 }, 'orderItems.0.qty', 'We sell at most 99 of each.'],
  ['a price above the highest', { price: 100_000_001 }, 'orderItems.0.price', 'The price of a line can be at most £1,000,000.00.'],
  ['a price in fractions of pence', { price: 0.5 }, 'orderItems.0.price', 'The price of a line must be whole pence.'],
])('%s is refused in words by orders, card checkouts and the cart’s check (§5.8)', async (_, change, field, message) => {
  const buyer = await aCustomer(db);
  const payload = aPayload([{ ...aLine(await aProduct(db)), ...change }]);
  for (const url of ['/api/orders', '/stripe/create-checkout-session', '/api/cart/check']) {
    const reply = await app.inject({ method: 'POST', url, headers: buyer.headers, payload });
    expect([reply.statusCode, reply.json().errors[field]]).toEqual([400, message]);
  }
});

test('an order that comes to more than one order may is refused in words (§5.8)', async () => {
  const buyer = await aCustomer(db);
  const gold = await aProduct(db, { price: 100_000_000, stock: 50 });
  const reply = await place(buyer.headers, aPayload([aLine(gold, { qty: 21 })]));
  expect([reply.statusCode, reply.json().message]).toEqual([
    400,
    'An order can come to at most £20,000,000.00. Please place several orders, or contact us.',
  ]);
});

test('the cart’s check says what became of each line (§10.3)', async () => {
  const [sofa, gone] = [await aProduct(db, { price: 70_000, stock: 3 }), await aProduct(db)];
  await db.updateTable('products').set({ deletedAt: new Date().toISOString() }).where('id', '=', gone._id).execute();
  const [single, sized] = [
    await aProduct(db, { price: 100, sizes: [{ size: 'Single', price: 20_000, quantity: 2 }] }),
    await aProduct(db, { sizes: [{ size: 'S' }, { size: 'L', price: 60_000, quantity: 1 }] }),
  ];
  const orderItems = [
    ...[aLine(sofa, { price: 1 }), aLine(gone), aLine({ ...sofa, _id: 'x' }), aLine(sofa, { size: 'none' })],
    ...[aLine(single), aLine(sized), aLine(sized, { size: 'L' })],
  ];
  const reply = await app.inject({ method: 'POST', url: '/api/cart/check', payload: { orderItems } });
  const { lines } = reply.json<CheckedCart>();
  expect(lines.map(({ isSold, needsSize, size, price, available }) => [isSold, needsSize, size, price, available])).toEqual([
    [true, false, null, 70_000, 3],
    [false, false, null, 0, 0],
    [false, false, null, 0, 0],
    [false, false, null, 0, 0],
    [true, false, 'Single', 20_000, 2],
    [true, true, null, 49_999, 0],
    [true, false, 'L', 60_000, 1],
  ]);
});
