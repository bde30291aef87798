import type { Page } from '@playwright/test';
import { fillCartWith, lineOf } from './buyer.ts';
import { expect, expectToast, holdBack, logIn, logOut, type Shop, test } from './fixtures.ts';

interface Lists {
  wishes: object[];
  cart: { _id: string; size: string | null; color: string | null; qty: number }[];
}
const EMPTY: Lists = { wishes: [], cart: [] };

const wish = (_id: string, size: string | null = null) => ({ _id, size, color: null });
const listed = (_id: string, qty = 1) => ({ ...wish(_id), qty });
/** Syncs as another browser of the account that had `base` does. Without changes it only reads. */
const elsewhere = (shop: Shop, { token }: { token: string }, mine = EMPTY, base = EMPTY) =>
  shop.call<Lists>('PUT', '/api/users/lists', { token, body: { base, mine } });
const cartIds = async (shop: Shop, who: { token: string }) => (await elsewhere(shop, who)).cart.map(({ _id }) => _id);

const isSync = (url: string) => url.endsWith('/api/users/lists');
const synced = (page: Page) => page.waitForResponse((reply) => isSync(reply.url()) && reply.ok());
const lines = (page: Page) => page.getByRole('list', { name: 'Cart lines' });
/** Puts wishes into the browser's list; the page shows them after its next load. */
const storeWishes = (page: Page, wishes: object[]) =>
  page.evaluate((list) => localStorage.setItem('wishlist', JSON.stringify({ wishes: list })), wishes);
const expectStored = (page: Page, key: string) => expect.poll(() => page.evaluate((name) => localStorage.getItem(name), key));

const SIZES = JSON.stringify([
  { size: 'Two-seat', quantity: 3, price: 60_000, measurements: [] },
  { size: 'Three-seat', quantity: 9, price: 80_000, measurements: [] },
]);

test('the lists of a session that expired go to nobody else; what was added afterwards does', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/401/);
  const [first, second] = [await shop.aCustomer('First Person'), await shop.aCustomer('Second Person')];
  const [sofa, lamp] = [await shop.aProduct({ name: 'Private Sofa' }), await shop.aProduct({ name: 'Public Lamp' })];
  await elsewhere(shop, first, { wishes: [wish(sofa._id)], cart: [listed(sofa._id)] });
  await logInAs(first);
  const sync = synced(page);
  await page.goto('/cart');
  await sync;
  await expect(lines(page)).toContainText('Private Sofa');
  await shop.endSession(first);
  await page.goto('/orders');
  await expect(page).toHaveURL(/\/login/);
  await page.goto(`/product/${lamp._id}`);
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await page.goto('/login?redirect=cart');
  // Before any answer of the sync.
  const release = await holdBack(page, '**/api/users/lists');
  await logIn(page, second);
  await expect(lines(page).getByRole('listitem')).toHaveText([/Public Lamp/]);
  await expect(page.getByText('Private Sofa')).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('wishlist'))).toBeNull();
  const next = synced(page);
  release();
  await next;
  expect(await elsewhere(shop, second)).toMatchObject({ wishes: [], cart: [{ _id: lamp._id }] });
  expect(await cartIds(shop, await shop.newSession(first))).toEqual([sofa._id]);
});

test('after a login a message counts what came from the account, and names a line that gave way to another size', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const customer = await shop.aCustomer();
  const [sofa, lamp] = [await shop.aProduct({ name: 'Sized Sofa', sizes: SIZES }), await shop.aProduct({ name: 'Wished Lamp' })];
  const there = { ...listed(sofa._id, 2), size: 'Three-seat' };
  await elsewhere(shop, customer, { wishes: [wish(lamp._id)], cart: [there] });
  await fillCartWith(page, [{ ...lineOf(sofa), size: 'Two-seat', price: 60_000 }]);
  await page.goto('/cart');
  // The line that gives way is on the list already.
  await storeWishes(page, [wish(sofa._id, 'Two-seat')]);
  await logInAs(customer);
  await page.goto('/cart');
  await expectToast(page, 'Your wish list has one item from your account. Sized Sofa, Two-seat was moved to your wish list,');
});

test('what was bought elsewhere while logged out does not come back at the next login', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer();
  const [sofa, lamp] = [await shop.aProduct({ name: 'Bought Sofa' }), await shop.aProduct({ name: 'Kept Lamp' })];
  const both = { wishes: [], cart: [listed(sofa._id), listed(lamp._id)] };
  await elsewhere(shop, customer, both);
  await logInAs(customer);
  await page.goto('/cart');
  await expect(lines(page).getByRole('listitem')).toHaveCount(2);
  await expectStored(page, 'cartSynced').toContain(sofa._id);
  await logOut(page);
  await expectStored(page, 'wishlist').toBeNull();
  await expect(lines(page).getByRole('listitem')).toHaveCount(2);
  const session = await shop.newSession(customer);
  await elsewhere(shop, session, { wishes: [], cart: [listed(lamp._id)] }, both);
  await page.goto('/login?redirect=cart');
  await logIn(page, customer);
  await expect(lines(page).getByRole('listitem')).toHaveText([/Kept Lamp/]);
  expect(await cartIds(shop, session)).toEqual([lamp._id]);
});

test('a session that expires in one tab leaves the lists to all', { tag: '@thorough' }, async ({
  page,
  context,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/401/);
  const customer = await shop.aCustomer();
  const sofa = await shop.aProduct({ name: 'Expiring Sofa' });
  await elsewhere(shop, customer, { wishes: [wish(sofa._id)], cart: [] });
  await logInAs(customer);
  await page.goto('/');
  await expectStored(page, 'wishlist').toContain(sofa._id);
  const other = await context.newPage();
  await other.goto(`${shop.url}/`);
  await expect(other.getByRole('button', { name: 'Account' })).toBeVisible();
  await shop.endSession(customer);
  await page.goto('/orders');
  await expect(page).toHaveURL(/\/login/);
  await expect(other.getByRole('link', { name: 'Log in', exact: true })).toBeVisible();
  expect(await other.evaluate(() => localStorage.getItem('wishlist'))).toContain(sofa._id);
});

test('lists are synced at a load, a login and a change, and not at each page; a checkout with a slash has none', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const customer = await shop.aCustomer();
  const sofa = await shop.aProduct({ name: 'Counted Sofa' });
  await elsewhere(shop, customer, { wishes: [], cart: [listed(sofa._id)] });
  let count = 0;
  page.on('request', (request) => {
    if (isSync(request.url())) count += 1;
  });
  await logInAs(customer);
  const sync = synced(page);
  await page.goto('/');
  await sync;
  const footer = page.getByRole('contentinfo');
  await footer.getByRole('link', { name: 'Wish list' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wish list');
  await page.getByRole('link', { name: /^Cart, / }).click();
  await expect(lines(page)).toContainText('Counted Sofa');
  const change = synced(page);
  await page.getByRole('button', { name: 'Remove Counted Sofa' }).click();
  await change;
  expect(count).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => count).toBe(3);
  await page.goto('/checkout/');
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
  const afterwards = synced(page);
  await page.getByRole('link', { name: /^Cart, / }).click();
  await afterwards;
  expect(count).toBe(4);
});

test('a line that is no longer sold stays on the account, although this browser cannot show it', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer();
  const [gone, lamp] = [await shop.aProduct({ name: 'Gone Sofa' }), await shop.aProduct({ name: 'Sold Lamp' })];
  await elsewhere(shop, customer, { wishes: [], cart: [listed(gone._id), listed(lamp._id)] });
  await shop.withDatabase(async (db) => {
    await db.updateTable('products').set({ deletedAt: new Date().toISOString() }).where('id', '=', gone._id).execute();
  });
  await logInAs(customer);
  await page.goto('/cart');
  await expect(lines(page).getByRole('listitem')).toHaveText([/Sold Lamp/]);
  const change = synced(page);
  await page.getByRole('button', { name: 'One more Sold Lamp' }).click();
  await change;
  expect(await cartIds(shop, customer)).toEqual([lamp._id, gone._id]);
});

test('a checkout that begins during a sync keeps its cart, and a line removed afterwards does not come back', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer();
  const [sofa, lamp] = [await shop.aProduct({ name: 'Here Sofa' }), await shop.aProduct({ name: 'There Lamp' })];
  await elsewhere(shop, customer, { wishes: [], cart: [listed(lamp._id)] });
  await fillCartWith(page, [lineOf(sofa)]);
  await logInAs(customer);
  const release = await holdBack(page, '**/api/users/lists', async (route) => {
    const reply = await route.fetch();
    await page.getByRole('button', { name: 'Cash on delivery' }).click();
    await expect(page).toHaveURL(/\/checkout$/);
    await route.fulfill({ response: reply });
  });
  await page.goto('/cart');
  const first = synced(page);
  release();
  await first;
  await expectStored(page, 'cartSynced').toContain(sofa._id);
  expect(await page.evaluate(() => localStorage.getItem('cartItems'))).not.toContain(lamp._id);
  await page.evaluate(() => localStorage.setItem('cartItems', '[]'));
  await page.unrouteAll();
  await page.goto('/cart');
  await expect(lines(page).getByRole('listitem')).toHaveText([/There Lamp/]);
  expect(await cartIds(shop, customer)).toEqual([lamp._id]);
});

test('a saved choice replaces no other one in silence, and Undo takes back only what was added', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const sofa = await shop.aProduct({ name: 'Two Sofa', sizes: SIZES });
  const line = { ...lineOf(sofa), size: 'Two-seat', price: 60_000 };
  await fillCartWith(page, [line]);
  await page.goto('/cart');
  await storeWishes(page, [wish(sofa._id, 'Three-seat')]);
  await page.reload();
  const saved = page.getByRole('list', { name: 'Wish list' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Move to cart: Two Sofa' }).click();
  await expectToast(page, 'Two Sofa, Two-seat is on your wish list now.');
  await expect(lines(page)).toContainText(/three-seat/i);
  await expect(saved).toHaveText([/two-seat/i]);
  // The product without a choice is another wish.
  await storeWishes(page, [wish(sofa._id)]);
  await page.reload();
  await page.getByRole('button', { name: 'Save Two Sofa for later' }).click();
  await expect(saved).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(saved).toHaveCount(1);
  // A full list holds this choice already.
  const many = [wish(sofa._id, 'Three-seat'), ...Array.from({ length: 99 }, (_, n) => wish(`p${n}`))];
  await storeWishes(page, many);
  await page.reload();
  await page.getByRole('button', { name: 'Save Two Sofa for later' }).click();
  await expect(page.getByText('Two Sofa was moved to your wish list.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(lines(page)).toContainText(/three-seat/i);
  await expect(saved.filter({ hasText: /three-seat/i })).toHaveCount(1);
});

test('on the wish list a heart takes away its own choice alone, on a card all of them', { tag: '@thorough' }, async ({ page, shop }) => {
  const sofa = await shop.aProduct({ name: 'Hearted Sofa', category: 'Hearting', sizes: SIZES });
  await page.goto('/cart?wishlist');
  await storeWishes(page, [wish(sofa._id), wish(sofa._id, 'Two-seat'), wish(sofa._id, 'Three-seat')]);
  await page.reload();
  const wishes = page.getByRole('list', { name: 'Wish list' }).getByRole('listitem');
  await expect(wishes).toHaveCount(3);
  await wishes.first().getByRole('button', { name: 'Saved: Hearted Sofa' }).click();
  await expect(wishes).toHaveText([/two-seat/i, /three-seat/i]);
  await page.goto('/shop?query=Hearting');
  await page.getByRole('button', { name: 'Saved: Hearted Sofa' }).click();
  await expect(page.getByRole('button', { name: 'Save Hearted Sofa' })).toBeVisible();
  await expectStored(page, 'wishlist').toBe('{"wishes":[]}');
});

test('the link beside the saved items opens the wish list', { tag: '@thorough' }, async ({ page, shop }) => {
  const sofa = await shop.aProduct({ name: 'Linked Sofa' });
  await page.goto('/cart');
  await storeWishes(page, [wish(sofa._id)]);
  await page.reload();
  await page.locator('#main').getByRole('link', { name: 'Wish list' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Wish list' })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Cart' })).toBeFocused();
});

test.describe('before any touch', () => {
  test.use({ loadsScriptsAtOnce: false });

  test('the first press of a heart saves, although its code loads after it, and is announced', { tag: '@thorough' }, async ({
    page,
    shop,
  }) => {
    const sofa = await shop.aProduct({ name: 'Early Sofa' });
    await page.goto(`/product/${sofa._id}`);
    const release = await holdBack(page, '**/assets/heart-button*.js');
    await page.getByRole('button', { name: 'Save Early Sofa' }).click();
    release();
    await expect(page.getByRole('button', { name: 'Saved: Early Sofa' })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Early Sofa is now on your wish list.' })).toHaveCount(1);
    await page.getByRole('button', { name: 'Saved: Early Sofa' }).click();
    await expectStored(page, 'wishlist').toBe('{"wishes":[]}');
  });
});
