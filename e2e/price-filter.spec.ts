import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

async function openPrice(page: Page, address: string, isMobile: boolean) {
  await page.goto(address);
  if (isMobile) await page.getByRole('button', { name: 'Filter' }).click();
  return page.getByRole('group', { name: 'Price' });
}

test('prices are applied by Enter and by nothing else (§5.7)', async ({ page, shop, isMobile }) => {
  const price = await openPrice(page, '/shop', isMobile);
  await expect(price.getByRole('button')).toHaveCount(0);
  await price.getByLabel('Min').fill('100');
  await price.getByLabel('Max').fill('1,200');
  await price.getByLabel('Min').focus();
  await price.getByLabel('Min').blur();
  expect(page.url()).toBe(`${shop.url}/shop`);
  // Phones name their Enter by this.
  await expect(price.getByLabel('Max')).toHaveAttribute('enterkeyhint', 'go');
  await price.getByLabel('Max').press('Enter');
  await expect(page).toHaveURL(/minPrice=100&maxPrice=1%2C200$/);
  await expect(page.locator('ul[aria-label="Applied filters"] li')).toHaveText(['From £100', 'Up to £1,200', 'Clear all']);
  await price.getByLabel('Min').fill('');
  await price.getByLabel('Min').press('Enter');
  await expect(page).toHaveURL(/shop\?maxPrice=1200$/);
  // The same filter once more is no step of its own.
  // The drawer has an entry of its own above each list, which follows the list's.
  if (isMobile) await expect.poll(() => page.evaluate(() => (history.state as { isOverlay?: boolean }).isOverlay)).toBe(true);
  const steps = await page.evaluate(() => history.length);
  await price.getByLabel('Min').press('Enter');
  await price.getByLabel('Max').fill('900');
  await price.getByLabel('Max').press('Enter');
  await expect(page).toHaveURL(/shop\?maxPrice=900$/);
  await expect.poll(() => page.evaluate(() => history.length)).toBe(steps + (isMobile ? 2 : 1));
});

test('in the drawer the button that shows the products applies a typed price, as Enter does (§5.7)', { tag: '@touch' }, async ({
  page,
  shop,
}) => {
  await page.goto('/shop');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: 'Filters' });
  await drawer.getByLabel('Max').fill('300');
  await drawer.getByRole('button', { name: /^Show \d+ products/ }).click();
  await expect(page).toHaveURL(`${shop.url}/shop?maxPrice=300`);
  await expect(drawer).toBeHidden();
  await expect(page.locator('ul[aria-label="Applied filters"] li')).toHaveText(['Up to £300', 'Clear all']);
  // Without a new price it only closes the drawer, and Back then leads to the list before.
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await drawer.getByRole('button', { name: /^Show \d+ products?/ }).click();
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(`${shop.url}/shop?maxPrice=300`);
});

test('pence are left out of the boxes, which is said; the list is filtered with them (§5.7)', { tag: '@thorough' }, async ({
  page,
  shop,
  isMobile,
}) => {
  for (const [name, price] of [
    ['Cheap', '4999'],
    ['Exact', '5050'],
    ['Dear', '5051'],
  ] as const)
    await shop.aProduct({ name, price, brand: 'Pence' });
  const price = await openPrice(page, '/shop?brand=Pence&sortBy=ascprice', isMobile);
  await price.getByLabel('Min').fill('50.00');
  await price.getByLabel('Max').fill('50.50');
  await price.getByLabel('Max').press('Enter');
  await expect(price.getByRole('status')).toHaveText('Pence are left out above. The list is filtered from £50 up to £50.50.');
  await expect(price.getByLabel('Max')).toHaveValue('50');
  await expect(page.locator('ul[aria-label="Products"] h2')).toHaveText(['Exact']);
  await page.reload();
  if (isMobile) await page.getByRole('button', { name: 'Filter' }).click();
  await expect(price.getByRole('status')).toHaveText(/£50\.50\.$/);
});

test('without scripts a button applies box, prices and sort, and keeps the rest of the address (§5.7)', async ({ browser, shop }) => {
  // A phone: with scripts its filters are in a drawer.
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.url, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto('/shop?sortBy=ascprice&query=Sofa&currPage=2&gclid=1');
  await page.getByLabel('Sort').selectOption('rating');
  await page.getByLabel('In Stock Only').check();
  await page.getByLabel('Min').fill('1000');
  await page.getByRole('button', { name: 'Apply filters and sort' }).click();
  const sent = [...new URL(page.url()).searchParams].filter(([, value]) => value !== '');
  expect(Object.fromEntries(sent)).toEqual({ sortBy: 'rating', query: 'Sofa', inStock: 'true', minPrice: '1000', unit: 'cm' });
  await expect(page.getByRole('link', { name: 'Remove filter: From £1,000' })).toBeVisible();
  await expect(page.getByLabel('Sort')).toHaveValue('rating');
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeHidden();
  await context.close();
});
