import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { MAX_PICTURES, type Product } from '#contract/catalogue/catalogue.ts';
import { ORIGINAL_WIDTH, PICTURE_VARIANTS, pictureAt, pictureId, pictureUrl } from '#contract/catalogue/pictures.ts';
import type { Shown } from '#contract/catalogue/shown-picture.ts';
import type { CheckedCart, Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { pictureStore } from '#server/gateways/pictures.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { queuedJobs } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { startObjectStorage } from '#server/testing/object-storage.ts';
import { removeOrphanedPictures } from './pictures.jobs.ts';

const shop = await testShop();
const { app, db, services } = shop;
const admin = await anAdmin(db);

let shade = 0;
const aPicture = () => {
  shade += 1;
  const background = { r: (shade * 40) % 256, g: (Math.floor(shade / 6) * 40) % 256, b: 120 };
  return sharp({ create: { width: 48, height: 32, channels: 3, background } })
    .png()
    .toBuffer();
};

interface File {
  bytes: Buffer;
  name?: string;
  type?: string;
}

async function send(method: 'POST' | 'PUT', url: string, images: (File | string)[], { to = shop.url, who = admin, more = {} } = {}) {
  const form = new FormData();
  const fields = { name: 'Oslo', description: 'A sofa', fit: 'Living room', category: 'Sofa', subCategory: 'Two-seat', brand: 'Harrow' };
  for (const [name, value] of Object.entries({ ...fields, price: '100', countInStock: '5', ...more })) form.append(name, value);
  for (const image of images) {
    if (typeof image === 'string') form.append('images', image);
    else form.append('images', new Blob([new Uint8Array(image.bytes)], { type: image.type ?? 'image/png' }), image.name ?? 'a.png');
  }
  const reply = await fetch(to + url, { method, headers: who.headers, body: form });
  return { status: reply.status, body: (await reply.json()) as Product & { message: string; errors?: Record<string, string> } };
}
const aProductWith = async (count: number) =>
  (await send('POST', '/api/products', await Promise.all(Array.from({ length: count }, async () => ({ bytes: await aPicture() }))))).body;
const statusOf = async (url: string | undefined) => (await app.inject({ url: url ?? '' })).statusCode;

/** The clean-up as it runs hours from now. */
const cleanUpLater = () =>
  removeOrphanedPictures({
    ...services,
    pictures: { ...services.pictures, list: () => services.pictures.list(new Date(Date.now() + 7_200_000)) },
  });

test('a product has at most twelve pictures, new and kept ones together (§16.1)', async () => {
  const full = await aProductWith(MAX_PICTURES);
  expect(full.images).toHaveLength(MAX_PICTURES);
  const oneMore = await send('PUT', `/api/products/${full._id}`, [...full.images, { bytes: await aPicture() }]);
  const files = await Promise.all(Array.from({ length: MAX_PICTURES + 1 }, async () => ({ bytes: await aPicture() })));
  const tooMany = await send('POST', '/api/products', files);
  const wanted = [400, 'A product can have at most 12 pictures.', { images: 'At most 12 pictures.' }];
  expect([tooMany.status, tooMany.body.message, tooMany.body.errors]).toEqual(wanted);
  expect([oneMore.status, oneMore.body.message, oneMore.body.errors]).toEqual(wanted);
  expect((await app.inject({ url: `/api/products/${full._id}` })).json<Product>().images).toEqual(full.images);
});

test('the type and the name that are sent say nothing: the content decides', async () => {
  const honest = await send('POST', '/api/products', [{ bytes: await aPicture(), name: 'notes.txt', type: 'text/plain' }]);
  expect([honest.status, honest.body.images.length]).toEqual([201, 1]);
  const lying = await send('POST', '/api/products', [{ bytes: Buffer.from('#!/bin/sh'), name: 'sofa.png', type: 'image/png' }]);
  expect([lying.status, lying.body.message]).toEqual([415, 'sofa.png is not a JPEG, PNG, WebP, AVIF or GIF picture.']);
});

test('of a form with one bad picture nothing is stored', async () => {
  const count = async () => (await db.selectFrom('products').select('id').execute()).length;
  const before = await count();
  expect((await send('POST', '/api/products', [{ bytes: await aPicture() }, { bytes: Buffer.from('x') }])).status).toBe(415);
  expect(await count()).toBe(before);
});

test('an edit sets the order of the pictures, and takes out what it leaves out', async () => {
  const { _id, images } = await aProductWith(3);
  const [a = '', b = '', c = ''] = images;
  expect((await send('PUT', `/api/products/${_id}`, [c, a])).body.images).toEqual([c, a]);
  expect((await send('PUT', `/api/products/${_id}`, [b])).status).toBe(400);
  const { body } = await send('PUT', `/api/products/${_id}`, [a, { bytes: await aPicture() }, c]);
  expect([body.images[0], body.images[2], body.images.length]).toEqual([a, c, 3]);
});

test('an edit without an images part leaves the pictures as they are; one empty part says that none is left (§7.5)', async () => {
  const { _id, images } = await aProductWith(2);
  expect((await send('PUT', `/api/products/${_id}`, [])).body.images).toEqual(images);
  expect((await send('PUT', `/api/products/${_id}`, [''])).body.images).toEqual([]);
  expect((await app.inject({ url: `/api/products/${_id}` })).json<Product>().images).toEqual([]);
});

test('a picture says which size and colour it shows, and lines of carts and orders show the picture of what was chosen (§7.5)', async () => {
  const sized = (name: string) => ({ size: name, quantity: 5, price: 0, measurements: [] });
  const more = {
    countInStock: '10',
    sizes: JSON.stringify([sized('Two-seat'), sized('Three-seat')]),
    colors: JSON.stringify(['#b3aa9d', '#75775f'].map((value) => ({ colorName: value, hexCode: value }))),
  };
  const said: Shown[] = [
    { kind: 'packshot', size: 'Two-seat', color: '#b3aa9d' },
    { kind: 'detail', size: 'Three-seat', color: '#75775f' },
    { kind: 'packshot', size: 'Three-seat', color: '#b3aa9d' },
    { color: '#75775f' },
  ];
  const images = await Promise.all(said.map(async () => ({ bytes: await aPicture() })));
  const made = (await send('POST', '/api/products', images, { more: { ...more, pictures: JSON.stringify(said) } })).body;
  const full = said.map(({ kind = null, size = null, color = null }) => ({ kind, size, color }));
  expect(made.pictures).toEqual(full);
  const [two, detail, three, moss] = made.images;
  const line = (size: string, color?: string) => aLine({ ...made, price: 100 }, { size, ...(color && { color }) });
  const wanted: [ReturnType<typeof line>, string | undefined][] = [
    [line('Two-seat', '#b3aa9d'), two],
    [line('Three-seat', '#b3aa9d'), three],
    [line('Three-seat'), three],
    [line('Two-seat', '#75775f'), moss],
  ];
  const orderItems = wanted.map(([item]) => item);
  const { lines } = (await app.inject({ method: 'POST', url: '/api/cart/check', payload: { orderItems } })).json<CheckedCart>();
  expect(lines.map(({ image, picture }) => [image, picture])).toEqual(wanted.map(([, picture]) => [two, picture]));
  const buyer = await aCustomer(db);
  const reply = await app.inject({ method: 'POST', url: '/api/orders', payload: aPayload(orderItems), headers: buyer.headers });
  expect(reply.json<Order>().orderItems.map(({ image }) => image)).toEqual(wanted.map(([, picture]) => picture));
  // What is said goes with the picture when it is moved, unless the form says something else.
  const url = `/api/products/${made._id}`;
  const moved = await send('PUT', url, [moss, three, detail, two] as string[], { more });
  expect(moved.body.pictures).toEqual(full.toReversed());
  const again = await send('PUT', url, [two, three] as string[], { more: { ...more, pictures: '[{},{"size":"Three-seat"}]' } });
  expect(again.body.pictures).toEqual(['', 'Three-seat'].map((size) => ({ kind: null, size: size || null, color: null })));
  for (const pictures of ['[{"size":"Bed"}]', '[{"color":"#000000"}]', '[{},{},{}]', '[{"kind":"portrait"}]', '{']) {
    const refused = await send('PUT', url, [two, three] as string[], { more: { ...more, pictures } });
    expect([refused.status, Object.keys(refused.body.errors ?? {})[0]?.split('.')[0]]).toEqual([400, 'pictures']);
  }
  expect((await app.inject({ url })).json<Product>().pictures).toEqual(again.body.pictures);
});

test('a picture’s address never changes its meaning, so browsers keep it for good', async () => {
  const [url = ''] = (await aProductWith(1)).images;
  await runJobs(services);
  const { headers, statusCode } = await app.inject({ url });
  expect([statusCode, headers['cache-control'], headers['content-type'], headers['x-content-type-options']]).toEqual([
    200,
    'public, max-age=31536000, immutable',
    'image/webp',
    'nosniff',
  ]);
  const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  for (const wrong of [
    url.replace('1200', '1201'),
    url.replace('.webp', '.png'),
    url.replace('.webp', '.jpeg'),
    `/images/${'0'.repeat(32)}-160.webp`,
  ]) {
    const reply = await app.inject({ url: wrong });
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([404, 'no-store']);
  }
  // The zoom shows it as it is kept.
  const whole = await app.inject({ url: pictureAt('', url, ORIGINAL_WIDTH) });
  expect([whole.statusCode, whole.headers['cache-control'], whole.headers['content-type']]).toEqual([
    ...[200, headers['cache-control'], 'image/webp'],
  ]);
  expect(whole.rawPayload.equals((await services.pictures.master(pictureId(url) ?? '')) ?? Buffer.alloc(0))).toBe(true);
  expect((await app.inject({ url: `/images/${'0'.repeat(32)}-${ORIGINAL_WIDTH}.webp` })).statusCode).toBe(404);
});

test('a visitor’s request makes no picture: until a job has made the width, the nearest one is answered for a short time (§16.1)', async () => {
  await runJobs(services);
  const id =
    pictureId(
      await services.pictures.keep(
        await sharp(await aPicture())
          .webp()
          .toBuffer(),
      ),
    ) ?? '';
  const files = async () => (await readdir(join(shop.dataDir, 'pictures'), { recursive: true })).sort();
  const before = await files();
  const all = PICTURE_VARIANTS.map(({ width, format }) => pictureUrl(id, width, format));
  for (const each of all) {
    const { statusCode, headers } = await app.inject({ url: each });
    expect([statusCode, headers['cache-control'], headers['content-type'], headers.etag]).toEqual([
      ...[200, 'public, max-age=30', 'image/webp', undefined],
    ]);
  }
  expect(await files()).toEqual(before);
  await eventually(async () => expect(await queuedJobs(db, 'makeWidths')).toHaveLength(1));
  await runJobs(services);
  for (const each of all) {
    const { headers } = await app.inject({ url: each });
    expect([headers['cache-control'], headers['content-type']]).toEqual([
      'public, max-age=31536000, immutable',
      `image/${each.split('.').at(-1)}`,
    ]);
  }
});

test('a mail leaves once its picture is there, and leaves without it where it cannot be made (§15.1)', async () => {
  await runJobs(services);
  const buyer = await aCustomer(db);
  const product = await aProductWith(1);
  // Only mails are sent: the picture's widths wait for their job.
  await sql`delete from jobs where key like 'widths %'`.execute(db);
  const payload = aPayload([aLine(product)]);
  await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
  await runJobs(services);
  const [mail] = await mailsOf(shop.dataDir, buyer.email);
  const [, src = ''] = /<img src="[^"]*(\/images\/[^"]*)"/.exec(mail?.html ?? '') ?? [];
  const { statusCode, headers } = await app.inject({ url: src });
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'image/jpeg',
    'public, max-age=31536000, immutable',
  ]);
  expect(headers['cross-origin-resource-policy'], 'webmail shows it on its own site').toBe('cross-origin');
  const id = pictureId(product.images[0] ?? '') ?? '';
  await rm(join(shop.dataDir, 'pictures/widths', id), { recursive: true });
  await writeFile(join(shop.dataDir, `pictures/masters/${id}.webp`), 'no picture any more');
  await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
  await runJobs(services);
  expect(await mailsOf(shop.dataDir, buyer.email)).toHaveLength(2);
});

test('the clean-up removes what neither a product nor an order names, and nothing else', async () => {
  const buyer = await aCustomer(db);
  const product = await aProductWith(2);
  const [ordered, unordered] = product.images;
  const order = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(product)]) });
  expect(order.json<Order>().orderItems[0]?.image).toBe(ordered);
  const { body: edited } = await send('PUT', `/api/products/${product._id}`, [{ bytes: await aPicture() }]);
  await removeOrphanedPictures(services);
  expect([await statusOf(ordered), await statusOf(unordered), await statusOf(edited.images[0])]).toEqual([200, 200, 200]);
  await cleanUpLater();
  expect([await statusOf(ordered), await statusOf(unordered), await statusOf(edited.images[0])]).toEqual([200, 404, 200]);
});

test('the clean-up leaves what another shop has stored in the same place, such as the one that this is a copy of', async () => {
  const url = await pictureStore(services.config).keep(
    await sharp(await aPicture())
      .webp()
      .toBuffer(),
  );
  await cleanUpLater();
  expect(await statusOf(url)).toBe(200);
});

test('a deleted product leaves its orders their pictures (§7.8)', async () => {
  const buyer = await aCustomer(db);
  const product = await aProductWith(1);
  const { _id } = (
    await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(product)]) })
  ).json<Order>();
  await app.inject({ method: 'DELETE', url: `/api/products/${product._id}`, headers: admin.headers });
  await cleanUpLater();
  const [item] = (await app.inject({ url: `/api/orders/${_id}`, headers: buyer.headers })).json<Order>().orderItems;
  expect([item?.name, item?.image, await statusOf(pictureAt('', item?.image ?? '', 320))]).toEqual(['Oslo', product.images[0], 200]);
});

test('with object storage set, every process serves what one of them stored', async () => {
  const storage = await startObjectStorage();
  const { bucket, url: endpoint, accessKeyId, secretAccessKey } = storage;
  const env = { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
  const far = await testShop({ env });
  const { body } = await send('POST', '/api/products', [{ bytes: await aPicture() }], { to: far.url, who: await anAdmin(far.db) });
  const [url = ''] = body.images;
  expect((await far.app.inject({ url })).statusCode).toBe(200);
  const other = pictureStore(far.services.config);
  expect((await other.read(url.slice(8, 40), 160, 'avif'))?.bytes.length).toBeGreaterThan(0);
  expect(storage.refused).toEqual([]);
  storage.failure = 500;
  const unread = await far.app.inject({ url: url.replace('-1200', '-640') });
  expect([unread.statusCode, unread.headers['retry-after'], unread.headers['cache-control']]).toEqual([503, '5', 'no-store']);
  await storage.close();
});
