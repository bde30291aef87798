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

test('a toast stands at the top right, closes by itself after 5 s, and satisfies axe', { tag: '@phone' }, async ({ page, shop }) => {
  const toast = await aToast(page, shop);
  await expect(page.locator('.Toastify__toast-container--top-right')).toBeVisible();
  await expect(bar(page)).toHaveCSS('animation-duration', '5s');
  await expectAccessible(page);
  await expect(toast).toHaveCount(0);
});

test('a toast waits while the pointer is on it, and while the window has lost the focus', async ({ page, shop }) => {
  const toast = await aToast(page, shop);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await expect(bar(page)).toHaveCSS('animation-play-state', 'paused');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(bar(page)).toHaveCSS('animation-play-state', 'running');
  await toast.hover();
  await expect(bar(page)).toHaveCSS('animation-play-state', 'paused');
});

test('a toast that is dragged by less than 80 percent of its width comes back, by more it goes', async ({ page, shop }) => {
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
