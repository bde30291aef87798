import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pictureId } from '#contract/catalogue/pictures.ts';
import { runJobs } from '#server/app/jobs.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue } from '#server/testing/jobs.ts';

const shop = await testShop();
const admin = await anAdmin(shop.db);
const pictures = join(shop.dataDir, 'pictures');

const picture = (red: number) =>
  sharp({ create: { width: 900, height: 900, channels: 3, background: { r: red, g: 0, b: 0 } } })
    .png()
    .toBuffer();

async function create(red: number): Promise<{ status: number; body: { message: string; images: string[] } }> {
  const form = new FormData();
  const fields = {
    name: 'Oslo',
    description: 'Soft',
    fit: 'Hall',
    category: 'Sofa',
    brand: 'Harrow',
    price: '100',
    countInStock: '1',
    sizes: '[]',
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.append('images', new Blob([new Uint8Array(await picture(red))], { type: 'image/png' }), 'red.png');
  const reply = await fetch(`${shop.url}/api/products`, { method: 'POST', headers: admin.headers, body: form });
  return { status: reply.status, body: (await reply.json()) as { message: string; images: string[] } };
}

/** Replaces a folder by a file: nothing can be written below it, even by root, as on a full disk. */
async function fillDisk(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  await rename(folder, `${folder}.kept`);
  await writeFile(folder, '');
  return async () => {
    await rm(folder);
    await rename(`${folder}.kept`, folder);
  };
}

test('with no room for pictures a new product is refused in words and not half made; with room it works again', async () => {
  const makeRoom = await fillDisk(join(pictures, 'masters'));
  const refused = await create(10);
  expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('Pictures cannot be stored right now')]);
  expect(await shop.db.selectFrom('products').select('id').execute()).toEqual([]);
  await makeRoom();
  expect((await create(10)).status).toBe(201);
});

test('with no room for their widths, pictures are shown all the same', async () => {
  const { body } = await create(20);
  const makeRoom = await fillDisk(join(pictures, 'widths'));
  const shown = await shop.app.inject({ url: body.images[0] ?? '' });
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/webp']);
  await runJobs(shop.services);
  await makeRoom();
  expect(await readdir(join(pictures, 'widths'))).toEqual([]);
  await makeJobsDue(shop.db);
  await runJobs(shop.services);
  expect(await readdir(join(pictures, 'widths'))).toContain(pictureId(body.images[0] ?? ''));
  const made = await shop.app.inject({ url: body.images[0] ?? '' });
  expect([made.statusCode, made.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
});

test('a picture that cannot be read right now is an error that nobody may keep', async () => {
  const { body } = await create(30);
  const bringBack = await fillDisk(join(pictures, 'masters'));
  const lost = await shop.app.inject({ url: body.images[0] ?? '' });
  expect(lost.statusCode).toBeGreaterThanOrEqual(400);
  expect(lost.headers['cache-control'] ?? '').not.toContain('immutable');
  await bringBack();
  expect((await shop.app.inject({ url: body.images[0] ?? '' })).statusCode).toBe(200);
});
