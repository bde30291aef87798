import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, type Shop, test } from './fixtures.ts';

const bar = (page: Page) => page.locator('.Toastify__progress-bar--animated');

/** A toast: the page of a product whose button was pressed. */
async function aToast(page: Page, shop: Shop): Promise<Locator> {
  const sofa = await shop.aProduct({ name: 'Toasted Sofa' });
  await page.goto(`/product/${sofa._id}`);
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  const toast = page.locator('.Toastify__toast');
  await expect(toast).toBeVisible();
  // Its entrance is over: that starts its clock, whatever stopped it before.
  await expect(bar(page)).toHaveCSS('animation-play-state', 'running');
  return toast;
}

test('a toast stands at the top right, closes by itself after 5 s, and satisfies axe (§9.6)', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const toast = await aToast(page, shop);
  await expect(page.locator('.Toastify__toast-container--top-right')).toBeVisible();
  await expect(bar(page)).toHaveCSS('animation-duration', '5s');
  await expectAccessible(page);
  await expect(toast).toHaveCount(0);
});

test('a toast waits while the pointer is on it, and while the window has lost the focus (§9.6, U48)', async ({ page, shop }) => {
  const toast = await aToast(page, shop);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await expect(bar(page)).toHaveCSS('animation-play-state', 'paused');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(bar(page)).toHaveCSS('animation-play-state', 'running');
  await toast.hover();
  await expect(bar(page)).toHaveCSS('animation-play-state', 'paused');
});

test('a toast that is dragged by less than 80 percent of its width comes back, by more it goes (§9.6)', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const toast = await aToast(page, shop);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  const drag = async (part: number) => {
    const box = await toast.boundingBox();
    if (!box) throw new Error('There is no toast.');
    const [x, y] = [box.x + box.width * 0.95, box.y + box.height * 0.75];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - box.width * part, y, { steps: 8 });
    await page.mouse.up();
  };
  await drag(0.75);
  await expect(toast).toBeVisible();
  await expect.poll(() => toast.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).e)).toBe(0);
  await drag(0.85);
  await expect(toast).toHaveCount(0);
});

test('another size replaces the line, which the page and the toast say, and Undo brings the old one back (§4.6)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const sizes = [
    { size: 'Three-seat', quantity: 5, price: 0, measurements: [] },
    { size: 'Two-seat', quantity: 5, price: 30_000, measurements: [] },
  ];
  const sofa = await shop.aProduct({ name: 'Swapped Sofa', price: '40000', sizes: JSON.stringify(sizes) });
  await page.goto(`/product/${sofa._id}`);
  const add = page.getByRole('button', { name: 'Add To Cart' });
  const toasts = page.locator('.Toastify__toast');
  await add.click();
  await expect(toasts).toContainText('1 × £400.00. Subtotal £400.00');
  await expect(page.getByText(/^Replaced/)).toHaveCount(0);
  // Under the pointer the toast stays, however long the rest takes.
  await toasts.hover();
  await page.getByRole('radio', { name: /^Two-seat/ }).press('Space');
  // How many toasts stand on the page at any moment from here on: none stays with the old size and sum.
  await page.evaluate(() => {
    const most = () => Math.max(Number(document.body.dataset.toasts ?? 0), document.querySelectorAll('.Toastify__toast').length);
    new MutationObserver(() => {
      document.body.dataset.toasts = String(most());
    }).observe(document.body, { childList: true, subtree: true });
  });
  await add.press('Enter');
  await expect(toasts.filter({ hasText: 'Replaced Three-seat with Two-seat' })).toBeVisible();
  await expect(toasts).toHaveCount(1);
  await expect(page.locator('body')).toHaveAttribute('data-toasts', '1');
  await expect(toasts).toContainText('1 × £300.00. Subtotal £300.00');
  await expectAccessible(page);
  const stored = () => page.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? '[]') as object[]);
  await expect.poll(stored).toMatchObject([{ size: 'Two-seat', price: 30_000 }]);
  await page.locator('#main').getByRole('button', { name: 'Undo' }).press('Enter');
  await expect.poll(stored).toMatchObject([{ size: 'Three-seat', price: 40_000 }]);
  await expect(page.locator('#main').getByText(/^Replaced/)).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Swapped Sofa, Three-seat is in your cart again.' })).toHaveCount(1);
  await expect(toasts).toHaveCount(0);
});

test('a toast leads to the cart, and goes there and when its line is removed in another tab (§9.6, U26)', { tag: '@thorough' }, async ({
  page,
  shop,
  context,
}) => {
  const sofa = await shop.aProduct({ name: 'Viewed Sofa' });
  await page.goto(`/product/${sofa._id}`);
  const toasts = page.locator('.Toastify__toast');
  const stay = () => page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await page.getByRole('button', { name: 'One more', exact: false }).click();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await expect(toasts).toBeVisible();
  await stay();
  await expect(toasts).toContainText('Viewed Sofa');
  await expect(toasts).toContainText('2 × £499.99. Subtotal £999.98');
  const other = await context.newPage();
  await other.goto(`${shop.url}/cart`);
  await other.getByRole('button', { name: 'Remove Viewed Sofa' }).click();
  await expect(toasts).toHaveCount(0);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await stay();
  await page.getByRole('link', { name: 'View cart' }).click();
  await expect(page).toHaveURL(`${shop.url}/cart`);
  await expect(toasts).toHaveCount(0);
  await page.goBack();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await expect(toasts).toBeVisible();
  await stay();
  await page.getByRole('link', { name: /^Cart, 1 item/ }).click();
  await expect(toasts).toHaveCount(0);
});
