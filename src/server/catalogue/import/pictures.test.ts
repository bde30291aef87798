import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { runJobs } from '#server/app/jobs.ts';
import { fetchPicture } from '#server/catalogue/fetched-pictures.ts';
import type { catalogueJobs } from '#server/catalogue/jobs.ts';
import { fetchPublic, isPublicAddress } from '#server/gateways/public-fetch.ts';
import { csvRow } from '#server/platform/csv.ts';
import type { PayloadOf } from '#server/platform/jobs/queue.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { CERTIFICATE, serveHttps } from '#server/testing/https-server.ts';
import { importer } from '#server/testing/imports.ts';

const { app, db, services } = await testShop();
const admin = await anAdmin(db);
const { check, carryOut } = importer(app, admin);
const MB = 1024 * 1024;

const aPicture = (red: number) =>
  sharp({ create: { width: 60, height: 75, channels: 3, background: { r: red, g: 90, b: 40 } } })
    .png()
    .toBuffer();
const pictures: Record<string, Buffer> = {
  '/one.png': await aPicture(10),
  '/two.png': await aPicture(200),
  '/text.png': Buffer.from('no picture'),
};
const asked: string[] = [];
let isAway = false;
const port = await serveHttps(({ url = '' }, reply) => {
  asked.push(url);
  if (isAway) return reply.writeHead(503).end();
  if (url === '/moved.png') return reply.writeHead(302, { location: '/one.png' }).end();
  if (url === '/inside.png') return reply.writeHead(302, { location: `https://169.254.169.254:${port}/secret` }).end();
  if (url === '/broken.png') return reply.writeHead(302, { location: 'https://[' }).end();
  if (url === '/loop.png') return reply.writeHead(302, { location: '/loop.png' }).end();
  if (url === '/large.png') return reply.writeHead(200).end(Buffer.alloc(11 * MB));
  const picture = pictures[url];
  return picture ? reply.writeHead(200, { 'content-type': 'image/png' }).end(picture) : reply.writeHead(404).end();
});
const origin = `https://localhost:${port}`;
/** This machine stands for the internet, and nothing else does. */
const rules = { ca: CERTIFICATE, port, mayReach: (ip: string) => ip === '127.0.0.1' || ip === '::1' };

const read = async (id: string) => (await app.inject({ url: `/api/products/${id}` })).json<Product>();
const changesOf = async (id: string) =>
  (await app.inject({ url: `/api/products/${id}/changes`, headers: admin.headers }))
    .json<{ change: string }[]>()
    .map(({ change }) => change);

/** Runs the queued fetches of a product with the rules of the test. */
async function fetchAll(id: string): Promise<void> {
  const jobs = await db.selectFrom('jobs').select(['id', 'payload']).where('name', '=', 'fetchPicture').orderBy('id').execute();
  for (const job of jobs) {
    const payload = job.payload as PayloadOf<typeof catalogueJobs.fetchPicture>;
    if (payload.productId !== id) continue;
    await fetchPicture(services, payload, rules);
    await db.deleteFrom('jobs').where('id', '=', job.id).execute();
  }
}

test('pictures named by https addresses are fetched by jobs, in their order; the same file again fetches nothing', async () => {
  const own = '/images/own-1200.webp';
  const { _id } = await aProduct(db, { images: [own] });
  const csv = csvRow(['ID', 'Pictures']) + csvRow([_id, `${origin}/one.png ${own} ${origin}/two.png`]);
  expect((await check(csv)).changes).toMatchObject([{ change: '2 pictures to fetch' }]);
  expect(await carryOut(csv)).toMatchObject({ changed: 1, errors: [] });
  expect((await read(_id)).images).toEqual([own]);
  // While they are fetched the file asks for nothing more.
  expect(await check(csv)).toMatchObject({ changed: 0, unchanged: 1 });
  await fetchAll(_id);
  await services.invalidation.catchUp();
  const { images } = await read(_id);
  expect(images).toHaveLength(3);
  expect(images[1]).toBe(own);
  for (const image of [images[0], images[2]]) expect(image).toMatch(/^\/images\/\w{32,}-1200\.webp$/);
  expect((await changesOf(_id)).slice(0, 2)).toEqual([`Fetched the picture ${origin}/two.png`, `Fetched the picture ${origin}/one.png`]);
  expect(await carryOut(csv)).toMatchObject({ changed: 0, unchanged: 1 });
  const bench = csvRow(['Name', 'Description', 'Fit', 'Category', 'Brand', 'Price', 'Count in stock', 'Pictures']);
  const made = bench + csvRow(['Pictured Bench', 'x', 'x', 'x', 'x', '10', '1', `${origin}/moved.png`]);
  expect(await carryOut(made)).toMatchObject({ added: 1 });
  const { id } = await db.selectFrom('products').select('id').where('name', '=', 'Pictured Bench').executeTakeFirstOrThrow();
  await fetchAll(id);
  await services.invalidation.catchUp();
  expect((await read(id)).images).toEqual([images[0]]);
});

test('what cannot be fetched stands in the history, and a server that is away is asked again', async () => {
  const { _id } = await aProduct(db);
  const names = ['none.png', 'text.png', 'large.png', 'loop.png', 'broken.png', 'inside.png'];
  const csv = csvRow(['ID', 'Pictures']) + csvRow([_id, names.map((name) => `${origin}/${name}`).join(' ')]);
  await carryOut(csv);
  isAway = true;
  await expect(fetchAll(_id)).rejects.toThrow('localhost answered 503.');
  isAway = false;
  await fetchAll(_id);
  expect((await read(_id)).images).toEqual([]);
  const changes = await changesOf(_id);
  expect(changes.slice(0, 6)).toEqual([
    `Could not fetch ${origin}/inside.png: 169.254.169.254 is not an address of the public internet.`,
    `Could not fetch ${origin}/broken.png: localhost redirects to an address that cannot be read.`,
    `Could not fetch ${origin}/loop.png: The address redirects too often.`,
    `Could not fetch ${origin}/large.png: The file is larger than 10 MB.`,
    expect.stringContaining(`Could not fetch ${origin}/text.png: `) as string,
    `Could not fetch ${origin}/none.png: localhost answered 404.`,
  ]);
  // They can be asked for again.
  expect((await check(csv)).changes).toMatchObject([{ change: '6 pictures to fetch' }]);
});

test('a fetch that fails for good stands in the history, and its picture can be asked for again', async () => {
  const { _id } = await aProduct(db);
  const address = 'https://no-such-host.invalid/a.png';
  const csv = csvRow(['ID', 'Pictures']) + csvRow([_id, address]);
  await carryOut(csv);
  await db.updateTable('jobs').set({ attempts: 7 }).where('name', '=', 'fetchPicture').execute();
  await runJobs(services);
  expect((await changesOf(_id))[0]).toMatch(/^Could not fetch https:\/\/no-such-host\.invalid\/a\.png: (?!\w*Error|Problem)./);
  expect((await check(csv)).changes).toMatchObject([{ change: '1 picture to fetch' }]);
});

test('a copy of a product waits for no pictures of its original', async () => {
  const { _id } = await aProduct(db);
  await carryOut(csvRow(['ID', 'Pictures']) + csvRow([_id, `${origin}/one.png`]));
  const reply = await app.inject({ method: 'POST', url: `/api/office/products/${_id}/duplicate`, headers: admin.headers });
  const csv = csvRow(['ID', 'Pictures']) + csvRow([reply.json<Product>()._id, `${origin}/one.png`]);
  expect((await check(csv)).changes).toMatchObject([{ change: '1 picture to fetch' }]);
});

const INSIDE = '127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255';
const INSIDE_6 = '::1 :: fe80::1 fc00::1 fd12::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1:: 2001:db8::1 ff02::1 nonsense';
test.each(`${INSIDE} ${INSIDE_6}`.split(' '))('%s is not public', (ip) => expect(isPublicAddress(ip)).toBe(false));

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111'])('%s is public', (ip) => expect(isPublicAddress(ip)).toBe(true));

test('names and addresses of the shop’s own machine and network are refused before anything is sent', async () => {
  const before = asked.length;
  const addresses = [
    `${origin}/one.png`,
    'https://localhost/a.png',
    'https://127.0.0.1/a.png',
    'https://2130706433/a.png',
    'https://0x7f.1/a.png',
    'https://[::1]/a.png',
    'https://[::ffff:127.0.0.1]/a.png',
    'http://example.com/a.png',
    'https://user:pass@example.com/a.png',
    'https://example.com:8443/a.png',
    'file:///etc/passwd',
  ];
  for (const address of addresses)
    await expect([address, await fetchPublic(address, { mostBytes: MB }).catch((error: { status?: number }) => error.status)]).toEqual([
      address,
      400,
    ]);
  expect(asked).toHaveLength(before);
});

test.each([
  ['ftp://example.com/a.png', 'Write picture addresses that begin with https://'],
  ['http://example.com/a.png', 'Write picture addresses that begin with https://'],
  ['/images/elsewhere', 'Write picture addresses that begin with https://'],
  [Array.from({ length: 13 }, (_, n) => `https://example.com/${n}.png`).join(' '), 'A product can have at most 12 pictures.'],
])('a cell of pictures that is wrong says what to write: %#', async (cell, message) => {
  const { _id } = await aProduct(db);
  const { errors } = await check(csvRow(['ID', 'Pictures']) + csvRow([_id, cell]));
  expect(errors).toMatchObject([{ row: 2, column: 'Pictures', message: expect.stringContaining(message) as string }]);
});
