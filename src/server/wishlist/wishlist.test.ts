import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Lists, SyncedLists, Wish, WishPiece } from '#contract/wishlist/wishlist.ts';
import { JOBS, runJobs } from '#server/app/jobs.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { LIMITS } from '#server/sessions/rate-limit.service.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1' } });
const { app, db, services } = shop;
const { checkout, notify } = cardDesk(shop);

const EMPTY: Lists = { wishes: [], cart: [] };
const wish = (_id: string, size: string | null = null, color: string | null = null): Wish => ({ _id, size, color });
const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, who?: SignedIn) =>
  app.inject({ method, url, ...(payload && { payload }), headers: { ...who?.headers } });
const sync = async (who: SignedIn, mine: Lists, base = EMPTY, more: object = {}) =>
  (await send('PUT', '/api/users/lists', { base, mine, ...more }, who)).json<SyncedLists>();
const listsOf = ({ wishes, cart }: SyncedLists): Lists => ({ wishes, cart: cart.map(({ piece: _, ...line }) => line) });
const shared = async (token: string) => (await send('GET', `/api/wishlists/${token}`)).json<{ pieces: WishPiece[] }>().pieces;
const aKey = () => randomBytes(32).toString('hex');

test('the lists of two browsers become one on the account, with today’s names and prices, and never above the stock', async () => {
  const who = await aCustomer(db);
  const [sofa, lamp] = [await aProduct(db, { name: 'Oslo Sofa', stock: 4 }), await aProduct(db, { name: 'Arc Lamp' })];
  const first = { wishes: [wish(lamp._id)], cart: [{ ...wish(sofa._id), qty: 2 }] };
  expect(listsOf(await sync(who, first))).toEqual(first);
  // Another browser had more of it than there are; this one has shown it, so the cart's own check says so.
  const second = { wishes: [], cart: [{ ...wish(sofa._id), qty: 9 }] };
  expect(listsOf(await sync(who, second))).toEqual({ wishes: [wish(lamp._id)], cart: [{ ...wish(sofa._id), qty: 9 }] });
  const synced = await sync(who, first);
  expect(synced.cart).toMatchObject([{ qty: 4, piece: { name: 'Oslo Sofa', price: sofa.price } }]);
});

test('what one browser removed is removed in the other, and what was sold for good stays in the cart that shows it', async () => {
  const who = await aCustomer(db);
  const [sofa, lamp] = [await aProduct(db), await aProduct(db)];
  const both = {
    wishes: [wish(sofa._id)],
    cart: [
      { ...wish(sofa._id), qty: 1 },
      { ...wish(lamp._id), qty: 1 },
    ],
  };
  await sync(who, both);
  const less = { wishes: [], cart: both.cart.slice(1) };
  await sync(who, less, both);
  expect(listsOf(await sync(who, both, both))).toEqual(less);
  await db.updateTable('products').set({ deletedAt: new Date().toISOString() }).where('id', '=', lamp._id).execute();
  expect((await sync(who, less, less)).cart).toEqual([{ ...wish(lamp._id), qty: 1, piece: null }]);
});

test('a sync that changes nothing writes nothing', async () => {
  const who = await aCustomer(db);
  const [sofa, lamp] = [await aProduct(db), await aProduct(db)];
  const lists = { wishes: [wish(lamp._id, 'Tall', '#fff')], cart: [{ ...wish(sofa._id), qty: 2 }] };
  await sync(who, lists);
  const changedAt = async () =>
    (await db.selectFrom('accountLists').select('updatedAt').where('userId', '=', who._id).executeTakeFirstOrThrow()).updatedAt;
  const before = await changedAt();
  expect(listsOf(await sync(who, lists, lists))).toEqual(lists);
  expect(await changedAt()).toBe(before);
});

test('what was bought, in cash or by card, leaves the cart of the account, and nothing else does', async () => {
  const who = await aCustomer(db);
  const [cash, card, other] = [await aProduct(db), await aProduct(db), await aProduct(db)];
  const all = { wishes: [wish(cash._id)], cart: [cash, card, other].map(({ _id }) => ({ ...wish(_id), qty: 1 })) };
  await sync(who, all);
  expect((await send('POST', '/api/orders', aPayload([aLine(cash)]), who)).statusCode).toBe(201);
  const { url, sessionId } = await checkout(who, [aLine(card)]);
  // Not yet paid: it is still in the cart.
  expect(listsOf(await sync(who, all, all)).cart.map(({ _id }) => _id)).toEqual([card._id, other._id]);
  await pay(url);
  await notify('checkout.session.completed', sessionId);
  const left = await sync(who, all, all);
  expect(listsOf(left)).toEqual({ wishes: all.wishes, cart: [{ ...wish(other._id), qty: 1 }] });
});

test('an account’s link shows its list as it is today, without its owner, until it is ended', async () => {
  const who = await aCustomer(db, { name: 'Vera Verysecret' });
  const product = await aProduct(db, { name: 'Oslo Sofa', stock: 3 });
  const mine = { wishes: [wish(product._id)], cart: [{ ...wish(product._id), qty: 1 }] };
  await sync(who, mine);
  const { token } = (await send('POST', '/api/users/lists/link', undefined, who)).json<{ token: string }>();
  expect(token).toMatch(/^[\w-]{32}$/);
  expect((await send('POST', '/api/users/lists/link', undefined, who)).json()).toEqual({ token });
  const reply = await send('GET', `/api/wishlists/${token}`);
  expect(reply.json()).toMatchObject({ pieces: [{ name: 'Oslo Sofa', piecesLeft: 3, wish: wish(product._id) }] });
  expect(reply.body).not.toMatch(/verysecret|qty|user/i);
  await sync(who, { ...mine, wishes: [] }, mine);
  expect(await shared(token)).toEqual([]);
  expect((await sync(who, EMPTY)).link).toBe(token);
  await send('DELETE', '/api/users/lists/link', undefined, who);
  expect((await send('GET', `/api/wishlists/${token}`)).statusCode).toBe(404);
});

test('a visitor’s link needs their key to change or end; after logging in the account can end it, and it shows no more than before', async () => {
  const [sofa, lamp] = [await aProduct(db), await aProduct(db)];
  const key = aKey();
  const share = async (wishes: Wish[]) => (await send('POST', '/api/wishlists', { key, wishes })).json<{ token: string }>().token;
  const token = await share([wish(sofa._id)]);
  expect(token).toBe(createHash('sha256').update(key).digest('base64url'));
  expect(await share([wish(lamp._id)])).toBe(token);
  await send('POST', '/api/wishlists/end', { key: aKey() });
  const idsOf = async () => (await shared(token)).map(({ _id }) => _id);
  expect(await idsOf()).toEqual([lamp._id]);
  const who = await aCustomer(db);
  expect(await sync(who, { wishes: [wish(sofa._id), wish(lamp._id)], cart: [] }, EMPTY, { key })).toMatchObject({
    link: null,
    oldLinks: 1,
  });
  await share([wish(sofa._id)]);
  expect(await idsOf()).toEqual([lamp._id]);
  await send('DELETE', '/api/users/lists/link', undefined, who);
  expect((await send('GET', `/api/wishlists/${token}`)).statusCode).toBe(404);
  const again = await share([wish(sofa._id)]);
  await send('POST', '/api/wishlists/end', { key });
  expect((await send('GET', `/api/wishlists/${again}`)).statusCode).toBe(404);
});

test('lists that visitors shared go after 180 days without a change; those of accounts stay', async () => {
  const [old, young] = [aKey(), aKey()];
  const tokens = await Promise.all(
    [old, young].map(async (key) => (await send('POST', '/api/wishlists', { key, wishes: [] })).json<{ token: string }>().token),
  );
  const who = await aCustomer(db);
  const { token: own } = (await send('POST', '/api/users/lists/link', undefined, who)).json<{ token: string }>();
  await sql`update wish_links set updated_at = now() - interval '181 days' where token in (${tokens[0]}, ${own})`.execute(db);
  await enqueue(db, JOBS.removeExpired, {});
  await runJobs(services);
  const found = await Promise.all([...tokens, own].map(async (token) => (await send('GET', `/api/wishlists/${token}`)).statusCode));
  expect(found).toEqual([404, 200, 200]);
});

test('a wish without a size has the lowest price and asks for a size; an unknown product is left out', async () => {
  const sizes = [
    { size: 'Two-seat', quantity: 2, price: 70_000 },
    { size: 'Three-seat', quantity: 0, price: 60_000 },
  ];
  const product = await aProduct(db, { name: 'Oslo Sofa', stock: 9, price: 50_000, sizes });
  const wishes = [wish(product._id), wish(product._id, 'Three-seat'), wish('gone'), wish(product._id, 'Gone')];
  const { pieces } = (await send('POST', '/api/wishlists/pieces', { wishes })).json<{ pieces: WishPiece[] }>();
  expect(pieces).toMatchObject([
    { price: 60_000, isFrom: true, needsSize: true, piecesLeft: 2, isSold: true, chosen: { size: null } },
    { price: 60_000, isFrom: false, needsSize: false, piecesLeft: 0, isSold: false, chosen: { size: 'Three-seat' } },
    { needsSize: true, wish: { size: 'Gone' } },
  ]);
});

test('more than a list holds, and what is no list, is refused with a sentence', async () => {
  const who = await aCustomer(db);
  const many = { ...EMPTY, wishes: Array.from({ length: 101 }, (_, n) => wish(`p${n}`)) };
  expect((await send('PUT', '/api/users/lists', { base: EMPTY, mine: many }, who)).json()).toMatchObject({
    message: 'A wish list can hold at most 100 items.',
  });
  // The union of two full lists keeps what the browser shows.
  const [first, second] = [1, 2].map(() => ({ ...EMPTY, wishes: Array.from({ length: 100 }, () => wish(newId())) })) as [Lists, Lists];
  await sync(who, first);
  expect((await sync(who, second)).wishes).toEqual(second.wishes);
});

test('what is no product, or was made long, stays in its browser and is stored nowhere', async () => {
  const who = await aCustomer(db);
  const product = await aProduct(db);
  const known = wish(product._id, 'S'.repeat(60), '#a1b2c3');
  const odd = [wish('bench'), wish('桌'.repeat(100)), wish(newId(), '桌'.repeat(60), '色'.repeat(60))];
  const mine = { wishes: [...odd, known], cart: [...odd, known].map((entry) => ({ ...entry, qty: 2 })) };
  const answered = listsOf(await sync(who, mine));
  expect(answered).toEqual(mine);
  const stored = async () =>
    db.selectFrom('accountLists').select(['wishes', 'cart']).where('userId', '=', who._id).executeTakeFirstOrThrow();
  expect(await stored()).toEqual({ wishes: [known], cart: [{ ...known, qty: 2 }] });
  // The browser keeps it at its next sync, and can remove it; another browser never has it.
  expect(listsOf(await sync(who, mine, answered))).toEqual(mine);
  const without = { wishes: [known], cart: [{ ...known, qty: 2 }] };
  expect(listsOf(await sync(who, without, answered))).toEqual(without);
  expect(listsOf(await sync(who, EMPTY))).toEqual(without);
  const key = aKey();
  await send('POST', '/api/wishlists', { key, wishes: mine.wishes });
  const links = db.selectFrom('wishLinks').select('wishes').where('token', '=', createHash('sha256').update(key).digest('base64url'));
  expect(await links.executeTakeFirstOrThrow()).toEqual({ wishes: [known] });
});

test('one network stores a few hundred shared lists a day', async () => {
  const share = async () => (await send('POST', '/api/wishlists', { key: aKey(), wishes: [] })).statusCode;
  expect(await share()).toBe(200);
  await db.updateTable('rateLimits').set({ tries: LIMITS.wishlistOfDay.network }).where('key', 'like', 'wishlistOfDay:%').execute();
  expect(await share()).toBe(429);
});
