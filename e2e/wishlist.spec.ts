import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, logIn, logOut, test } from './fixtures.ts';

const heart = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const wishes = (page: Page) => page.getByRole('list', { name: 'Wish list' }).getByRole('listitem');
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('wishlist'));

/** Resolves once the account has this browser's lists. */
const synced = (page: Page) => page.waitForResponse((reply) => reply.url().endsWith('/api/users/lists') && reply.ok());

test('a visitor saves variants and shares the list; it follows the account to another browser, and leaves this one at the logout (§2.8.2)', {
  tag: '@thorough',
}, async ({ page, shop, browser }) => {
  const sizes = JSON.stringify([
    { size: 'Two-seat', quantity: 3, price: 60_000, measurements: [] },
    { size: 'Three-seat', quantity: 9, price: 80_000, measurements: [] },
  ]);
  const sofa = await shop.aProduct({ name: 'Wished Sofa', category: 'Wishing', sizes });
  const lamp = await shop.aProduct({ name: 'Wished Lamp', category: 'Wishing', price: '2500' });
  const owner = await shop.aCustomer('Vera Verysecret');
  // A card saves the product without a choice, the product's page the chosen size.
  await page.goto('/shop?query=Wishing');
  await heart(page, 'Save Wished Lamp').focus();
  await page.keyboard.press('Enter');
  await expect(heart(page, 'Saved: Wished Lamp')).toBeVisible();
  const box = await heart(page, 'Save Wished Sofa').boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await page.goto(`/product/${sofa._id}?size=three-seat`);
  await heart(page, 'Save Wished Sofa').click();
  await expect(heart(page, 'Saved: Wished Sofa')).toBeVisible();
  await page.getByRole('radio', { name: /Two-seat/ }).check();
  await expect(heart(page, 'Save Wished Sofa')).toBeVisible();

  await page.getByRole('contentinfo').getByRole('link', { name: 'Wish list' }).click();
  await expect(wishes(page)).toHaveText([/^Wished Sofa.*three-seat.*£800\.00/, /^Wished Lamp.*£25\.00/]);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Share this list' }).click();
  const link = await page.getByLabel('Link to this list').inputValue();
  expect(link).toMatch(/\/cart\?wishlist=[\w-]{43}$/);
  // Somebody else sees it, and nobody's name.
  const plain = await browser.newContext();
  const friend = await plain.newPage();
  await friend.goto(link);
  await expect(wishes(friend)).toHaveText([/^Wished Sofa.*three-seat.*£800\.00/, /^Wished Lamp.*£25\.00/]);
  await expect(friend.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(friend.getByText('Verysecret')).toHaveCount(0);

  // After logging in the list is the account's.
  await page.getByRole('link', { name: 'Log in to keep it on your account' }).click();
  const first = synced(page);
  await logIn(page, owner);
  await first;
  await expect(page).toHaveURL(/\/cart$/);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Wish list' }).click();
  await expect(page.getByText('A link from before you logged in')).toBeVisible();
  const other = await browser.newContext();
  const second = await other.newPage();
  await second.goto(`${shop.url}/login?redirect=cart`);
  await logIn(second, owner);
  await expect(second).toHaveURL(`${shop.url}/cart`);
  await second.getByRole('button', { name: 'Account' }).click();
  await second.getByRole('banner').getByRole('link', { name: 'Wish list' }).click();
  await expect(wishes(second)).toHaveText([/^Wished Sofa/, /^Wished Lamp/]);

  // A line of the cart is moved to the wish list here, and back there.
  await page.goto(`/product/${lamp._id}`);
  const inCart = synced(page);
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await inCart;
  await page.goto('/cart');
  const saved = synced(page);
  await page.getByRole('button', { name: 'Save Wished Lamp for later' }).click();
  await expect(page.getByText('Wished Lamp was moved to your wish list.')).toBeVisible();
  await saved;
  await second.goto(`${shop.url}/cart`);
  await expect(second.getByText('Your shopping cart is currently empty.')).toBeVisible();
  const back = synced(second);
  await second.getByRole('button', { name: 'Move to cart: Wished Lamp' }).click();
  await expect(second.getByRole('list', { name: 'Cart lines' })).toContainText('Wished Lamp');
  await back;
  await expect(second.getByRole('list', { name: 'Wish list' }).getByRole('listitem')).toHaveText([/^Wished Sofa/]);
  await page.reload();
  await expect(page.getByRole('list', { name: 'Cart lines' })).toContainText('Wished Lamp');

  // The link is ended on the account, and the list is gone from this browser.
  await page.goto('/cart?wishlist');
  await expect(wishes(page)).toHaveText([/^Wished Sofa/]);
  await page.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(page.getByText('The link has ended.')).toBeVisible();
  await friend.reload();
  await expect(friend.getByText('This list is no longer shared.')).toBeVisible();
  await logOut(page);
  await expect(page.getByText('Nothing saved yet.')).toBeVisible();
  expect(await stored(page)).toBeNull();
  await page.goto('/cart');
  await expect(page.getByRole('list', { name: 'Cart lines' })).toContainText('Wished Lamp');
  await plain.close();
  await other.close();
});
