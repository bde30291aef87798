import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { runJobs } from '#server/app/jobs.ts';
import { catalogueJobs } from '#server/catalogue/jobs.ts';
import { generate } from '#server/generator/generate.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testDatabase, testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';
import { deriveAttributes } from './derive.service.ts';

const { app, db, services, url } = await testShop();
const admin = await anAdmin(db);

/** What is stored of a product's attributes. */
async function attributes(id: string, of: Db = db) {
  const product = await of
    .selectFrom('products')
    .select(['materials', 'colourFamilies', 'fitKey', 'attributesVersion'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const dimensions = await of
    .selectFrom('productDimensions')
    .select(['position', 'width', 'depth', 'height'])
    .where('productId', '=', id)
    .orderBy('position')
    .execute();
  return { ...product, dimensions };
}

const FIELDS = { name: 'Oak bench', description: 'With a wool seat.', fit: 'Hallway ', category: 'Bench', brand: 'Alder', price: '9900' };
const sized = (size: string, value: string) => ({ size, quantity: 1, price: 0, measurements: [{ name: 'Width', value }] });

async function send(method: 'POST' | 'PUT', path: string, fields: Record<string, unknown>): Promise<Product> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  return (await (await fetch(`${url}${path}`, { method, headers: admin.headers, body: form })).json()) as Product;
}

test('materials, colour families, room and dimensions follow what an administrator types: creating, editing, importing (§3.2.1)', async () => {
  const colors = [{ colorName: '#47503b', hexCode: '#47503b' }];
  const made = await send('POST', '/api/products', {
    ...FIELDS,
    countInStock: '2',
    colors,
    sizes: [sized('S', '120'), sized('L', '72 in')],
  });
  expect(await attributes(made._id)).toMatchObject({
    materials: ['Oak', 'Wool'],
    colourFamilies: ['green'],
    fitKey: 'hallway',
    dimensions: [
      { position: 0, width: 1_200, depth: null, height: null },
      { position: 1, width: 1_829, depth: null, height: null },
    ],
  });
  expect(made.sizes.map(({ measurements }) => measurements[0]?.value)).toEqual(['120', '72 in']);
  const edit = { ...FIELDS, description: 'Plain.', subCategory: 'Long', countInStock: '1', sizes: [sized('S', 'rather wide')] };
  await send('PUT', `/api/products/${made._id}`, edit);
  expect(await attributes(made._id)).toMatchObject({ materials: ['Oak'], colourFamilies: ['green'], fitKey: 'hallway', dimensions: [] });
  const { carryOut } = importer(app, admin);
  await carryOut(`_id,name,measurements\r\n${made._id},Ash bench,"[{""name"":""Dimensions"",""value"":""224 x 95 x 80 cm""}]"\r\n`);
  expect(await attributes(made._id)).toMatchObject({
    materials: ['Ash'],
    dimensions: [{ position: 0, width: 2_240, depth: 950, height: 800 }],
  });
  for (const [query, total] of [
    ['materialQuery=ash&colourQuery=green&fitQuery=hallway&minWidthQuery=224&maxHeightQuery=80', 1],
    ['materialQuery=oak', 0],
  ])
    expect((await app.inject({ url: `/api/products?${query}` })).json()).toMatchObject({ total });
});

test('products that an older version of the rules derived are derived again by a job, a batch at a time, and pages hear of it once (§3.2.1)', async () => {
  const bench = await aProduct(db, {
    name: 'Oak bench',
    description: 'Solid.',
    sizes: [{ size: 'S', measurements: [{ name: 'Width', value: '2 m' }] }],
  });
  await generate(services.pool, { products: 450, orders: 0, seed: 5 });
  await db
    .updateTable('products')
    .set({ attributesVersion: 0, materials: ['Dust'], fitKey: 'nowhere' })
    .execute();
  await db.deleteFrom('productDimensions').execute();
  const told = () =>
    db
      .selectFrom('catalogueChanges')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
  const before = await told();
  await enqueue(db, catalogueJobs.deriveAttributes, {});
  await runJobs(services);
  expect(await attributes(bench._id)).toMatchObject({ materials: ['Oak'], fitKey: 'living room', dimensions: [{ width: 2_000 }] });
  expect(await db.selectFrom('products').select('id').where('attributesVersion', '=', 0).execute()).toEqual([]);
  expect((await told()).total).toBe(before.total + 1);
});

test('while products are derived, reading one and moving its stock’s neighbour do not wait', async () => {
  const [one, other] = [await aProduct(db), await aProduct(db)];
  await db.transaction().execute(async (tx) => {
    await sql`select id from products where id = ${one._id}::uuid for no key update`.execute(tx);
    await deriveAttributes(tx, [one._id]);
    expect((await app.inject({ url: `/api/products/${one._id}` })).statusCode).toBe(200);
    await sql`update products set count_in_stock = count_in_stock - 1 where id = ${other._id}::uuid`.execute(db);
  });
});

test('the generator writes what deriving its products gives', async () => {
  const { db: generated, pool } = await testDatabase(3);
  await generate(pool, { products: 60, orders: 0, seed: 9 });
  const ids = (await generated.selectFrom('products').select('id').execute()).map(({ id }) => id);
  const before = await Promise.all(ids.map((id) => attributes(id, generated)));
  await deriveAttributes(generated, ids);
  expect(await Promise.all(ids.map((id) => attributes(id, generated)))).toEqual(before);
  expect(before.filter(({ dimensions }) => dimensions.length > 0)).toHaveLength(60);
  expect(before.filter(({ materials }) => materials.length > 0)).toHaveLength(60);
});
