import { expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { JOBS } from '#server/app/jobs.ts';
import { csvRow } from '#server/platform/csv.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, stockOf } from '#server/testing/factories.ts';
import { emptyDatabase, testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';
import { backupLines } from './backup.ts';
import { restoreLines } from './restore.ts';
import { differencesOf, differencesText, takeBackProducts } from './take-back.ts';

const { app, db, services } = await testShop();

async function aCopy() {
  const copy = await emptyDatabase();
  await restoreLines(copy, services.pictures, backupLines({ ...copy, db, pool: services.pool }, services.pictures), JOBS);
  return copy;
}

test('deleted products and the prices of a wrong import come back from a copy; orders since, stock and new products stay', async () => {
  const [admin, buyer] = [await anAdmin(db), await aCustomer(db)];
  const sizes = [
    { size: 'S', price: 10_000, quantity: 4 },
    { size: 'L', price: 20_000, quantity: 4 },
  ];
  const [sofa, lamp, desk, bench] = [
    await aProduct(db, { name: 'Sofa', price: 50_000, stock: 9, sizes }),
    await aProduct(db, { name: 'Lamp', price: 3_000, stock: 9 }),
    await aProduct(db, { name: 'Desk', price: 30_000 }),
    await aProduct(db, { name: 'Bench', price: 20_000 }),
  ];
  await app.inject({ method: 'DELETE', url: `/api/products/${bench._id}`, headers: admin.headers });
  const copy = await aCopy();

  await app.inject({ method: 'DELETE', url: `/api/products/${lamp._id}`, headers: admin.headers });
  await db.updateTable('products').set({ state: 'live', deletedAt: null }).where('id', '=', bench._id).execute();
  const { carryOut } = importer(app, admin);
  await carryOut(
    csvRow(['_id', 'price', 'sizes']) + csvRow([sofa._id, '5', JSON.stringify([{ ...sizes[0], price: 1, measurements: [] }])]),
  );
  const made = await aProduct(db, { name: 'Stool', price: 4_000 });
  const line = aLine(sofa, { size: 'S', price: 1 });
  const placed = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([line]) });
  expect(placed.statusCode).toBe(201);

  const differences = await differencesOf(db, copy.db);
  expect(Object.fromEntries(differences.products.map(({ name, columns }) => [name, columns.sort()]))).toEqual({
    Bench: ['deleted_at', 'state'],
    Lamp: ['deleted_at', 'state', 'state_before'],
    Sofa: ['price', 'sizes'],
  });
  const text = differencesText(differences);
  for (const said of [
    '3 products differ from the copy:',
    'Lamp: taken out of the shop since',
    'Bench: brought into the shop since',
    '1 orders were placed since',
  ])
    expect(text).toContain(said);

  expect(await takeBackProducts(db, copy.db)).toBe(3);
  const read = async (id: string) => (await app.inject(`/api/products/${id}`)).json<Product>();
  expect(await read(sofa._id)).toMatchObject({
    price: 50_000,
    sizes: [
      { size: 'S', price: 10_000, quantity: 3 },
      { size: 'L', price: 20_000, quantity: 4 },
    ],
  });
  expect(await read(lamp._id)).toMatchObject({ name: 'Lamp', price: 3_000 });
  expect(await read(desk._id)).toMatchObject({ version: 1 });
  expect(await read(made._id)).toMatchObject({ name: 'Stool' });
  expect(await stockOf(db, sofa._id)).toBe(8);
  expect((await differencesOf(db, copy.db)).products).toEqual([]);
});
