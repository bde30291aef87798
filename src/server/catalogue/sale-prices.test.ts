import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Product, ProductList } from '#contract/catalogue/catalogue.ts';
import type { ProductSale, SaleList, SalePreview } from '#contract/catalogue/sale.ts';
import type { CheckedCart, Order } from '#contract/orders/orders.ts';
import { signedInAdmin } from '#server/context/context.ts';
import { csvRow } from '#server/platform/csv.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type ProductInput } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';
import { lockWaits } from '#server/testing/while-waiting.ts';
import { readProduct } from './catalogue.service.ts';
import { applyDuePrices } from './price-clock.ts';
import { endSale, startSale } from './sale.service.ts';

const { app, db, services } = await testShop();
const admin = await anAdmin(db);
const proof = await signedInAdmin({ db, token: admin.token, ip: '127.0.0.1' }, 'change products');
const IN_A_DAY = new Date(Date.now() + 86_400_000).toISOString();
const read = (id: string) => readProduct(db, id);

/** Creates a product whose prices have not changed for the given number of days. */
async function aPiece(product: ProductInput, days = 40) {
  const piece = await aProduct(db, product);
  await db
    .updateTable('priceLog')
    .set({ at: sql`at - make_interval(days => ${days})` })
    .where('productId', '=', piece._id)
    .execute();
  return piece;
}

/** Puts a product on sale, from and to moments relative to now. */
async function reduce(id: string, { price, from = '0 s', to = '1 day' }: { price: number; from?: string; to?: string }) {
  await db
    .updateTable('products')
    .set({ salePrice: price, saleFrom: sql`now() + ${from}::interval`, saleTo: sql`now() + ${to}::interval` })
    .where('id', '=', id)
    .execute();
}

/** The sale that is on ends now. */
const end = (id: string) => db.updateTable('products').set({ saleTo: sql`now()` }).where('id', '=', id).execute();
const pricesOf = ({ price, fromPrice, wasPrice, saleEnds }: Product) => [price, fromPrice, wasPrice, saleEnds !== null];
const logOf = async (id: string) => {
  const rows = await db
    .selectFrom('priceLog')
    .select(['size', 'price'])
    .where('productId', '=', id)
    .orderBy('at')
    .orderBy('size')
    .execute();
  return rows.map(({ size, price }) => `${size}${price}`);
};

test('a sale changes the price that is paid, says what it was, and its end brings the usual one back', async () => {
  const lamp = await aPiece({ price: 10_000 });
  await reduce(lamp._id, { price: 8_000 });
  expect(pricesOf(await read(lamp._id))).toEqual([8_000, 8_000, 10_000, true]);
  await end(lamp._id);
  expect(pricesOf(await read(lamp._id))).toEqual([10_000, 10_000, null, false]);
  expect(await logOf(lamp._id)).toEqual(['10000', '8000', '10000']);
});

test('a sale begins and ends by the clock, in the list, its filters and its sort too', async () => {
  const [lamp, other] = [await aPiece({ price: 10_000, category: 'Timed' }), await aPiece({ price: 9_000, category: 'Timed' })];
  await reduce(lamp._id, { price: 8_000, from: '1 hour' });
  const shown = async () => pricesOf((await app.inject({ url: `/api/products/${lamp._id}` })).json<Product>());
  const list = async (query = '') =>
    (await app.inject({ url: `/api/products?categoryQuery=timed&sortBy=ascprice${query}` }))
      .json<ProductList>()
      .products.map(({ _id }) => _id);
  expect(await shown()).toEqual([10_000, 10_000, null, false]);
  expect(await list()).toEqual([other._id, lamp._id]);
  await reduce(lamp._id, { price: 8_000, from: '200 ms' });
  await eventually(async () => {
    await applyDuePrices(db);
    await services.invalidation.catchUp();
    expect(await shown()).toEqual([8_000, 8_000, 10_000, true]);
  });
  expect([await list(), await list('&maxPriceQuery=85')]).toEqual([[lamp._id, other._id], [lamp._id]]);
  await db.updateTable('products').set({ saleTo: sql`now() + '200 ms'` }).where('id', '=', lamp._id).execute();
  await eventually(async () => {
    await applyDuePrices(db);
    await services.invalidation.catchUp();
    expect(await shown()).toEqual([10_000, 10_000, null, false]);
  });
  expect(await list('&maxPriceQuery=85')).toEqual([]);
});

test('a line is ordered at the price that is shown and at no other, also while the clock is late (§10.2)', async () => {
  const buyer = await aCustomer(db);
  const lamp = await aPiece({ price: 10_000 });
  const order = (price: number) =>
    app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(lamp, { price })]) });
  await reduce(lamp._id, { price: 8_000, to: '100 ms' });
  expect((await order(10_000)).json()).toEqual({
    message: `The price of ${lamp.name} has changed: it is now £80.00. Please check your cart.`,
  });
  expect((await order(8_000)).json<Order>()).toMatchObject({ totalPrice: 8_000, orderItems: [{ price: 8_000 }] });
  const isOver = sql<boolean>`price_changes_at < clock_timestamp()`.as('isOver');
  await eventually(async () => {
    const { isOver: over } = await db.selectFrom('products').select(isOver).where('id', '=', lamp._id).executeTakeFirstOrThrow();
    expect(over).toBe(true);
  });
  expect((await read(lamp._id)).price).toBe(8_000);
  expect((await order(8_000)).statusCode).toBe(201);
  await applyDuePrices(db);
  expect((await order(8_000)).statusCode).toBe(409);
  expect((await order(10_000)).statusCode).toBe(201);
});

test('a size has its own sale price; one without a price of its own follows the product', async () => {
  const bed = await aPiece({
    price: 50_000,
    sizes: [{ size: 'Single' }, { size: 'Double', price: 70_000 }, { size: 'King', price: 90_000 }],
  });
  await sql`update product_sizes set sale_price = 60000 where product_id = ${bed._id} and size = 'Double'`.execute(db);
  await reduce(bed._id, { price: 45_000 });
  const on = await read(bed._id);
  expect(on.sizes.map(({ price, wasPrice }) => [price, wasPrice])).toEqual([
    [0, 50_000],
    [60_000, 70_000],
    [90_000, null],
  ]);
  expect([on.price, on.fromPrice, on.wasPrice, on.toPrice]).toEqual([45_000, 45_000, 50_000, 90_000]);
  const cart = [aLine(bed, { size: 'Single' }), aLine(bed, { size: 'King' })];
  const reply = await app.inject({ method: 'POST', url: '/api/cart/check', payload: { orderItems: cart } });
  expect(reply.json<CheckedCart>().lines.map(({ price, wasPrice }) => [price, wasPrice])).toEqual([
    [45_000, 50_000],
    [90_000, null],
  ]);
  await end(bed._id);
  expect((await read(bed._id)).sizes.map(({ price }) => price)).toEqual([0, 70_000, 90_000]);
});

test('"was" is the lowest price of the 30 days before the sale, and is left out where that is not known or not higher', async () => {
  const young = await aPiece({ price: 10_000 }, 29);
  await reduce(young._id, { price: 8_000 });
  expect((await read(young._id)).wasPrice).toBe(null);

  const earlier = async (id: string, price: number, days: number) =>
    db
      .insertInto('priceLog')
      .values({ productId: id, price, at: sql`now() - make_interval(days => ${days})` })
      .execute();
  // Cheaper for two days within the 30 days before, then dearer again.
  const raised = await aPiece({ price: 10_000 }, 60);
  await earlier(raised._id, 9_000, 20);
  await earlier(raised._id, 10_000, 18);
  await reduce(raised._id, { price: 8_000 });
  expect((await read(raised._id)).wasPrice).toBe(9_000);

  // Cheaper longer ago, and dearer since 40 days.
  const long = await aPiece({ price: 10_000 }, 40);
  await earlier(long._id, 7_000, 90);
  await reduce(long._id, { price: 8_000 });
  expect((await read(long._id)).wasPrice).toBe(10_000);

  // On sale again at once: the price before is that of the last sale.
  const again = await aPiece({ price: 10_000 });
  await reduce(again._id, { price: 8_000 });
  await end(again._id);
  await reduce(again._id, { price: 8_000 });
  expect((await read(again._id)).wasPrice).toBe(null);
  await end(again._id);
  await reduce(again._id, { price: 7_000 });
  expect((await read(again._id)).wasPrice).toBe(8_000);
});

test('a price that is set during a sale is the usual one afterwards; a sale never makes a piece dearer', async () => {
  const lamp = await aPiece({ price: 10_000 });
  await reduce(lamp._id, { price: 8_000 });
  await db.updateTable('products').set({ regularPrice: 9_500 }).where('id', '=', lamp._id).execute();
  expect(pricesOf(await read(lamp._id))).toEqual([8_000, 8_000, 9_500, true]);
  await db.updateTable('products').set({ regularPrice: 7_500 }).where('id', '=', lamp._id).execute();
  expect(pricesOf(await read(lamp._id))).toEqual([7_500, 7_500, null, true]);
  await end(lamp._id);
  expect((await read(lamp._id)).price).toBe(7_500);
});

test('the specified edit, which sends the prices back that it has read, changes no price during a sale or soon after its end; one that is typed is the usual one', async () => {
  const bed = await aPiece({ price: 50_000, sizes: [{ size: 'Single' }, { size: 'Double', price: 70_000 }] });
  await startSale(db, proof, {
    goods: { categories: [], brands: [], products: [bed._id] },
    percent: 10,
    rounding: 'exact',
    saleFrom: null,
    saleTo: IN_A_DAY,
  });
  const { _id, sizes, ...shown } = await read(bed._id);
  expect([shown.price, sizes.map(({ price }) => price)]).toEqual([45_000, [0, 63_000]]);
  const edit = async (price: number, typed: object[]) => {
    const body = { name: shown.name, description: 'x', category: 'Bed', subCategory: 'Double', brand: 'Alder', countInStock: '9' };
    const form = new FormData();
    const fields = { ...body, price: String(price), newArrivals: 'false', isRecommend: 'false', sizes: JSON.stringify(typed) };
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    const request = new Request('http://shop.test/', { method: 'PUT', body: form });
    const headers = { ...admin.headers, 'content-type': request.headers.get('content-type') ?? '' };
    const reply = await app.inject({
      method: 'PUT',
      url: `/api/products/${_id}`,
      headers,
      payload: Buffer.from(await request.arrayBuffer()),
    });
    expect(reply.statusCode, reply.body).toBe(200);
  };
  await edit(shown.price, sizes);
  expect([(await read(_id)).price, (await read(_id)).sizes.map(({ price }) => price)]).toEqual([45_000, [0, 63_000]]);
  // Read during the sale, and sent soon after its end.
  await end(_id);
  await edit(shown.price, sizes);
  expect([(await read(_id)).price, (await read(_id)).sizes.map(({ price }) => price)]).toEqual([50_000, [0, 70_000]]);
  // Some hours later it is a new price.
  await db.updateTable('products').set({ saleTo: sql`now() - interval '2 hours'` }).where('id', '=', _id).execute();
  await edit(shown.price, sizes);
  expect([(await read(_id)).price, (await read(_id)).sizes.map(({ price }) => price)]).toEqual([45_000, [0, 63_000]]);
  await edit(50_000, [{ ...sizes[0] }, { ...sizes[1], price: 70_000 }]);
  await db.updateTable('products').set({ saleTo: IN_A_DAY }).where('id', '=', _id).execute();
  await edit(48_000, sizes);
  await endSale(db, proof, { categories: [], brands: [], products: [_id] });
  expect([(await read(_id)).price, (await read(_id)).sizes.map(({ price }) => price)]).toEqual([48_000, [0, 70_000]]);
});

test('the CSV holds the usual prices; an import during a sale leaves the sale on', async () => {
  const lamp = await aPiece({ price: 10_000, sizes: [{ size: 'S', price: 12_000 }] });
  await startSale(db, proof, {
    goods: { categories: [], brands: [], products: [lamp._id] },
    percent: 20,
    rounding: 'exact',
    saleFrom: null,
    saleTo: IN_A_DAY,
  });
  const { carryOut, check, exported } = importer(app, admin);
  expect(await check(await exported())).toMatchObject({ changed: 0, errors: [] });
  expect(
    await carryOut(
      [
        ['_id', 'price'],
        [lamp._id, '11000'],
      ]
        .map(csvRow)
        .join(''),
    ),
  ).toMatchObject({ changed: 1 });
  expect([(await read(lamp._id)).price, (await read(lamp._id)).sizes[0]?.price]).toEqual([8_000, 9_600]);
  await endSale(db, proof, { categories: [], brands: [], products: [lamp._id] });
  expect([(await read(lamp._id)).price, (await read(lamp._id)).sizes[0]?.price]).toEqual([11_000, 12_000]);
});

test('a sale of a category is shown before it is begun, lists its pieces, and ends with one call', async () => {
  const category = 'Bargains';
  const pieces = [
    await aPiece({ price: 19_999, category }),
    await aPiece({ price: 50, category }),
    await aPiece({ category, sizes: [{ size: 'S' }, { size: 'L', price: 30_050 }] }),
  ];
  const goods = { categories: [category], brands: [], products: [] };
  const body = { goods, percent: 15, rounding: '.99', saleFrom: '', saleTo: '2030-01-01 09:00' };
  const call = (url: string, payload: object, headers = admin.headers) =>
    app.inject({ method: 'POST', url: `/api/office/sale-prices${url}`, headers, payload });
  const { total, reductions } = (await call('/preview', body)).json<SalePreview>();
  expect([total, reductions.map(({ price, salePrice }) => [price, salePrice])]).toEqual([
    3,
    [
      [19_999, 16_999],
      [50, 42],
      [49_999, 42_499],
      [30_050, 25_499],
    ],
  ]);
  expect((await read(pieces[0]?._id ?? '')).price).toBe(19_999);
  expect((await call('', body)).json()).toEqual({ changed: 3 });
  const listOf = async (page: number) =>
    (await app.inject({ url: `/api/office/sale-prices?pageNumber=${page}`, headers: admin.headers })).json<SaleList>();
  const listed = await listOf(1);
  // A page beyond the last knows how many there are.
  expect(await listOf(99)).toMatchObject({ rows: [], page: 99, pages: listed.pages, total: listed.total });
  expect(
    listed.rows
      .filter(({ _id }) => pieces.some((piece) => piece._id === _id))
      .map(({ price, salePrice, wasPrice, isOn }) => [price, salePrice, wasPrice, isOn]),
  ).toEqual([
    [19_999, 16_999, 19_999, true],
    [50, 42, 50, true],
    [30_050, 25_499, 30_050, true],
  ]);
  expect((await call('/end', { goods })).json()).toEqual({ changed: 3 });
  expect((await read(pieces[0]?._id ?? '')).price).toBe(19_999);
  for (const [change, message] of [
    [{ percent: 91 }, 'The reduction can be at most 90 %.'],
    [{ saleTo: '' }, 'Say when the sale ends.'],
    [{ saleTo: '2026-01-01 09:00' }, 'The end is in the past.'],
    [{ saleFrom: '2030-01-02 09:00' }, 'The sale must end after it begins.'],
    [{ goods: { ...goods, categories: ['Nothing'] } }, 'No piece matches. Choose another category or brand, or other pieces.'],
  ] as const)
    expect((await call('', { ...body, ...change })).json()).toMatchObject({ message });
  const faults = (await call('/preview', { ...body, percent: 95, saleTo: '2026-01-01 09:00' })).json().errors;
  expect(faults).toEqual({ percent: 'The reduction can be at most 90 %.', saleTo: 'The end is in the past.' });
  expect((await call('', body, (await aCustomer(db)).headers)).statusCode).toBe(403);
});

test('the sale prices of one product and its sizes are set by hand, must be lower and end, and every price is listed', async () => {
  const bed = await aPiece({ price: 50_000, sizes: [{ size: 'Single' }, { size: 'Double', price: 70_000 }] });
  const url = `/api/office/products/${bed._id}/sale`;
  const set = (payload: object) => app.inject({ method: 'PUT', url, headers: admin.headers, payload });
  const sizes = [
    { size: 'Single', salePrice: null },
    { size: 'Double', salePrice: 60_000 },
  ];
  const body = { salePrice: 45_000, sizes, saleFrom: '', saleTo: IN_A_DAY };
  for (const [change, message] of [
    [{ salePrice: 50_000 }, 'The sale price must be below £500.00.'],
    [{ sizes: [{ size: 'Double', salePrice: 70_000 }] }, 'The sale price of Double must be below £700.00.'],
    [{ sizes: [{ size: 'King', salePrice: 1 }] }, 'The product no longer has the size King. Reload it to see its sizes.'],
    [{ saleTo: '' }, 'Say when the sale ends.'],
    [{ saleTo: '2026-01-01 09:00' }, 'The end is in the past.'],
    [{ salePrice: 0 }, 'The sale price must be at least 1 penny.'],
  ] as const)
    expect((await set({ ...body, ...change })).json()).toMatchObject({ message });
  expect((await set(body)).json<ProductSale>()).toMatchObject({
    regularPrice: 50_000,
    salePrice: 45_000,
    isOn: true,
    sizes: [
      { size: 'Single', regularPrice: 0, salePrice: null },
      { size: 'Double', regularPrice: 70_000, salePrice: 60_000 },
    ],
  });
  expect((await read(bed._id)).sizes.map(({ price }) => price)).toEqual([0, 60_000]);
  const none = sizes.map((size) => ({ ...size, salePrice: null }));
  const { isOn, log } = (await set({ ...body, salePrice: null, sizes: none })).json<ProductSale>();
  expect([isOn, log.filter(({ size }) => size === 'Double').map(({ price }) => price)]).toEqual([false, [70_000, 60_000, 70_000]]);
  expect((await app.inject({ url, headers: (await aCustomer(db)).headers })).statusCode).toBe(403);
});

test('a version of the shop that knows no sales sets the price as before, and it is logged', async () => {
  const lamp = await aPiece({ price: 10_000, sizes: [{ size: 'S', price: 4_000 }] });
  await db.updateTable('products').set({ price: 9_000 }).where('id', '=', lamp._id).execute();
  await db.updateTable('productSizes').set({ price: 0 }).where('productId', '=', lamp._id).execute();
  expect((await read(lamp._id)).fromPrice).toBe(9_000);
  expect((await logOf(lamp._id)).filter((entry) => entry.startsWith('S'))).toEqual(['S4000', 'S9000']);
});

test('no cache in front may keep a page beyond the next change of a price', async () => {
  const behind = await testShop({ env: { FRONT_CACHE_SECONDS: '600' } });
  const lamp = await aProduct(behind.db);
  await behind.services.invalidation.catchUp();
  const seconds = async () =>
    /s-maxage=(\d+)/.exec((await fetch(`${behind.url}/api/products/${lamp._id}`)).headers.get('cache-control') ?? '')?.[1];
  await seconds();
  expect(await seconds()).toBe('600');
  behind.services.cache.nextPriceChange = Date.now() + 90_500;
  expect(await seconds()).toBe('90');
  behind.services.cache.nextPriceChange = Date.now() - 1_000;
  expect(await seconds()).toBe('0');
});

test('an import leaves prices, offers, words, price log and ledger of stock as an edit of the same values does', async () => {
  const sizes = [
    { size: 'S', quantity: 5, price: 9_000 },
    { size: 'M', quantity: 2, price: 0 },
    { size: 'L', quantity: 1, price: 12_000 },
  ];
  const twins = [await aPiece({ price: 10_000, sizes, name: 'Quillow' }), await aPiece({ price: 10_000, sizes, name: 'Quillow' })] as const;
  const others = await aPiece({ price: 5_000, name: 'Vexwood', stock: 3 });
  for (const { _id } of twins) await reduce(_id, { price: 8_000 });
  const after = [
    { size: 'M', quantity: 0, price: 0, measurements: [{ name: 'Width', value: '80' }] },
    { size: 'S', quantity: 4, price: 9_500, measurements: [] },
    { size: 'XL', quantity: 3, price: 15_000, measurements: [] },
  ];
  const [edited, imported] = twins.map(({ _id }) => _id) as [string, string];
  const product = await readProduct(db, edited);
  const form = new FormData();
  const fields = { name: 'Zephyrine', price: '11000', countInStock: '4', sizes: JSON.stringify(after) };
  for (const [name, value] of Object.entries({
    description: product.description,
    category: product.category,
    subCategory: product.subCategory,
    brand: product.brand,
    newArrivals: 'false',
    isRecommend: 'false',
    ...fields,
  }))
    form.append(name, value);
  const request = new Request('http://shop.test/', { method: 'PUT', body: form });
  const reply = await app.inject({
    method: 'PUT',
    url: `/api/products/${edited}`,
    headers: { ...admin.headers, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  expect(reply.statusCode).toBe(200);
  const csv =
    csvRow(['_id', 'name', 'price', 'countInStock', 'sizes']) +
    csvRow([imported, ...Object.values(fields)]) +
    csvRow([others._id, 'Vexwood', '6000', '9', '']);
  expect(await importer(app, admin).carryOut(csv)).toMatchObject({ changed: 2, errors: [] });
  const whole = async (id: string) => {
    const {
      id: _,
      createdAt: __,
      updatedAt: ___,
      saleFrom: ____,
      saleTo: _____,
      saleSince,
      priceChangesAt: ______,
      ...columns
    } = await db.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const ofSizes = await db.selectFrom('productSizes').selectAll().where('productId', '=', id).orderBy('position').execute();
    const moves = await db
      .selectFrom('stockMovements')
      .select(['size', 'change', 'balance'])
      .where('productId', '=', id)
      .orderBy(sql`coalesce(size, ''), id`)
      .execute();
    const dimensions = await db.selectFrom('productDimensions').selectAll().where('productId', '=', id).orderBy('position').execute();
    const own = <T extends { productId: string }>(rows: T[]) => rows.map(({ productId: _______, ...row }) => row);
    return {
      ...columns,
      isOn: saleSince !== null,
      sizes: own(ofSizes),
      moves,
      dimensions: own(dimensions),
      log: [...new Set(await logOf(id))].sort(),
    };
  };
  expect(await whole(imported)).toEqual(await whole(edited));
  expect(await whole(imported)).toMatchObject({ price: 8_000, regularPrice: 11_000, fromPrice: 8_000, stockLevel: 4, isOn: true });
  expect(await whole(others._id)).toMatchObject({ price: 6_000, fromPrice: 6_000, stockLevel: 6, isAvailable: true });
  expect(await logOf(others._id)).toEqual(['5000', '6000']);
  const { rows: words } = await sql<{ word: string }>`
    select word from catalogue_words where word in ('quillow', 'zephyrine', 'vexwood') order by word`.execute(db);
  expect(words.map(({ word }) => word)).toEqual(['vexwood', 'zephyrine']);
});

test.each(['_', 'null', 'undefined', 'Bargains_Lamps'])('a sale of the category “%s” means no other', async (name) => {
  const body = {
    goods: { categories: [name], brands: [], products: [] },
    percent: 15,
    rounding: '.99',
    saleFrom: '',
    saleTo: '2030-01-01 09:00',
  };
  const reply = await app.inject({ method: 'POST', url: '/api/office/sale-prices/preview', headers: admin.headers, payload: body });
  expect([reply.statusCode, reply.json().message]).toEqual([400, 'No piece matches. Choose another category or brand, or other pieces.']);
});

test('a sale of more pieces than a batch reaches all of them while a colleague takes one out of the category', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 250; n += 1) ids.push((await aProduct(db, { name: `Peg ${n}`, category: 'Peg', price: 10_000 }))._id);
  // A set that is locked with the first batch, and comes last.
  await aProduct(db, { name: 'Two pegs', category: 'Peg', price: 20_000, stock: 0, setParts: `2 x ${ids[3]}` });
  const sale = {
    goods: { categories: ['Peg'], brands: [], products: [] },
    percent: 10,
    rounding: 'exact' as const,
    saleFrom: null,
    saleTo: IN_A_DAY,
  };
  const changed = await db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('products')
      .select('id')
      .where('id', '=', ids[10] ?? '')
      .forUpdate()
      .execute();
    const started = startSale(db, proof, sale);
    await eventually(async () => expect(await lockWaits(db)).toBe(1));
    await tx
      .updateTable('products')
      .set({ category: 'Other' })
      .where('id', '=', ids[10] ?? '')
      .execute();
    return () => started;
  });
  expect(await changed()).toMatchObject({ changed: 250 });
  const left = db.selectFrom('products').select('id').where('category', '=', 'Peg').where('salePrice', 'is', null);
  expect(await left.execute()).toEqual([]);
});
