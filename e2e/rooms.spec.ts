import type { Page } from '@playwright/test';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

const rooms = (page: Page) => page.getByRole('list', { name: 'Rooms' });
const pieces = (page: Page, title = 'Shop this room') => page.getByRole('list', { name: title }).getByRole('link');
/** The sum on a button in pence. */
const sumOf = (text: string | null) => Math.round(Number(/£([\d,.]+)$/.exec(text ?? '')?.[1]?.replaceAll(',', '')) * 100);

test('each room of the demo can be shopped on the home page; choosing one moves nothing, and all of it goes into the cart (§19.4)', async ({
  page,
}) => {
  await page.goto('/');
  await rooms(page).scrollIntoViewIfNeeded();
  const choices = rooms(page).getByRole('button');
  await expect(choices).toHaveCount(13);
  const study = choices.filter({ has: page.locator('img') }).last();
  await study.focus();
  const before = await study.boundingBox();
  await page.keyboard.press('Enter');
  await expect(pieces(page).first()).toHaveText(/^Alder/);
  expect((await study.boundingBox())?.y).toBe(before?.y);
  await expect(study).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  // Of its five pieces some may be sold out.
  const add = page.getByRole('button', { name: /^Add all \d to cart/ });
  const text = await add.textContent();
  const [sum, count] = [sumOf(text), Number(/\d/.exec(text ?? '')?.[0])];
  await add.press('Enter');
  await expect(page.getByText(`${count} pieces are in your cart.`)).toBeVisible();
  await expect(pieces(page).first()).toContainText('in your cart');
  await expect(page.getByRole('link', { name: 'View cart' })).toBeFocused();
  await page.keyboard.press('Enter');
  const lines = page.getByRole('list', { name: 'Cart lines' }).getByRole('listitem');
  await expect(lines).toHaveCount(count);
  const cart = await page.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? '[]') as { price: number; qty: number }[]);
  expect(cart.reduce((total, { price, qty }) => total + price * qty, 0)).toBe(sum);
  // The server agrees with prices, sizes and stock.
  await expect(page.getByRole('region', { name: 'Summary' }).getByRole('button', { name: 'Checkout' })).toBeEnabled();
});

test('“Complete the room” has the room’s other pieces, on the product’s page and in the cart (§19.4)', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=Wren%20Velvet%20Sofa');
  await page.goto(`/product/${products[0]?._id}`);
  const title = 'Complete the room';
  await page.getByRole('heading', { name: title }).scrollIntoViewIfNeeded();
  await expect(pieces(page, title)).toHaveText([/^Orla Round/, /^Heath Stoneware/, /^Fable Brass/, /^Siena Side/, /^Moon Stoneware/]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await page.goto('/cart');
  // Loaded when it comes near.
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(page.getByRole('heading', { name: title })).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(pieces(page, title)).toHaveCount(5);
  await page.getByRole('button', { name: /^Add all 5 to cart/ }).click();
  await expect(page.getByRole('list', { name: 'Cart lines' }).getByRole('listitem')).toHaveCount(6);
  await expect(pieces(page, title)).toHaveCount(5);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('a category has its text, its picture and its subcategories above its list, and its rooms below; filters stay where they are (§2.6.8)', {
  tag: '@thorough',
}, async ({ page }) => {
  await page.goto('/shop');
  const category = page.getByRole('complementary', { name: 'Filters' }).getByRole('checkbox', { name: /^Sofa/ });
  const before = await category.boundingBox();
  await category.check();
  const text = page.getByText(/^From a two-seater for a small flat/);
  await expect(text).toBeVisible();
  expect((await category.boundingBox())?.y).toBe(before?.y);
  const kinds = page.getByRole('list', { name: 'Subcategories' });
  // Beside the picture, so that products are seen without scrolling.
  const [choice, products] = await Promise.all([kinds, page.getByRole('list', { name: 'Products' })].map((list) => list.boundingBox()));
  const picture = await page.locator('#main img[fetchpriority=high]').first().boundingBox();
  expect(choice?.y).toBeGreaterThan(picture?.y ?? 0);
  expect((products?.y ?? 0) - (picture?.y ?? 0) - (picture?.height ?? 0)).toBeLessThan(48);
  await kinds.getByRole('link', { name: 'Two-seat' }).click();
  await expect(page).toHaveURL(/subCategory=Two-seat/);
  await expect(kinds.getByRole('link', { name: 'Two-seat' })).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('list', { name: 'Products' }).getByRole('article')).toHaveCount(4);
  await expect(text).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect(rooms(page).getByRole('button')).not.toHaveCount(0);
  await expect(pieces(page).filter({ hasText: 'Sofa' })).toHaveCount(1);
});

test('the owner sets a category’s text and a room without a programmer: a click on the picture says where a piece stands (§19.4)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const piece = await shop.aProduct({ name: 'Nook Chair', category: 'Nooks', subCategory: 'Chairs' });
  const { token } = await shop.admin();
  const before = await shop.call<SettingsSection>('GET', '/api/settings/catalogue', { token });
  await logInAs(await shop.admin());
  await page.goto('/admin/productlist');
  await page.getByRole('link', { name: 'Categories and rooms' }).click();
  await page.getByRole('button', { name: 'Add category' }).click();
  const form = page.locator('form');
  await form.getByLabel('Category', { exact: true }).last().fill('Nooks');
  await form.getByLabel(/^Text/).last().fill('For a corner of your own.');
  const pieces = form.getByLabel('Pieces', { exact: true }).first();
  const spots = await pieces.inputValue();
  await pieces.fill(`${spots}, Nook Chair`);
  const picture = page.locator('.cursor-crosshair').first();
  const box = await picture.boundingBox();
  await picture.click({ position: { x: (box?.width ?? 0) / 4, y: (box?.height ?? 0) / 2 } });
  await expect(pieces).toHaveValue(`${spots}, Nook Chair (25, 50)`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. Customers see it now.')).toBeVisible();
  await page.goto('/shop?query=Nooks');
  await expect(page.getByText('For a corner of your own.')).toBeVisible();
  await page.goto(`/product/${piece._id}`);
  await expect(page.getByRole('heading', { name: 'Complete the room' })).toBeVisible();
  // Other tests look at the demo's rooms.
  await shop.call('PUT', '/api/settings/catalogue', { token, body: { version: before.version + 1, values: before.values } });
});
