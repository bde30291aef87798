import { expect, test } from 'vitest';
import type { Related } from '#contract/catalogue/catalogue.ts';
import type { Order } from '#contract/orders/orders.ts';
import { aCustomer, aLine, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const related = async (id: string) => (await app.inject({ url: `/api/products/${id}/related` })).json<Related>();
const namesOf = (cards: { name: string }[]) => cards.map(({ name }) => name);

const base = { fit: 'Living room', brand: 'Alder', price: 50_000 };
const sofa = await aProduct(db, { ...base, name: 'Oslo Sofa', category: 'Sofa', description: 'A sofa of oak.', price: 50_000 });

test('pieces that go with another are of a different kind, first from its range, then its brand and room (§19.1)', async () => {
  await aProduct(db, { ...base, name: 'Oslo Footstool', category: 'Footstool', images: ['/images/one.webp', '/images/two.webp'] });
  await aProduct(db, { ...base, name: 'Bergen Table', category: 'Table', description: 'A table of oak.' });
  await aProduct(db, { ...base, name: 'Turin Lamp', category: 'Lamp', brand: 'Other' });
  await aProduct(db, { ...base, name: 'Oslo Corner Sofa', category: 'Sofa' });
  await aProduct(db, { ...base, name: 'Oslo Shelf', category: 'Shelf', stock: 0 });
  await aProduct(db, { ...base, name: 'Attic Bed', category: 'Bed', brand: 'Other', fit: 'Bedroom' });
  const { goesWith } = await related(sofa._id);
  expect(namesOf(goesWith)).toEqual(['Oslo Footstool', 'Bergen Table', 'Turin Lamp']);
  expect(goesWith[0]).toMatchObject({ fromPrice: 50_000, toPrice: 50_000, wasPrice: null, reviewCount: 0, images: ['/images/one.webp'] });
});

test('at most eight pieces are shown, three of each category (§19.1)', async () => {
  const lamp = await aProduct(db, { ...base, name: 'Riga Vase', category: 'Vase', brand: 'Riga', fit: 'Hall' });
  for (let n = 0; n < 12; n += 1) await aProduct(db, { name: `Riga Piece ${n}`, category: `Kind ${n % 2}`, brand: 'Riga', fit: 'Hall' });
  const { goesWith } = await related(lamp._id);
  expect(goesWith.filter(({ name }) => /[02468]$/.test(name))).toHaveLength(3);
  expect(goesWith.length).toBeLessThanOrEqual(8);
});

test('a piece that is sold out has three alternatives of its kind, which are in stock; one in stock has none (§19.2)', async () => {
  const gone = await aProduct(db, { name: 'Gone Bench', category: 'Bench', subCategory: 'Hall', price: 10_000, stock: 0 });
  for (const [name, price, subCategory, stock] of [
    ['Near Bench', 11_000, 'Hall', 5],
    ['Far Bench', 90_000, 'Hall', 5],
    ['Cheap Bench', 8_000, 'Hall', 5],
    ['Garden Bench', 10_000, 'Garden', 5],
    ['Sold Bench', 10_000, 'Hall', 0],
  ] as const)
    await aProduct(db, { name, price, subCategory, stock, category: 'Bench' });
  expect(namesOf((await related(gone._id)).instead)).toEqual(['Near Bench', 'Cheap Bench', 'Far Bench']);
  expect((await related(sofa._id)).instead).toEqual([]);
});

test('a piece that sells out leaves the strip at once, has alternatives itself, and is back once it is in stock again (§19.1, §19.2)', async () => {
  const [chair, table] = [
    await aProduct(db, { name: 'Pori Chair', category: 'Chair', brand: 'Pori', fit: 'Study' }),
    await aProduct(db, { name: 'Pori Desk', category: 'Desk', brand: 'Pori', fit: 'Study', stock: 1 }),
  ];
  await aProduct(db, { name: 'Turku Desk', category: 'Desk', fit: 'Hall' });
  const shown = async () => [namesOf((await related(chair._id)).goesWith), namesOf((await related(table._id)).instead)];
  expect(await shown()).toEqual([['Pori Desk'], []]);
  const { headers } = await aCustomer(db);
  const order = await app.inject({ method: 'POST', url: '/api/orders', headers, payload: aPayload([aLine(table)]) });
  expect(await shown()).toEqual([[], ['Turku Desk']]);
  const { _id } = order.json<Order>();
  await app.inject({ method: 'POST', url: `/api/orders/${_id}/cancel`, headers, payload: { reason: 'Another reason' } });
  expect(await shown()).toEqual([['Pori Desk'], []]);
});
