import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/base/root.ts';
import { keepDemoModel } from '#server/demo/demo-pictures.ts';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { removeOrphanedPictures } from './pictures.jobs.ts';

const { app, db, services } = await testShop();
const { pictures } = services;
const stool = readFileSync(join(ROOT, 'demo/models/tarn-oak-stool.glb'));

/** The clean-up as it runs hours from now. */
const cleanUpLater = () => {
  const list = () => pictures.models.list(new Date(Date.now() + 7_200_000));
  return removeOrphanedPictures({ ...services, pictures: { ...pictures, models: { ...pictures.models, list } } });
};

test('a model is served as it is, for good, under an address made from its content', async () => {
  const url = (await keepDemoModel(pictures, 'tarn-oak-stool')) ?? '';
  expect(url).toMatch(/^\/models\/[a-f0-9]{32}\.glb$/);
  expect(await pictures.models.keep(stool)).toBe(url);
  const { statusCode, headers, rawPayload } = await app.inject({ url });
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'model/gltf-binary',
    'public, max-age=31536000, immutable',
  ]);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(rawPayload.equals(stool)).toBe(true);
  expect((await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })).statusCode).toBe(304);
  for (const other of [`/models/${'0'.repeat(32)}.glb`, url.replace('.glb', '.webp'), '/models/..%2Fmasters%2Fa.webp'])
    expect((await app.inject({ url: other })).statusCode).toBe(404);
  expect(await keepDemoModel(pictures, 'no-such-product')).toBeNull();
});

test('a product tells its model; the model of a product that is no longer sold is removed, and young ones stay', async () => {
  const url = await pictures.models.keep(stool);
  const sofa = await aProduct(db, {});
  await db.updateTable('products').set({ model: url }).where('id', '=', sofa._id).execute();
  expect((await app.inject({ url: `/api/products/${sofa._id}` })).json().model).toBe(url);
  await cleanUpLater();
  expect((await app.inject({ url })).statusCode).toBe(200);
  await db.updateTable('products').set({ deletedAt: new Date().toISOString() }).where('id', '=', sofa._id).execute();
  await removeOrphanedPictures(services);
  expect((await app.inject({ url })).statusCode).toBe(200);
  await cleanUpLater();
  expect((await app.inject({ url })).statusCode).toBe(404);
});
