import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { Review } from '#contract/reviews/reviews.schema.ts';
import type { MyReview, OfficeReviewList, ReviewList } from '#contract/reviews/reviews.ts';
import { runJobs } from '#server/app/jobs.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, anAdmin, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { aDelivery, aReview, sendReview } from '#server/testing/reviews.ts';
import { listReviews } from './read.service.ts';

/** A CDN, and the keys it was told to purge. */
const dropped: string[] = [];
const front = createServer((request, response) => {
  dropped.push(...String(request.headers['surrogate-key']).split(' '));
  response.end();
}).listen(0, '127.0.0.1');
afterAll(() => void front.close());
await once(front, 'listening');

const purgeUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}/`;
const shop = await testShop({ env: { FRONT_CACHE_SECONDS: '600', PURGE_URL: purgeUrl } });
const { app, db } = shop;
const admin = await anAdmin(db);

const get = async <T>(url: string, who?: SignedIn) => (await app.inject({ url, headers: who?.headers ?? {} })).json<T>();
const list = (id: string) => get<ReviewList>(`/api/products/${id}/reviews`);
const own = async (id: string, who: SignedIn) => (await get<MyReview>(`/api/products/${id}/reviews/mine`, who)).review;
const office = async (id: string) => (await get<OfficeReviewList>(`/api/office/products/${id}/reviews`, admin)).reviews;
const withdraw = (id: string, who: SignedIn) => app.inject({ method: 'DELETE', url: `/api/reviews/${id}`, headers: who.headers });
const hide = (id: string, isHidden = true) =>
  app.inject({
    method: 'PUT',
    url: `/api/reviews/${id}/hidden`,
    headers: admin.headers,
    payload: { isHidden, ...(isHidden && { reason: 'Rude' }) },
  });
const picture = (red: number) =>
  sharp({ create: { width: 40, height: 50, channels: 3, background: { r: red, g: 90, b: 10 } } })
    .png()
    .toBuffer();

test('the author changes stars, text and pictures; the rating follows, and nobody else can (§18.1)', async () => {
  const product = await aProduct(db);
  const { _id, author } = await aReview(shop, product, { rating: 2, text: 'It wobbles.', images: [await picture(40), await picture(120)] });
  const [first = '', second = ''] = (await own(product._id, author))?.images ?? [];
  const edited = await sendReview(shop, author, product._id, {
    edits: _id,
    rating: 5,
    text: 'Mended, and lovely.',
    images: [second, await picture(200), '/images/0123456789abcdef0123456789abcdef-1200.webp'],
  });
  expect([edited.statusCode, edited.json()]).toMatchObject([200, { _id, rating: 5, text: 'Mended, and lovely.' }]);
  const { images } = edited.json<{ _id: string; images: string[] }>();
  expect([images.length, images[0], images.includes(first)]).toEqual([2, second, false]);
  expect(await list(product._id)).toMatchObject({ total: 1, counts: [0, 0, 0, 0, 1], reviews: [{ text: 'Mended, and lovely.', images }] });
  const refused = await sendReview(shop, author, product._id, { edits: _id, rating: 9 });
  expect([refused.statusCode, refused.json().message]).toEqual([400, 'Choose from 1 to 5 stars.']);
  for (const who of [await aCustomer(db), admin])
    expect((await sendReview(shop, who, product._id, { edits: _id, rating: 1 })).statusCode).toBe(404);
  expect((await own(product._id, author))?.rating).toBe(5);
});

test('a review keeps the name that staff have looked at until its author edits it', async () => {
  const product = await aProduct(db);
  const { _id, author } = await aReview(shop, product, { name: 'Casey Example', text: 'Sits well.' });
  const rename = { name: 'Rude Words' };
  expect((await app.inject({ method: 'PUT', url: '/api/users/profile', headers: author.headers, payload: rename })).statusCode).toBe(200);
  expect((await list(product._id)).reviews).toMatchObject([{ author: 'Casey E.' }]);
  await sendReview(shop, author, product._id, { edits: _id, text: 'Sits well.' });
  expect((await list(product._id)).reviews).toMatchObject([{ author: 'Rude W.' }]);
  expect((await office(product._id))[0]?.isNew).toBe(true);
});

test('a page rendered on the server is given of a review what everybody may read, and no more', async () => {
  const product = await aProduct(db);
  await aReview(shop, product, { name: 'Casey Verysecret', text: 'Sits well.' });
  const { reviews } = await listReviews(db, product._id, { pageNumber: 1, sortBy: 'newest' });
  expect(Object.keys(reviews[0] ?? {}).sort()).toEqual(Object.keys(Review.shape).sort());
  expect(JSON.stringify(reviews)).not.toContain('Verysecret');
});

test('a hidden review stays hidden when its author changes it, and when they take it back and write another (§18.6)', async () => {
  const product = await aProduct(db);
  const { _id, author } = await aReview(shop, product, { rating: 1, text: 'Rude words' });
  await hide(_id);
  expect((await sendReview(shop, author, product._id, { edits: _id, text: 'Other words' })).statusCode).toBe(200);
  expect(await own(product._id, author)).toMatchObject({ text: 'Other words', hiddenReason: 'Rude' });
  await withdraw(_id, author);
  expect([await own(product._id, author), await office(product._id)]).toEqual([null, []]);
  const again = await sendReview(shop, author, product._id, { rating: 1, text: 'Rude words again' });
  expect(again.statusCode).toBe(201);
  expect(await list(product._id)).toMatchObject({ total: 0, reviews: [], counts: [0, 0, 0, 0, 0] });
  expect(await own(product._id, author)).toMatchObject({ text: 'Rude words again', hiddenReason: 'Rude' });
  const { _id: shown } = again.json<{ _id: string; images: string[] }>();
  await hide(shown, false);
  await withdraw(shown, author);
  expect((await sendReview(shop, author, product._id, { text: 'Kind words' })).statusCode).toBe(201);
  expect((await list(product._id)).total).toBe(1);
});

test('pictures of a hidden review are seen by its author and administrators only, and by all again once it is shown (§18.6)', async () => {
  const product = await aProduct(db);
  const shared = await picture(160);
  const { _id, author } = await aReview(shop, product, { images: [await picture(80), shared] });
  const other = await aCustomer(db);
  await aDelivery(shop, other, product);
  await sendReview(shop, other, product._id, { images: [shared] });
  const seen = (urls: readonly string[]) => Promise.all(urls.map(async (url) => (await app.inject({ url })).statusCode));
  const [only = '', both = ''] = (await own(product._id, author))?.images ?? [];
  expect(await seen([only, both])).toEqual([200, 200]);
  const keyOfOnly = String((await app.inject({ url: only })).headers['surrogate-key']);
  expect(keyOfOnly.replaceAll('-', '')).toBe(only.slice('/images/'.length, -'-1200.webp'.length));
  await hide(_id);
  await eventually(() => expect(dropped).toEqual(expect.arrayContaining([keyOfOnly, 'catalogue'])), 20);
  const small = only.replace('-1200.webp', '-320.avif');
  expect(await seen([only, small, `${only}?key=x`, `${only}?key=${'%C3%A9'.repeat(43)}`, both])).toEqual([404, 404, 404, 404, 200]);
  const known = await app.inject({ url: only, headers: { 'if-none-match': `"${only.split('/').pop()}"` } });
  expect(known.statusCode).toBe(404);
  const forAuthor = (await own(product._id, author))?.images ?? [];
  const forOffice = (await office(product._id)).find((review) => review._id === _id)?.images ?? [];
  expect([forAuthor.length, ...(await seen([...forAuthor, ...forOffice]))]).toEqual([2, 200, 200, 200, 200]);
  expect((await app.inject({ url: forAuthor[0] ?? '' })).headers['cache-control']).toBe('private, no-store');
  // The signature is valid for one picture only, and is not stored.
  const key = new URL(forAuthor[1] ?? '', 'http://shop').search;
  expect(await seen([only + key])).toEqual([404]);
  await sendReview(shop, author, product._id, { edits: _id, images: forAuthor });
  await hide(_id, false);
  expect((await own(product._id, author))?.images).toEqual([only, both]);
  expect(await seen([only, small, both])).toEqual([200, 200, 200]);
});

test('pictures that a review no longer has are removed at once, but for those that something else shows', async () => {
  const product = await aProduct(db);
  const shared = await picture(161);
  const { _id, author } = await aReview(shop, product, { images: [await picture(81), shared] });
  const other = await aCustomer(db);
  await aDelivery(shop, other, product);
  await sendReview(shop, other, product._id, { images: [shared] });
  const images = (await own(product._id, author))?.images ?? [];
  await hide(_id);
  await withdraw(_id, author);
  await runJobs(shop.services);
  const statuses = await Promise.all(images.map(async (url) => (await app.inject({ url })).statusCode));
  expect(statuses).toEqual([404, 200]);
});

test('a picture that is taken back stays for the hour in which somebody else stores the same file', async () => {
  const product = await aProduct(db);
  const photos = [await picture(141), await picture(142)];
  const { _id, author } = await aReview(shop, product, { images: photos });
  const images = (await own(product._id, author))?.images ?? [];
  // A form with the same photos, whose other pictures are still being stored.
  for (const photo of photos) await shop.services.pictures.add(photo, 'photo.png');
  await withdraw(_id, author);
  await runJobs(shop.services);
  const statuses = () => Promise.all(images.map(async (url) => (await app.inject({ url })).statusCode));
  expect(await statuses()).toEqual([200, 200]);
  await db
    .updateTable('products')
    .set({ images: images.slice(0, 1) })
    .where('id', '=', product._id)
    .execute();
  await sql`update stored_pictures set again_at = now() - interval '61 minutes' where again_at is not null`.execute(db);
  await sql`update jobs set run_at = now() where name = 'removePictures'`.execute(db);
  await runJobs(shop.services);
  expect(await statuses()).toEqual([200, 404]);
});

test('a picture of a form that is refused is not public', async () => {
  const product = await aProduct(db);
  const hidden = await picture(101);
  const { _id, author } = await aReview(shop, product, { images: [hidden] });
  const [image = ''] = (await own(product._id, author))?.images ?? [];
  await hide(_id);
  await withdraw(_id, author);
  await runJobs(shop.services);
  expect((await sendReview(shop, author, product._id, { images: [hidden, Buffer.from('no picture')] })).statusCode).toBe(415);
  await runJobs(shop.services);
  expect((await app.inject({ url: image })).statusCode).toBe(404);
});

test('a form that is refused removes no picture that the next form has stored', async () => {
  const product = await aProduct(db);
  const author = await aCustomer(db);
  await aDelivery(shop, author, product);
  const good = await picture(102);
  expect((await sendReview(shop, author, product._id, { images: [good, Buffer.from('no picture')] })).statusCode).toBe(415);
  // The next form has stored its pictures and is not saved yet.
  const url = await shop.services.pictures.add(good, 'good.png');
  await runJobs(shop.services);
  expect((await app.inject({ url })).statusCode).toBe(200);
});

test('the author changes the pictures of a review that staff have hidden', async () => {
  const product = await aProduct(db);
  const { _id, author } = await aReview(shop, product, { images: [await picture(98)] });
  await hide(_id);
  const before = (await own(product._id, author))?.images ?? [];
  await sendReview(shop, author, product._id, { edits: _id, images: [await picture(99)] });
  await runJobs(shop.services);
  const after = (await own(product._id, author))?.images ?? [];
  expect([after.length, after[0] === before[0], (await app.inject({ url: after[0] ?? '' })).statusCode]).toEqual([1, false, 200]);
});

test('pictures that staff have hidden are gone with the account of their author', async () => {
  const product = await aProduct(db);
  const { _id, author } = await aReview(shop, product, { images: [await picture(97)] });
  const [image = ''] = (await own(product._id, author))?.images ?? [];
  await hide(_id);
  expect((await app.inject({ method: 'DELETE', url: `/api/users/${author._id}`, headers: admin.headers })).statusCode).toBe(200);
  await runJobs(shop.services);
  expect((await app.inject({ url: image.replace(/\?.*/, '') })).statusCode).toBe(404);
});
