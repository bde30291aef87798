import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { keepDemoModel } from '#server/demo/demo-pictures.ts';
import { modelProcess } from '#server/gateways/worker-process.ts';
import { ROOT } from '#server/platform/root.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { removeOrphanedPictures } from './pictures.jobs.ts';

const shop = await testShop();
const { app, db, services } = shop;
const admin = await anAdmin(db);
const { pictures } = services;
const stool = readFileSync(join(ROOT, 'demo/models/tarn-oak-stool.glb'));

/** The clean-up as it runs hours from now. */
const cleanUpLater = () => {
  const list = () => pictures.models.list(new Date(Date.now() + 7_200_000));
  return removeOrphanedPictures({ ...services, pictures: { ...pictures, models: { ...pictures.models, list } } });
};

test('a model is served as it is, for good, under an address made from its content (§16.2)', async () => {
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
  // The product's form says how large it is.
  const { headers: alone } = await app.inject({ method: 'HEAD', url });
  expect([headers['content-length'], alone['content-length']]).toEqual([String(stool.length), String(stool.length)]);
  expect((await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } })).statusCode).toBe(304);
  for (const other of [`/models/${'0'.repeat(32)}.glb`, url.replace('.glb', '.webp'), '/models/..%2Fmasters%2Fa.webp'])
    expect((await app.inject({ url: other })).statusCode).toBe(404);
  expect(await keepDemoModel(pictures, 'no-such-product')).toBeNull();
});

test('a product’s answer has its model; the model of a deleted product is removed once it cannot be brought back, and young ones stay', async () => {
  const url = await pictures.models.keep(stool);
  const sofa = await aProduct(db, {});
  await db.updateTable('products').set({ model: url }).where('id', '=', sofa._id).execute();
  expect((await app.inject({ url: `/api/products/${sofa._id}` })).json().model).toBe(url);
  await cleanUpLater();
  expect((await app.inject({ url })).statusCode).toBe(200);
  const deleted = (daysAgo: number) =>
    db
      .updateTable('products')
      .set({ state: 'deleted', deletedAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString() })
      .where('id', '=', sofa._id)
      .execute();
  await deleted(29);
  await cleanUpLater();
  expect((await app.inject({ url })).statusCode).toBe(200);
  await deleted(31);
  await removeOrphanedPictures(services);
  expect((await app.inject({ url })).statusCode).toBe(200);
  await cleanUpLater();
  expect((await app.inject({ url })).statusCode).toBe(404);
});

type Reply = { _id: string; name: string; model: string | null; version: number; message: string; errors?: object };

/** Sends a product's form with these parts for its model. */
async function send(
  method: 'POST' | 'PUT',
  path: string,
  parts: (File | string)[],
  more: Record<string, string> = {},
): Promise<{ status: number; body: Reply }> {
  const form = new FormData();
  const fields = { name: 'Tarn', description: 'A stool', fit: 'Kitchen', category: 'Chair', subCategory: 'Stools', brand: 'Tarn' };
  for (const [name, value] of Object.entries({ ...fields, price: '100', countInStock: '5', ...more })) form.append(name, value);
  for (const part of parts) form.append('model', part);
  const reply = await fetch(shop.url + path, { method, headers: admin.headers, body: form });
  return { status: reply.status, body: (await reply.json()) as Reply };
}

test('an administrator gives a product a model, keeps it, changes it and takes it away; nothing but the product’s own may be kept (§7.5)', async () => {
  const file = new File([stool], 'stool.glb');
  const made = await send('POST', '/api/products', [file]);
  expect([made.status, made.body.model]).toEqual([201, await pictures.models.keep(stool)]);
  const path = `/api/products/${made.body._id}`;
  const { model } = made.body;
  expect((await app.inject({ url: String(model) })).rawPayload.equals(stool)).toBe(true);

  for (const kept of [[], [String(model)], [new File([], '')], ['null']]) expect((await send('PUT', path, kept)).body.model).toBe(model);
  const lamp = readFileSync(join(ROOT, 'demo/models/callow-ceramic-lamp.glb'));
  const changed = await send('PUT', path, [new File([lamp], 'lamp.glb')]);
  expect([changed.body.model === model, changed.body.model]).toEqual([false, await pictures.models.keep(lamp)]);
  const wrong: [(File | string)[], number, string][] = [
    [[String(model)], 400, 'The 3D model to keep does not belong to this product.'],
    [['https://example.com/a.glb'], 400, 'The 3D model to keep does not belong to this product.'],
    [[file, file], 400, 'Send one 3D model.'],
    [[new File(['I am a chair'], 'chair.glb')], 415, 'chair.glb is not a GLB, the binary form of glTF 2.0.'],
  ];
  for (const [parts, status, message] of wrong) {
    const refused = await send('PUT', path, parts);
    expect([refused.status, refused.body.message]).toEqual([status, message]);
  }
  expect((await app.inject({ url: path })).json<Reply>().model).toBe(changed.body.model);
  expect((await send('PUT', path, [''])).body.model).toBeNull();
  const changes = (await app.inject({ url: `${path}/changes`, headers: admin.headers })).json<{ change: string }[]>();
  expect(changes.map(({ change }) => change.includes('3D model'))).toEqual([true, true, false, false, false, false, false]);
  await cleanUpLater();
  expect((await app.inject({ url: String(model) })).statusCode).toBe(404);
});

test('a model of another size than the product’s first is refused with the sides that differ, unless it may differ (§16.2)', async () => {
  const sized = (...sides: [string, string][]) => ({
    size: sides.join(),
    quantity: 5,
    price: 0,
    measurements: sides.map(([name, value]) => ({ name, value })),
  });
  const file = new File([stool], 'stool.glb');
  // The stool is 38 × 40 × 46 cm.
  const settle = { sizes: JSON.stringify([sized(['Width', '98'], ['Depth', '42'], ['Height', '90']), sized(['Width', '38'])]) };
  const { status, body } = await send('POST', '/api/products', [file], settle);
  expect([status, body.message]).toEqual([
    400,
    'The 3D model does not match the measurements: its width is 37.9 cm, not 98 cm; its height is 46.1 cm, not 90 cm. Please export it in its real size, or say that it may differ.',
  ]);
  const made = await send('POST', '/api/products', [file], { ...settle, anyModelSize: 'true' });
  expect(made.status).toBe(201);
  const path = `/api/products/${made.body._id}`;
  const lamp = new File([readFileSync(join(ROOT, 'demo/models/callow-ceramic-lamp.glb'))], 'lamp.glb');
  expect((await send('PUT', path, [lamp])).body.errors).toMatchObject({ model: expect.stringContaining('its width is') });
  const measured = { sizes: JSON.stringify([sized(['Width', '39.5'], ['Height', '46'])]) };
  expect((await send('PUT', path, [new File([Buffer.from(stool)], 'again.glb')], measured)).status).toBe(200);
  expect((await send('PUT', path, [lamp], { sizes: JSON.stringify([sized(['Seat height', '46'])]) })).status).toBe(200);
});

test('a size has a 3D model of its own, which is as large as it is; it stays where the form says nothing, and is kept from the clean-up (§16.2)', async () => {
  const upload = async (bytes: Uint8Array<ArrayBuffer>) => {
    const body = new FormData();
    body.append('model', new File([bytes], 'bar.glb'));
    const reply = await fetch(`${shop.url}/api/products/models`, { method: 'POST', headers: admin.headers, body });
    return { status: reply.status, ...((await reply.json()) as { model: string; message: string }) };
  };
  const { model } = await upload(new Uint8Array(readFileSync(join(ROOT, 'demo/models/tarn-oak-stool-bar.glb'))));
  expect((await upload(new TextEncoder().encode('I am a chair'))).status).toBe(415);
  const sizes = (bar: object, height = '65') =>
    JSON.stringify([
      { size: 'Low', quantity: 2, price: 0, measurements: [{ name: 'Height', value: '46' }] },
      { size: 'Bar', quantity: 3, price: 0, measurements: [{ name: 'Height', value: height }], ...bar },
    ]);
  const refused = await send('POST', '/api/products', [], { sizes: sizes({ model }, '75') });
  expect([refused.status, refused.body.errors]).toEqual([400, { 'sizes.1.model': expect.stringContaining('its height is 65') }]);
  const gone = await send('POST', '/api/products', [], { sizes: sizes({ model: `/models/${'0'.repeat(32)}.glb` }) });
  expect([gone.status, gone.body.message]).toEqual([400, 'The 3D model of Bar is no longer there. Please choose it again.']);
  expect((await send('POST', '/api/products', [], { sizes: sizes({ model, anyModelSize: true }, '75') })).status).toBe(201);

  const made = await send('POST', '/api/products', [], { sizes: sizes({ model }) });
  const path = `/api/products/${made.body._id}`;
  const modelsOf = async () =>
    (await app.inject({ url: path })).json<{ sizes: { model: string | null }[] }>().sizes.map((size) => size.model);
  expect([made.status, await modelsOf()]).toEqual([201, [null, model]]);
  for (const kept of [{}, { model }]) await send('PUT', path, [], { sizes: sizes(kept) });
  expect(await modelsOf()).toEqual([null, model]);
  await cleanUpLater();
  expect((await app.inject({ url: model })).statusCode).toBe(200);
  await send('PUT', path, [], { sizes: sizes({ model: '' }) });
  expect(await modelsOf()).toEqual([null, null]);
  const changes = (await app.inject({ url: `${path}/changes`, headers: admin.headers })).json<{ change: string }[]>();
  expect(changes[0]?.change).toContain('size “Bar”: 3D model');
});

test('an outline that cannot be drawn is tried once, however often it is asked for', async () => {
  const url = await pictures.models.keep(Buffer.from('no model at all'));
  const drawn = vi.spyOn(modelProcess, 'run');
  const ask = () => app.inject({ url: url.replace('.glb', '-front.svg') });
  const replies = await Promise.all([ask(), ask(), ask()]);
  replies.push(await ask());
  expect(new Set(replies.map(({ statusCode }) => statusCode)).size).toBe(1);
  expect(replies[0]?.statusCode).toBeGreaterThanOrEqual(400);
  expect(drawn).toHaveBeenCalledTimes(1);
  drawn.mockRestore();
});
