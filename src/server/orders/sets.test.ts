import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Facets, Product, ProductList } from '#contract/catalogue/catalogue.ts';
import { readSetParts, setPartsText, setsLeft } from '#contract/catalogue/set-parts.ts';
import type { CheckedCart, Correction, Order } from '#contract/orders/orders.ts';
import { partsText } from '#contract/orders/parts-text.ts';
import type { PhoneQuote } from '#contract/phone/phone.ts';
import { runJobs } from '#server/app/jobs.ts';
import { listBrokenRuleTexts } from '#server/books/shop-rules.ts';
import { giveUpCheckout } from '#server/orders/card.service.ts';
import { lockProducts } from '#server/orders/lines/stock.service.ts';
import { ADDRESS } from '#server/testing/address.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, aPromotion, type SignedIn, stockOf } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';
import { runs } from '#server/testing/runs.ts';
import { differencesInLedger } from '#server/testing/stock-ledger.ts';
import { lockWaits } from '#server/testing/while-waiting.ts';

const shop = await testShop({
  pool: 20,
  env: { ...MANY_ORDERS, STORE_MARKET: 'uk', RATE_LIMIT_FACTOR: '1000', VAT_NUMBER: 'GB123456789' },
});
const { app, db, services } = shop;
const { checkout, orderOf } = cardDesk(shop);
const admin = await anAdmin(db);

type Sold = Awaited<ReturnType<typeof aProduct>>;
const OAK = '#b58a5a';
let table: Sold;
let chair: Sold;
let set: Sold;
let brands = 0;
let brand = '';

beforeEach(async () => {
  brand = `Sets${++brands}x`;
  table = await aProduct(db, { name: 'Table', price: 50_000, stock: 3, sizes: [{ size: '160 cm' }], brand });
  chair = await aProduct(db, { name: 'Chair', price: 12_000, stock: 10, colors: [OAK, '#000000'], vatClass: 'zero', brand });
  const setParts = `1 x ${table._id} | 160 cm; 4 x ${chair._id} | | ${OAK}`;
  set = await aProduct(db, { name: 'Dining set', price: 89_999, stock: 0, category: 'Dining', setParts, brand });
});

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, who: SignedIn = admin) =>
  app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
const order = (lines: ReturnType<typeof aLine>[], who: SignedIn, more: Record<string, unknown> = {}) =>
  send('POST', '/api/orders', aPayload(lines, more), who);
const get = async <T>(url: string) => (await app.inject({ url })).json<T>();
const setLine = (qty = 1) => aLine(set, { qty });
const keepCart = async (who: SignedIn, lines: ReturnType<typeof aLine>[]) => {
  const cart = JSON.stringify(lines);
  await sql`insert into account_lists (user_id, cart) values (${who._id}::uuid, ${cart}::jsonb) on conflict (user_id) do update set cart = excluded.cart`.execute(
    db,
  );
};
const keptCart = async (who: SignedIn) =>
  (await db.selectFrom('accountLists').select('cart').where('userId', '=', who._id).executeTakeFirstOrThrow()).cart;
const linesOf = ({ orderItems }: Order) => orderItems.map(({ _id, name, qty, price }) => [_id, name, qty, price]);

test('a set is sold at its price as its parts, whose stock and VAT it has, each with a share of the price to the penny', async () => {
  const buyer = await aCustomer(db);
  const reply = await order([setLine(2)], buyer);
  expect(reply.statusCode, reply.body).toBe(201);
  const placed = reply.json<Order>();
  // 899.99 shared as 500 to 480 is 459.18 and 440.81; the penny that four chairs cannot share is the table's.
  expect(linesOf(placed)).toEqual([
    [table._id, 'Dining set: Table', 2, 45_919],
    [chair._id, 'Dining set: Chair', 8, 11_020],
  ]);
  expect(placed.orderItems[1]).toMatchObject({ color: OAK, size: null });
  expect(placed).toMatchObject({ subTotalPrice: 2 * 89_999, discount: 0 });
  const { vatRate } = await db
    .selectFrom('orderItems')
    .select('vatRate')
    .where('orderId', '=', placed._id)
    .where('position', '=', 1)
    .executeTakeFirstOrThrow();
  expect(vatRate).toBe(0);
  expect([await stockOf(db, table._id), await stockOf(db, chair._id), await stockOf(db, set._id)]).toEqual([1, 2, 0]);
  expect(await differencesInLedger(db)).toEqual([]);
  // A return of one chair refunds what was paid for it, and the stock of the set follows.
  await send('PUT', `/api/orders/${placed._id}/cash`, { isPaid: true });
  await send('PUT', `/api/orders/${placed._id}/deliver`, { isDelivered: true });
  await send('POST', `/api/office/orders/${placed._id}/returns`, { lines: [{ line: 1, qty: 2 }], reason: 'Wrong piece' });
  const { returns } = (await send('GET', `/api/orders/${placed._id}`)).json<Order>();
  const back = await send('POST', `/api/office/returns/${returns[0]?._id}/received`, { lines: [{ line: 1, restocked: 2, spoiled: 0 }] });
  expect(back.json<Order>()).toMatchObject({ refundedPrice: 2 * 11_020 });
  expect([await stockOf(db, chair._id), await stockOf(db, set._id)]).toEqual([4, 1]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('an order of a set whose parts change while it waits has the new ones, and an order of such a part has the set (§20.4)', async () => {
  const stool = await aProduct(db, { name: 'Stool', price: 5_000, stock: 4 });
  /** Changes the set's parts while `work` waits for a product. */
  async function changeFor<R>({ _id }: Sold, setParts: string, work: () => PromiseLike<R>): Promise<R> {
    let result: PromiseLike<R> | undefined;
    await db.transaction().execute(async (tx) => {
      await tx.selectFrom('products').select('id').where('id', '=', _id).forUpdate().execute();
      result = work();
      void result.then(() => undefined);
      await eventually(async () => expect(await lockWaits(db)).toBe(1));
      await tx.updateTable('products').set({ setParts }).where('id', '=', set._id).execute();
    });
    return result as PromiseLike<R>;
  }
  const buyer = await aCustomer(db);
  const reply = await changeFor(set, `2 x ${stool._id}`, () => order([setLine()], buyer));
  expect(reply.statusCode, reply.body).toBe(201);
  expect([await stockOf(db, stool._id), await stockOf(db, set._id), await stockOf(db, chair._id)]).toEqual([2, 1, 10]);
  // The chair, which is no part of the set any more, becomes one again: the set is then locked with it, so that nobody else can.
  const free = await changeFor(chair, `1 x ${chair._id}`, () =>
    db.transaction().execute(async (tx) => {
      await lockProducts(tx, [chair._id]);
      return db.selectFrom('products').select('id').where('id', '=', set._id).forUpdate().skipLocked().execute();
    }),
  );
  expect(free).toEqual([]);
});

test('a customer cancels all parts of a set or none, and not the set with which delivery was free (§20.3)', async () => {
  const lamp = await aProduct(db, { name: 'Lamp', price: 2_900, stock: 9 });
  const small = await aProduct(db, { name: 'Two chairs', price: 20_000, stock: 0, setParts: `2 x ${chair._id} | | ${OAK}`, brand });
  const free = await aPromotion(db, { name: 'Sets come free', kind: 'free_delivery', value: 0, products: [small._id] });
  const buyer = await aCustomer(db);
  const cancel = async (id: string, lines: number[]) => {
    const reply = await send('POST', `/api/orders/${id}/cancel`, { lines, reason: 'Another reason' }, buyer);
    return reply.statusCode === 200 ? 200 : reply.json<{ message: string }>().message;
  };
  const placed = (await order([setLine(), aLine(lamp)], buyer)).json<Order>();
  expect(linesOf(placed).map(([, name]) => name)).toEqual(['Dining set: Table', 'Dining set: Chair', 'Lamp']);
  expect(await cancel(placed._id, [1])).toBe(
    'Dining set: Table is part of a set at one price. Please cancel the whole set, or contact us.',
  );
  expect(await cancel(placed._id, [2])).toBe(200);
  expect(await cancel(placed._id, [0, 1])).toBe(200);
  const freely = (await order([aLine(small), aLine(lamp)], buyer, { discount: { code: free.code, amount: 0 } })).json<Order>();
  expect(freely.shippingPrice).toBe(0);
  expect(await cancel(freely._id, [0])).toBe(
    '“Sets come free” does not apply without 2 × Two chairs: Chair (Ochre). Please cancel the whole order and order again, or contact us.',
  );
});

test('by card too: the provider’s page names the set, and its parts are held and given back', async () => {
  const buyer = await aCustomer(db);
  const { url, reply, sessionId } = await checkout(buyer, [setLine()]);
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await (await fetch(url)).text()).toContain('Dining set: Table');
  expect([await stockOf(db, chair._id), await stockOf(db, set._id)]).toEqual([6, 1]);
  // The buyer's own hold counts as available in their cart.
  const cart = await send('POST', '/api/cart/check', { orderItems: [setLine()] }, buyer);
  expect(cart.json<CheckedCart>().lines[0]).toMatchObject({
    price: 89_999,
    available: 2,
    parts: [
      { name: 'Table', qty: 1 },
      { name: 'Chair (Ochre)', qty: 4 },
    ],
  });
  // A cart that the account keeps loses the set once it is paid.
  await keepCart(buyer, [setLine()]);
  await pay(url);
  const { id } = await orderOf(sessionId);
  expect(await keptCart(buyer)).toEqual([]);
  await send('POST', `/api/office/orders/${id}/cancel`, { reason: 'Another reason' });
  await runJobs(services);
  expect((await send('GET', `/api/orders/${id}`)).json<Order>()).toMatchObject({ status: 'cancelled' });
  expect([await stockOf(db, chair._id), await stockOf(db, set._id)]).toEqual([10, 2]);
});

test('a set whose parts have changed since the customer was shown them is refused with what it has now; who sends no parts orders as ever (§10.2)', async () => {
  const buyer = await aCustomer(db);
  const seen = async (product: Sold) => {
    const [line] = (await send('POST', '/api/cart/check', { orderItems: [aLine(product)] }, buyer)).json<CheckedCart>().lines;
    return { ...aLine(product), seenParts: partsText(line?.parts ?? []) };
  };
  const [line, lineOfTable] = [await seen(set), { ...(await seen(table)), size: '160 cm' }];
  await db
    .updateTable('products')
    .set({ setParts: `1 x ${table._id} | 160 cm; 2 x ${chair._id} | | ${OAK}` })
    .where('id', '=', set._id)
    .execute();
  const refused = await order([line], buyer);
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    'What is in Dining set has changed: 1 ×\u00a0Table, 2 ×\u00a0Chair (Ochre). Please check your cart.',
  ]);
  expect((await order([await seen(set), lineOfTable], buyer)).statusCode).toBe(201);
  expect((await order([setLine()], buyer)).statusCode).toBe(201);
});

test('a product that became a set after its checkout expired is not sold by a late payment', async () => {
  const suite = await aProduct(db, { name: 'Suite', price: 89_999, stock: 3 });
  const { url, sessionId } = await checkout(await aCustomer(db), [aLine(suite)]);
  const { id } = await orderOf(sessionId);
  await giveUpCheckout(db, id, 'not paid');
  const setParts = `4 x ${chair._id} | | ${OAK}`;
  await db.updateTable('products').set({ setParts }).where('id', '=', suite._id).execute();
  await pay(url);
  await eventually(async () => expect((await orderOf(sessionId)).orderState).toBe('refunded'));
  expect(await stockOf(db, chair._id)).toBe(10);
});

test('a payment by card leaves in the cart what was not bought: a set whose part was, a part whose set was', async () => {
  const buyer = await aCustomer(db);
  const lines = [setLine(), aLine(chair, { color: OAK })];
  for (const [bought, kept] of [lines, lines.toReversed()]) {
    await keepCart(buyer, lines);
    await pay((await checkout(buyer, bought ? [bought] : [])).url);
    expect((await keptCart(buyer)).map(({ _id }) => _id)).toEqual([kept?._id]);
  }
});

test('page, list, sort, filter, facet and price know the set by its own price and by what its parts make', async () => {
  const list = async (query: string) =>
    (await get<ProductList>(`/api/products?brandQuery=${brand}&${query}`)).products.map(({ name }) => name);
  const inStock = async () =>
    (await get<Facets>(`/api/products/facets?brandQuery=${brand}`)).flags.find(({ value }) => value === 'inStock')?.count;
  expect(await list('sortBy=descprice')).toEqual(['Dining set', 'Table', 'Chair']);
  const page = () => get<Product>(`/api/products/${set._id}`);
  expect(await page()).toMatchObject({
    countInStock: 2,
    fromPrice: 89_999,
    parts: [
      { name: 'Table', qty: 1, size: null, colour: null, price: 50_000 },
      { name: 'Chair', qty: 4, size: null, colour: 'Ochre', price: 12_000 },
    ],
  });
  expect(JSON.stringify(await page())).not.toContain('setParts');
  expect(await inStock()).toBe(3);
  // Three chairs make no set, and every cached answer says so.
  await order([aLine(chair, { qty: 7, color: OAK })], await aCustomer(db));
  expect([await list('inStockQuery=true'), await inStock(), (await page()).piecesLeft]).toEqual([['Chair', 'Table'], 2, 0]);
  // What is edited of a part shows on the page of the set, and the stock of a set cannot be typed.
  const edited = { price: 13_000, countInStock: 50, newArrivals: 'false', isRecommend: 'false', sizes: [] };
  const quick = (id: string, body: object) => send('PUT', `/api/office/products/${id}`, body);
  const quicked = await quick(chair._id, edited);
  expect(quicked.statusCode, quicked.body).toBe(200);
  expect(await page()).toMatchObject({ countInStock: 3, parts: [{ name: 'Table' }, { name: 'Chair', price: 13_000 }] });
  const refused = await quick(set._id, { ...edited, price: 80_000 });
  expect([refused.statusCode, refused.json().message]).toEqual([400, 'The stock of a set follows its parts. Change theirs.']);
  expect((await quick(set._id, { ...edited, price: 80_000, countInStock: 3 })).statusCode).toBe(200);
  expect(await list('sortBy=descprice')).toEqual(['Dining set', 'Table', 'Chair']);
  expect(await differencesInLedger(db)).toEqual([]);
});

test('a part that is hidden, deleted, sold in other sizes or a set itself makes the set sold out, until it is back', async () => {
  const left = async () => stockOf(db, set._id);
  const refused = async () => (await order([setLine()], await aCustomer(db))).json<{ message: string }>().message;
  expect(await left()).toBe(2);
  await db.updateTable('products').set({ state: 'hidden', deletedAt: new Date().toISOString() }).where('id', '=', chair._id).execute();
  expect(await left()).toBe(0);
  expect(await refused()).toBe('A part of Dining set is no longer sold. Please remove it from your cart.');
  await db.updateTable('products').set({ state: 'live', deletedAt: null }).where('id', '=', chair._id).execute();
  expect(await left()).toBe(2);
  await send('DELETE', `/api/products/${table._id}`);
  expect(await left()).toBe(0);
  await send('POST', `/api/office/products/${table._id}/bring-back`);
  expect(await left()).toBe(2);
  await db.updateTable('productSizes').set({ size: '180 cm' }).where('productId', '=', table._id).execute();
  expect(await left()).toBe(0);
  expect(await refused()).toBe('Table is no longer sold in 160 cm. Please choose another size.');
  await db.updateTable('productSizes').set({ size: '160 cm' }).where('productId', '=', table._id).execute();
  expect(await left()).toBe(2);
  await db.deleteFrom('productSizes').where('productId', '=', table._id).execute();
  expect(await left()).toBe(0);
});

test('of forty who buy sets and chairs at once nobody gets a piece that is not there, and nobody waits for ever', async () => {
  const stool = await aProduct(db, { name: 'Stool', price: 4_000, stock: 30 });
  const other = await aProduct(db, {
    name: 'Chairs and stool',
    price: 20_000,
    stock: 0,
    setParts: `2 x ${chair._id} | | ${OAK}; 1 x ${stool._id}`,
  });
  const buyers = await Promise.all(Array.from({ length: 40 }, () => aCustomer(db)));
  const carts = [[setLine()], [aLine(chair, { color: '#000000' }), aLine(stool)], [aLine(stool), aLine(other)], [aLine(other), setLine()]];
  const replies = await Promise.all(buyers.map((buyer, index) => order(carts[index % 4] ?? [], buyer)));
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([201, 409]));
  const { rows } = await sql<{
    productId: string;
    sold: number;
  }>`select product_id, sum(qty)::int as sold from order_items group by 1`.execute(db);
  const soldOf = (id: string) => rows.find(({ productId }) => productId === id)?.sold ?? 0;
  expect([soldOf(chair._id) + (await stockOf(db, chair._id)), soldOf(table._id) + (await stockOf(db, table._id))]).toEqual([10, 3]);
  expect([soldOf(set._id), soldOf(other._id)]).toEqual([0, 0]);
  expect(await stockOf(db, chair._id)).toBeLessThan(2);
  expect(await stockOf(db, set._id)).toBe(0);
  expect(await differencesInLedger(db)).toEqual([]);
});

test('the last pieces go to one of those who want them in a set and alone', async () => {
  await db.updateTable('products').set({ countInStock: 4 }).where('id', '=', chair._id).execute();
  const buyers = await Promise.all(Array.from({ length: 8 }, () => aCustomer(db)));
  const replies = await Promise.all(
    buyers.map((buyer, index) => order([index % 2 ? setLine() : aLine(chair, { qty: 4, color: OAK })], buyer)),
  );
  expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
  expect(await stockOf(db, chair._id)).toBe(0);
  const refused = replies.find(({ statusCode }, index) => index % 2 && statusCode === 409);
  if (refused) expect(refused.json().message).toBe('Dining set: Chair is sold out.');
});

test('a promotion for the set or its category is for the whole of it, and one for the chairs leaves it alone', async () => {
  const buyer = await aCustomer(db);
  const { code } = await aPromotion(db, { value: 10, products: [set._id] });
  const { code: chairs } = await aPromotion(db, { value: 10, products: [chair._id] });
  const cart = (typed: string) => send('POST', '/api/cart/discount', { orderItems: [setLine()], code: typed }, buyer);
  expect((await cart(code)).json()).toMatchObject({ amount: 9_000, refusal: '' });
  expect((await cart(chairs)).json()).toMatchObject({ amount: 0, refusal: 'This code does not apply to anything in your cart.' });
  const placed = (await order([setLine()], buyer, { discount: { code, amount: 9_000 } })).json<Order>();
  expect(placed).toMatchObject({ discount: 9_000, subTotalPrice: 89_999 });
  expect(placed.orderItems.reduce((sum, { discount }) => sum + discount, 0)).toBe(9_000);
});

test('a set of which the first is free is free as a whole, in the cart and on the order (§10.7)', async () => {
  const buyer = await aCustomer(db);
  const { code } = await aPromotion(db, { kind: 'first_free', value: 1, products: [set._id] });
  const cart = await send('POST', '/api/cart/discount', { orderItems: [setLine(2)], code }, buyer);
  expect(cart.json()).toMatchObject({ amount: 89_999, refusal: '' });
  const placed = (await order([setLine(2)], buyer, { discount: { code, amount: 89_999 } })).json<Order>();
  expect(placed).toMatchObject({ discount: 89_999, subTotalPrice: 2 * 89_999 });
});

test('over any sets the lines come to the price of the set, and refunds of all pieces to what was paid', async () => {
  const part = fc.record({ price: fc.integer({ min: 1, max: 90_000 }), qty: fc.integer({ min: 1, max: 9 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 200_000 }),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(0, 7, 33),
      async (parts, price, qty, percent) => {
        const products = await Promise.all(parts.map((one) => aProduct(db, { price: one.price, stock: 50 })));
        const setParts = setPartsText(products.map(({ _id }, index) => ({ _id, qty: parts[index]?.qty ?? 1, size: null, colour: null })));
        const made = await aProduct(db, { price, stock: 0, setParts });
        expect(await stockOf(db, made._id)).toBe(setsLeft(readSetParts(setParts) ?? [], () => ({ countInStock: 50, sizes: [] })));
        const { code } = await aPromotion(db, { value: percent || 1 });
        const buyer = await aCustomer(db);
        const reply = await order([aLine(made, { qty })], buyer, percent > 0 ? { discount: { code } } : {});
        if (percent > 0 && reply.statusCode === 409) return;
        expect(reply.statusCode, reply.body).toBe(201);
        const placed = reply.json<Order>();
        expect(placed.subTotalPrice).toBe(price * qty);
        expect(placed.orderItems.reduce((sum, item) => sum + item.price * item.qty, 0)).toBe(price * qty);
        for (const [index, { _id }] of products.entries())
          expect(placed.orderItems.reduce((sum, item) => sum + (item._id === _id ? item.qty : 0), 0)).toBe((parts[index]?.qty ?? 0) * qty);
        await send('PUT', `/api/orders/${placed._id}/cash`, { isPaid: true });
        for (const line of placed.orderItems.keys())
          await send('POST', `/api/office/orders/${placed._id}/refunds`, {
            lines: [{ line, qty: placed.orderItems[line]?.qty ?? 0 }],
            reason: 'Goodwill',
          });
        const { refundedPrice, discount } = (await send('GET', `/api/orders/${placed._id}`)).json<Order>();
        expect(refundedPrice).toBe(price * qty - discount);
      },
    ),
    { numRuns: runs(6) },
  );
  expect(await listBrokenRuleTexts(db)).toEqual([]);
}, 120_000);

test('staff sell a set on the phone, also at an agreed price, and add one to an order', async () => {
  const lines = [{ product: set._id, qty: 1, size: null, color: null, agreed: { price: 80_001, reason: 'Showroom' } }];
  const quote = await send('POST', '/api/office/orders/quote', { lines, postalCode: 'LS1 4AP', country: 'United Kingdom' });
  expect(quote.json<PhoneQuote>()).toMatchObject({
    subTotalPrice: 80_001,
    lines: [{ name: 'Dining set', price: 80_001, usualPrice: 89_999, qty: 1, discount: 0 }],
  });
  const { totalPrice: expected } = quote.json<PhoneQuote>();
  const body = {
    email: `set-${brands}@example.com`,
    fullName: 'Rita Ring',
    phone: '07700 900123',
    shippingAddress: ADDRESS,
    lines,
    payment: 'cash',
    expected,
  };
  const placed = (await send('POST', '/api/office/orders', body)).json<Order>();
  expect(placed).toMatchObject({
    subTotalPrice: 80_001,
    orderItems: [{ _id: table._id }, { _id: chair._id, qty: 4 }],
  });
  const { revision } = (await send('GET', `/api/orders/${placed._id}`)).json<Order>();
  // Another colour of a chair of the set is still one of its chairs, at what was paid for it.
  const wish = { revision, lines: [{ line: 1, qty: 4, color: '#000000' }], added: [{ product: set._id, qty: 1 }] };
  const url = `/api/office/orders/${placed._id}/correction`;
  const { difference: seen } = (await send('POST', url, wish)).json<Correction>();
  const corrected = (await send('POST', url, { ...wish, expected: seen })).json<Correction>();
  expect(seen).toBe(89_999);
  const added = corrected.order?.orderItems.slice(2) ?? [];
  const chairs = placed.orderItems[1];
  expect(added.map(({ name, color, qty, price }) => [name, color, qty, price])).toEqual([
    ['Dining set: Chair', '#000000', 4, chairs?.price],
    ['Dining set: Table', null, 1, 45_919],
    ['Dining set: Chair', OAK, 4, 11_020],
  ]);
  expect([await stockOf(db, table._id), await stockOf(db, chair._id), await stockOf(db, set._id)]).toEqual([1, 2, 0]);
  expect(await listBrokenRuleTexts(db)).toEqual([]);
});

test('an order has at most a hundred lines, and of each part as many pieces as alone, and says so', async () => {
  await db.updateTable('products').set({ countInStock: 900 }).where('id', 'in', [chair._id, table._id]).execute();
  await db.updateTable('productSizes').set({ quantity: 900 }).where('productId', '=', table._id).execute();
  const reply = await order([setLine(30)], await aCustomer(db));
  expect([reply.statusCode, reply.json().message]).toEqual([400, 'We sell at most 99 of each. Please choose fewer of Dining set: Chair.']);
});

test('pieces of a product that is a set now are named in the history when they come back', async () => {
  const buyer = await aCustomer(db);
  const bench = await aProduct(db, { name: 'Bench', stock: 5 });
  const { _id } = (await order([aLine(bench, { qty: 2 })], buyer)).json<Order>();
  await db
    .updateTable('products')
    .set({ setParts: `2 x ${chair._id} | | ${OAK}` })
    .where('id', '=', bench._id)
    .execute();
  await send('POST', `/api/orders/${_id}/cancel`, { reason: 'Another reason' }, buyer);
  const { events } = (await send('GET', `/api/orders/${_id}`)).json<Order>();
  expect(events.find(({ kind }) => kind === 'not back in stock')?.detail).toBe(
    '2 × Bench. The product is a set now, and has the stock of its parts',
  );
  expect(await stockOf(db, bench._id)).toBe(5);
});
