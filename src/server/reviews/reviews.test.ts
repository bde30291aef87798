import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Product, ProductList } from '#contract/catalogue/catalogue.ts';
import type { Today } from '#contract/office/office.schema.ts';
import type { MyReview, OfficeReviewList, Review, ReviewList } from '#contract/reviews/reviews.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { JOBS, runJobs } from '#server/app/jobs.ts';
import { removeOrphanedPictures } from '#server/catalogue/pictures.jobs.ts';
import { COMMAND_LINE } from '#server/context/audit.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { storeVersion } from '#server/settings/settings-loader.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, anAdmin, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { forceOrder } from '#server/testing/orders.ts';
import { aBuyer, aDelivery, aReview, sendReview } from '#server/testing/reviews.ts';
import { publicName } from './public-name.ts';

const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_FACTOR: '10' } });
const { app, db, services } = shop;
const admin = await anAdmin(db);

const get = async <T>(url: string, who?: SignedIn) => (await app.inject({ url, headers: who?.headers ?? {} })).json<T>();
const readProduct = (id: string) => get<Product>(`/api/products/${id}`);
const list = (id: string, query = '') => get<ReviewList>(`/api/products/${id}/reviews${query}`);
const mine = (id: string, who: SignedIn) => get<MyReview>(`/api/products/${id}/reviews/mine`, who);
const put = (id: string, what: string, payload: object, who: SignedIn) =>
  app.inject({ method: 'PUT', url: `/api/reviews/${id}/${what}`, headers: who.headers, payload });
const vote = (id: string, who: SignedIn, isHelpful = true) => put(id, 'vote', { isHelpful }, who);
const picture = (red: number) =>
  sharp({ create: { width: 40, height: 50, channels: 3, background: { r: red, g: 10, b: 10 } } })
    .withExif({ IFD0: { Artist: 'Casey at home' } })
    .png()
    .toBuffer();

test('only who has received a piece may review it, and once (§18.1)', async () => {
  const product = await aProduct(db);
  const [stranger, buyer] = [await aCustomer(db), await aCustomer(db)];
  const refused = await sendReview(shop, stranger, product._id);
  expect([refused.statusCode, refused.json().message]).toEqual([409, 'You can review a piece once it has been delivered to you.']);
  expect(await mine(product._id, stranger)).toEqual({ review: null, mayReview: false, helpful: [] });
  const order = await aDelivery(shop, buyer, product);
  const takeBack = { method: 'PUT', url: `/api/orders/${order}/deliver`, headers: admin.headers } as const;
  await app.inject({ ...takeBack, payload: { isDelivered: false } });
  expect((await mine(product._id, buyer)).mayReview).toBe(false);
  await app.inject({ ...takeBack, payload: { isDelivered: true } });
  expect((await mine(product._id, buyer)).mayReview).toBe(true);
  const written = await sendReview(shop, buyer, product._id, { rating: 5, text: '  Sits well.\n\nLooks well.  ' });
  expect([written.statusCode, written.json()]).toMatchObject([
    201,
    { rating: 5, text: 'Sits well.\n\nLooks well.', author: 'Customer', helpful: 0 },
  ]);
  const again = await sendReview(shop, buyer, product._id, { rating: 1 });
  expect([again.statusCode, again.json().message]).toEqual([409, 'You have already reviewed this piece.']);
  expect(await mine(product._id, buyer)).toMatchObject({ review: { rating: 5, hiddenReason: null }, mayReview: false });
  expect((await list(product._id)).reviews).toHaveLength(1);
  expect((await sendReview(shop, buyer, '01890000-0000-7000-8000-000000000000')).statusCode).toBe(404);
});

test('a review shows the size and colour that its author bought (§18.1)', async () => {
  const product = await aProduct(db, { sizes: [{ size: 'Two-seat' }, { size: 'Three-seat' }], colors: ['#6b7785', '#a3231f'] });
  const [buyer, other] = [await aCustomer(db), await aCustomer(db)];
  await aDelivery(shop, buyer, product, { size: 'Three-seat', color: '#6b7785' });
  await aDelivery(shop, other, product, { size: 'Two-seat' });
  expect((await sendReview(shop, buyer, product._id)).json().variant).toMatch(/^three-seat, \w+/);
  await sendReview(shop, other, product._id);
  expect((await list(product._id)).reviews.map(({ variant }) => variant)).toEqual(['two-seat', expect.stringMatching(/^three-seat, \w+/)]);
});

test('two reviews of one account that arrive together are one (§18.1)', async () => {
  const [product, buyer] = [await aProduct(db), await aCustomer(db)];
  await aDelivery(shop, buyer, product);
  const replies = await Promise.all(Array.from({ length: 5 }, (_, n) => sendReview(shop, buyer, product._id, { rating: n + 1 })));
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409, 409]);
  expect((await readProduct(product._id)).reviewCount).toBe(1);
});

test('a product’s rating is the mean of its reviews, and without any what its data says (§18.3)', async () => {
  const product = await aProduct(db, { rating: 4.5, category: 'Rated' });
  expect(await readProduct(product._id)).toMatchObject({ rating: 4.5, reviewCount: 0 });
  const reviews = [];
  for (const rating of [1, 2, 2]) reviews.push(await aReview(shop, product, { rating }));
  const { rating, reviewCount } = await readProduct(product._id);
  expect([rating, reviewCount]).toEqual([expect.closeTo(5 / 3, 4), 3]);
  const { products } = await get<ProductList>('/api/products?categoryQuery=Rated');
  expect(products[0]?.rating).toBeCloseTo(5 / 3, 4);
  expect((await list(product._id)).counts).toEqual([1, 2, 0, 0, 0]);
  for (const { _id, author } of reviews)
    expect((await app.inject({ method: 'DELETE', url: `/api/reviews/${_id}`, headers: author.headers })).statusCode).toBe(200);
  expect(await readProduct(product._id)).toMatchObject({ rating: 4.5, reviewCount: 0 });
  expect(await list(product._id)).toMatchObject({ reviews: [], total: 0, pages: 1, counts: [0, 0, 0, 0, 0] });
});

test('a better rating shows in lists that are sorted by it at once (§18.3)', async () => {
  const [first, second] = [await aProduct(db, { rating: 3, category: 'Ranked' }), await aProduct(db, { rating: 2, category: 'Ranked' })];
  const names = async () => (await get<ProductList>('/api/products?categoryQuery=Ranked&sortBy=rating')).products.map(({ _id }) => _id);
  expect(await names()).toEqual([first._id, second._id]);
  await aReview(shop, second, { rating: 5 });
  expect(await names()).toEqual([second._id, first._id]);
});

test('reviews come in pages, newest, highest, lowest or most helpful first (§18.2)', async () => {
  const product = await aProduct(db);
  const ids: string[] = [];
  for (const rating of [3, 1, 5, 2, 4, 5, 1]) ids.push((await aReview(shop, product, { rating, text: `Given ${rating}` }))._id);
  await vote(ids[3] ?? '', await aBuyer(shop));
  const ratings = async (query: string) => (await list(product._id, query)).reviews.map(({ rating }) => rating);
  expect(await ratings('')).toEqual([1, 5, 4, 2, 5, 1]);
  expect(await ratings('?pageNumber=2')).toEqual([3]);
  expect(await ratings('?sortBy=highest')).toEqual([5, 5, 4, 3, 2, 1]);
  expect(await ratings('?sortBy=lowest')).toEqual([1, 1, 2, 3, 4, 5]);
  expect((await ratings('?sortBy=helpful'))[0]).toBe(2);
  expect(await ratings('?pageNumber=9')).toEqual([]);
  expect(await list(product._id, '?sortBy=nonsense')).toMatchObject({ page: 1, pages: 2, total: 7, counts: [2, 1, 1, 1, 2] });
});

test('each account finds a review helpful once, however often it says so, and nobody their own (§18.4)', async () => {
  const product = await aProduct(db);
  const { _id, author } = await aReview(shop, product);
  const readers = await Promise.all(Array.from({ length: 4 }, () => aBuyer(shop)));
  await Promise.all(readers.flatMap((reader) => [vote(_id, reader), vote(_id, reader), vote(_id, reader)]));
  expect((await list(product._id)).reviews[0]?.helpful).toBe(4);
  const [first] = readers;
  if (!first) throw new Error('There are readers.');
  expect((await mine(product._id, first)).helpful).toEqual([_id]);
  expect((await vote(_id, first, false)).json()).toEqual({ helpful: 3, isHelpful: false });
  expect((await vote(_id, first, false)).json()).toEqual({ helpful: 3, isHelpful: false });
  expect((await list(product._id)).reviews[0]?.helpful).toBe(3);
  expect((await vote(_id, author)).json()).toEqual({ message: 'This is your own review.' });
  expect((await list(product._id)).reviews[0]?.helpful).toBe(3);
});

test('an account that has bought nothing finds no review helpful; it can once an order was paid or delivered, and not cancelled', async () => {
  const product = await aProduct(db);
  const { _id } = await aReview(shop, product);
  const reader = await aCustomer(db);
  const refused = await vote(_id, reader);
  expect([refused.statusCode, refused.json()]).toEqual([
    409,
    { message: 'Only customers who have bought from us can say that a review was helpful.' },
  ]);
  const order = await aDelivery(shop, reader, product);
  const now = new Date().toISOString();
  await forceOrder(db, order, { orderState: 'cancelled', paidAt: now, deliveredAt: null });
  expect((await vote(_id, reader)).statusCode).toBe(409);
  await forceOrder(db, order, { orderState: 'placed', paidAt: now, deliveredAt: null });
  expect((await vote(_id, reader)).json()).toEqual({ helpful: 1, isHelpful: true });
});

test('a vote ends in the night after the last order of its account was cancelled', async () => {
  const product = await aProduct(db);
  const { _id } = await aReview(shop, product);
  const [kept, gone] = [await aBuyer(shop), await aCustomer(db)];
  const order = await aDelivery(shop, gone, product);
  for (const reader of [kept, gone]) await vote(_id, reader);
  await forceOrder(db, order, { orderState: 'cancelled' });
  expect((await list(product._id)).reviews[0]?.helpful).toBe(2);
  await enqueue(db, JOBS.removeExpired, {});
  await runJobs(services);
  await services.invalidation.catchUp();
  expect((await list(product._id)).reviews[0]?.helpful).toBe(1);
  expect(await Promise.all([kept, gone].map(async (reader) => (await mine(product._id, reader)).helpful))).toEqual([[_id], []]);
});

test('a hidden review is shown to nobody but its author and the back office, counts for nothing, and comes back whole (§18.6)', async () => {
  const product = await aProduct(db, { rating: 2 });
  const [kept, rude] = [await aReview(shop, product, { rating: 5 }), await aReview(shop, product, { rating: 1, text: 'Rude words' })];
  await vote(rude._id, await aBuyer(shop));
  expect((await put(rude._id, 'hidden', { isHidden: true }, admin)).json()).toMatchObject({
    errors: { reason: 'Say why the review is hidden.' },
  });
  const hidden = await put(rude._id, 'hidden', { isHidden: true, reason: 'Insults another customer' }, admin);
  expect(hidden.json()).toMatchObject({ hiddenReason: 'Insults another customer', text: 'Rude words' });
  expect(await list(product._id)).toMatchObject({ reviews: [{ _id: kept._id }], total: 1, counts: [0, 0, 0, 0, 1] });
  expect(await readProduct(product._id)).toMatchObject({ rating: 5, reviewCount: 1 });
  expect((await vote(rude._id, await aCustomer(db))).statusCode).toBe(404);
  expect((await mine(product._id, rude.author)).review).toMatchObject({ hiddenReason: 'Insults another customer' });
  const office = await get<OfficeReviewList>(`/api/office/products/${product._id}/reviews`, admin);
  expect(office).toMatchObject({
    total: 2,
    reviews: [{ _id: rude._id, hiddenReason: 'Insults another customer' }, { hiddenReason: null }],
  });
  await put(rude._id, 'hidden', { isHidden: false }, admin);
  expect(await list(product._id)).toMatchObject({ total: 2, reviews: [{ _id: rude._id, helpful: 1 }, {}] });
  expect((await readProduct(product._id)).rating).toBe(3);
  const changes = await get<{ actor: string; change: string }[]>(`/api/products/${product._id}/changes`, admin);
  expect(changes.map(({ actor, change }) => `${actor}: ${change}`)).toEqual([
    'Ada Admin: Showed a review of 1 star again',
    'Ada Admin: Hid a review of 1 star: Insults another customer',
  ]);
});

test('the shop answers publicly, changes its answer, and takes it back (§18.6)', async () => {
  const product = await aProduct(db);
  const { _id } = await aReview(shop, product, { rating: 2 });
  const shown = async () => (await list(product._id)).reviews[0];
  expect(await shown()).toMatchObject({ reply: '', repliedAt: null });
  await put(_id, 'reply', { reply: ' We are sorry. ' }, admin);
  expect(await shown()).toMatchObject({ reply: 'We are sorry.', repliedAt: expect.stringMatching(/^20/) });
  await put(_id, 'reply', { reply: 'We have written to you.' }, admin);
  await put(_id, 'reply', { reply: '' }, admin);
  expect(await shown()).toMatchObject({ reply: '', repliedAt: null });
  const changes = await get<{ change: string }[]>(`/api/products/${product._id}/changes`, admin);
  expect(changes.map(({ change }) => change)).toEqual([
    'Removed the answer to a review of 2 stars',
    'Changed the answer to a review of 2 stars',
    'Answered a review of 2 stars',
  ]);
});

test('pictures of a review are made anew without what a camera wrote into them, kept while it is there, and cleared away after it (§18.1)', async () => {
  const [product, buyer] = [await aProduct(db), await aCustomer(db)];
  await aDelivery(shop, buyer, product);
  const many = await sendReview(shop, buyer, product._id, { images: await Promise.all([1, 2, 3, 4].map(picture)) });
  expect([many.statusCode, many.json().message]).toEqual([400, 'A review can have at most 3 pictures.']);
  expect((await sendReview(shop, buyer, product._id, { images: [Buffer.from('<svg onload="alert(1)"/>')] })).statusCode).toBe(415);
  const { _id, images } = (await sendReview(shop, buyer, product._id, { images: [await picture(200), await picture(100)] })).json<Review>();
  expect(images).toHaveLength(2);
  const cleanUp = () =>
    removeOrphanedPictures({
      ...services,
      pictures: { ...services.pictures, list: () => services.pictures.list(new Date(Date.now() + 7_200_000)) },
    });
  await cleanUp();
  for (const url of images) {
    const reply = await app.inject({ url });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/webp']);
    expect(reply.rawPayload.includes('Casey at home')).toBe(false);
  }
  await app.inject({ method: 'DELETE', url: `/api/reviews/${_id}`, headers: buyer.headers });
  await cleanUp();
  expect((await app.inject({ url: images[0] ?? '' })).statusCode).toBe(404);
});

test.each([
  ['no stars', { rating: '' }, 'Choose from 1 to 5 stars.'],
  ['0 stars', { rating: 0 }, 'Choose from 1 to 5 stars.'],
  ['6 stars', { rating: 6 }, 'Choose from 1 to 5 stars.'],
  ['half a star', { rating: '4.5' }, 'Choose from 1 to 5 stars.'],
  ['a book', { text: 'x'.repeat(2_001) }, 'Your review can have at most 2,000 characters.'],
])('a review of %s is refused (§18.1)', async (_, typed, message) => {
  const [product, buyer] = [await aProduct(db), await aCustomer(db)];
  await aDelivery(shop, buyer, product);
  const reply = await sendReview(shop, buyer, product._id, typed);
  expect([reply.statusCode, reply.json().message]).toEqual([400, message]);
});

test('line breaks count once, and hostile text comes back as the text that it is (§18.1)', async () => {
  const [product, buyer] = [await aProduct(db), await aCustomer(db)];
  await aDelivery(shop, buyer, product);
  const text = `${'a\n'.repeat(950)}<script>alert(1)</script> \0\u202e🛋️`;
  expect((await sendReview(shop, buyer, product._id, { text })).json<Review>().text).toBe(text.replace('\0', ''));
});

test('nobody deletes somebody else’s review, administrators neither: they hide it (§18.1)', async () => {
  const { _id } = await aReview(shop, await aProduct(db));
  for (const who of [await aCustomer(db), admin])
    expect((await app.inject({ method: 'DELETE', url: `/api/reviews/${_id}`, headers: who.headers })).statusCode).toBe(404);
});

test('the reviews of a deleted account go with it, its votes are taken back, and the ratings follow (§18.8)', async () => {
  const product = await aProduct(db, { rating: 1 });
  const [gone, stays] = [await aReview(shop, product, { rating: 5 }), await aReview(shop, product, { rating: 3 })];
  await vote(stays._id, gone.author);
  expect((await app.inject({ method: 'DELETE', url: `/api/users/${gone.author._id}`, headers: admin.headers })).statusCode).toBe(200);
  expect(await list(product._id)).toMatchObject({ total: 1, reviews: [{ _id: stays._id, helpful: 0 }] });
  expect((await readProduct(product._id)).rating).toBe(3);
});

test.each([
  ['Casey Example', 'Casey E.'],
  ['casey van der éxample', 'casey É.'],
  ['Casey', 'Casey'],
  ['  Anne-Marie   O’Neill ', 'Anne-Marie O.'],
  ['casey@example.com', 'casey'],
  ['www.spam.example buy', 'www B.'],
  ['07700 900123', 'A customer'],
  ['<b>Casey</b> <i>', 'A customer'],
  ['李 小龍', '李 小.'],
  ['X'.repeat(90), 'X'.repeat(20)],
])('%s is called %s in public (§18.2)', (name, called) => {
  expect(publicName(name)).toBe(called);
});

const waiting = () => get<OfficeReviewList>('/api/office/reviews', admin);
const setShown = async (shown: 'At once' | 'After a look') => {
  const values = { shown, ratingSource: 'Our rating' };
  await db.transaction().execute((tx) => storeVersion(tx, COMMAND_LINE, 'reviews', { version: nextVersion, values }));
  nextVersion += 1;
  await services.settings.load();
};
let nextVersion = 1;

test('new reviews of all products wait in one list until staff keep, answer or hide them; a change puts one back (§18.7)', async () => {
  await db.updateTable('reviews').set({ isNew: false }).where('isNew', '=', true).execute();
  const [sofa, lamp] = [await aProduct(db), await aProduct(db)];
  const kept = await aReview(shop, sofa, { rating: 5, text: 'Sits well.' });
  const answered = await aReview(shop, lamp, { rating: 3, text: 'Bright.' });
  const hidden = await aReview(shop, lamp, { rating: 1, text: 'Rude.' });
  expect(await waiting()).toMatchObject({
    total: 3,
    reviews: [
      { _id: kept._id, isNew: true, hiddenReason: null, product: { _id: sofa._id, name: sofa.name } },
      { _id: answered._id },
      { _id: hidden._id },
    ],
  });
  const today = await get<Today>('/api/office/today', admin);
  expect(today.waiting.find(({ id }) => id === 'reviews')).toMatchObject({ count: 3, path: '/admin/reviews' });
  await put(kept._id, 'hidden', { isHidden: false }, admin);
  await put(answered._id, 'reply', { reply: 'Thank you.' }, admin);
  await put(hidden._id, 'hidden', { isHidden: true, reason: 'Insults' }, admin);
  expect((await waiting()).reviews).toEqual([]);
  const { mark } =
    (await get<OfficeReviewList>(`/api/office/products/${lamp._id}/reviews`, admin)).reviews.find(({ _id }) => _id === hidden._id) ?? {};
  await sendReview(shop, hidden.author, lamp._id, { edits: hidden._id, text: 'Politer.' });
  // What staff have seen is not what they would show or answer.
  for (const [what, body] of [
    ['hidden', { isHidden: false, mark }],
    ['reply', { reply: 'Thank you.', mark }],
  ] as const) {
    const reply = await put(hidden._id, what, body, admin);
    expect([reply.statusCode, reply.json().message]).toEqual([
      409,
      'The customer has changed this review since. Reload the page to see it.',
    ]);
  }
  await sendReview(shop, kept.author, sofa._id, { edits: kept._id, text: 'Sits very well.' });
  expect((await waiting()).reviews.map(({ _id, hiddenReason }) => [_id, hiddenReason])).toEqual([
    [kept._id, null],
    [hidden._id, 'Insults'],
  ]);
  await put(hidden._id, 'hidden', { isHidden: true, reason: 'Insults' }, admin);
  await put(kept._id, 'hidden', { isHidden: false }, admin);
  expect((await waiting()).total).toBe(0);
});

test('after the owner’s choice, or with an address in it, a review is shown after a look alone (§18.7)', async () => {
  const product = await aProduct(db);
  const before = await readProduct(product._id);
  const texts = [
    'See https://deals.example/now',
    'See www.deals.example',
    'Mail me: kim@deals.example',
    'On deals.com it is cheaper',
    'See deals.app',
    'See t.me/x',
    'See deals．com',
    'See deals。com',
    'See deals.\u200bapp',
  ];
  for (const text of texts) {
    const { _id, author } = await aReview(shop, product, { rating: 1, text, images: [await picture(texts.indexOf(text))] });
    const { review } = await mine(product._id, author);
    expect([text, review?.hiddenReason]).toEqual([text, '']);
    expect((await app.inject({ url: review?.images[0]?.replace(/\?.*/, '') ?? '' })).statusCode).toBe(404);
    // Without the address it is shown at once.
    await sendReview(shop, author, product._id, {
      edits: _id,
      rating: 5,
      text: 'Sits well... Delivered at 8.30am (e.g. today), 2.10m wide.',
    });
    expect((await mine(product._id, author)).review?.hiddenReason).toBeNull();
    await sendReview(shop, author, product._id, { edits: _id, rating: 1, text });
    expect((await list(product._id)).total).toBe(0);
  }
  expect((await readProduct(product._id)).rating).toBe(before.rating);

  const [first, second] = (await waiting()).reviews.filter((review) => review.product._id === product._id);
  expect((await put(first?._id ?? '', 'hidden', { isHidden: false }, admin)).json()).toMatchObject({ hiddenReason: null, isNew: false });
  expect((await readProduct(product._id)).rating).toBe(1);
  await put(second?._id ?? '', 'hidden', { isHidden: true, reason: 'Advertises' }, admin);

  await setShown('After a look');
  const { _id, author } = await aReview(shop, product, { rating: 4, text: 'Plain words.' });
  expect((await mine(product._id, author)).review?.hiddenReason).toBe('');
  expect((await list(product._id)).total).toBe(1);
  // Nobody has hidden it: one that replaces it is not hidden for good.
  await app.inject({ method: 'DELETE', url: `/api/reviews/${_id}`, headers: author.headers });
  await setShown('At once');
  expect((await sendReview(shop, author, product._id, { rating: 4, text: 'Plain words.' })).statusCode).toBe(201);
  expect((await list(product._id)).total).toBe(2);
});

test('a picture that the settings use is seen by all, also if a hidden review has the same one (§18.6)', async () => {
  const [product, buyer] = [await aProduct(db), await aCustomer(db)];
  await aDelivery(shop, buyer, product);
  const { _id, images } = (await sendReview(shop, buyer, product._id, { images: [await picture(77)] })).json<Review>();
  await put(_id, 'hidden', { isHidden: true, reason: 'Nothing to see' }, admin);
  const [url = ''] = images;
  expect((await app.inject({ url })).statusCode).toBe(404);
  const { version, values } = await get<SettingsSection>('/api/settings/shop', admin);
  await db
    .transaction()
    .execute((tx) => storeVersion(tx, COMMAND_LINE, 'shop', { version: version + 1, values: { ...values, logo: url } as never }));
  await services.settings.load();
  await services.invalidation.catchUp();
  expect((await app.inject({ url })).statusCode).toBe(200);
});

test('a form with more files than a review can have is not read to its end, and only a few forms are in memory at once (§18.1)', async () => {
  const [product, buyer] = [await aProduct(db), await aCustomer(db)];
  await aDelivery(shop, buyer, product);
  const five = await sendReview(shop, buyer, product._id, { images: await Promise.all([1, 2, 3, 4, 5].map(picture)) });
  expect([five.statusCode, five.json().message]).toEqual([413, 'Too many files were sent at once.']);
  const { others } = services.forms;
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const running = ['1', '2', '3'].map((network) => others.run(network, () => held));
  let isAnswered = false;
  const waits = sendReview(shop, buyer, product._id, { text: 'Good' }).finally(() => {
    isAnswered = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isAnswered).toBe(false);
  release?.();
  await Promise.all(running);
  expect((await waits).statusCode).toBe(201);
});

/** Sends the beginning of a review with a large picture, and no more. Returns the answer. */
async function beginReview(who: SignedIn, product: string): Promise<{ status: number | undefined; message: string }> {
  const headers = { ...who.headers, 'content-type': 'multipart/form-data; boundary=XX', 'content-length': 5_000_000 };
  const outgoing = request(`${shop.url}/api/products/${product}/reviews`, { method: 'POST', headers });
  outgoing.on('error', () => undefined);
  onTestFinished(() => void outgoing.destroy());
  outgoing.write('--XX\r\ncontent-disposition: form-data; name="images"; filename="a.png"\r\n\r\n');
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { message } = (await json(reply)) as { message: string };
  return { status: reply.statusCode, message };
}

test('a form that arrives slowly is ended where others wait for its place (§18.1)', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const [product, slow, buyer] = [await aProduct(db), await aCustomer(db), await aCustomer(db)];
  for (const who of [slow, buyer]) await aDelivery(shop, who, product);
  const uploads = [1, 2, 3].map(() => beginReview(slow, product._id));
  const ended = Promise.race(uploads);
  // Once the three have all places, the next one waits.
  await eventually(async () => {
    void services.forms.others.run('next', async () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(services.forms.others.isAwaited).toBe(true);
  });
  const waits = sendReview(shop, buyer, product._id, { text: 'Good' });
  vi.advanceTimersByTime(10_000);
  expect(await ended).toEqual({ status: 408, message: 'The upload took too long. Please try again.' });
  expect((await waits).statusCode).toBe(201);
});

test('who may not review is told before the pictures are sent (§18.1)', async () => {
  const [product, stranger] = [await aProduct(db), await aCustomer(db)];
  expect(await beginReview(stranger, product._id)).toEqual({
    status: 409,
    message: 'You can review a piece once it has been delivered to you.',
  });
});
