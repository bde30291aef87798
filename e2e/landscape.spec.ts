import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** A phone that lies on its side: little height, and nothing may be out of reach for that. */
test.use({ viewport: { width: 844, height: 390 } });

/** Whether a control stands free on the screen once it has the focus, as by the keyboard: all of it but for part of a pixel, and nothing over its middle. */
async function expectReachable(target: Locator): Promise<void> {
  await target.focus();
  await expect(target).toBeInViewport({ ratio: 0.99 });
  const isOnTop = target.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return element.contains(top) || element.closest('label')?.contains(top);
  });
  expect(await isOnTop, await target.evaluate(({ outerHTML }) => outerHTML.slice(0, 200))).toBe(true);
}

/** Every button, link and field of an overlay. */
async function expectAllReachable(overlay: Locator): Promise<void> {
  const controls = overlay.locator('button:visible, a[href]:visible, input:visible, select:visible');
  const count = await controls.count();
  expect(count).toBeGreaterThan(0);
  for (let index = 0; index < count; index += 1) await expectReachable(controls.nth(index));
}

test('on its side, a phone reaches everything of a product and its enlarged picture', { tag: ['@touch', '@thorough'] }, async ({
  page,
  shop,
}) => {
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=oslo+sofa');
  await page.goto(`/product/${products[0]?._id}`);
  await expectReachable(page.getByRole('button', { name: 'Add To Cart' }));
  await page.getByRole('button', { name: 'Enlarge the picture' }).click();
  const dialog = page.getByRole('dialog', { name: /enlarged$/ });
  const frame = dialog.getByRole('region', { name: /^Enlarged picture/ });
  await expect(frame).toBeFocused();
  await expect(dialog.getByRole('img').first()).toHaveJSProperty('complete', true);
  await expectAllReachable(dialog);
  expect((await frame.boundingBox())?.height).toBeGreaterThan(200);
});

test('on its side, a phone reaches every filter and the whole comparison', { tag: ['@touch', '@thorough'] }, async ({ page }) => {
  await page.goto('/shop?query=Sofa');
  const boxes = page.getByRole('checkbox', { name: /^Compare / });
  for (const index of [0, 1, 2, 3]) await boxes.nth(index).check();
  await page.getByRole('region', { name: 'Compare', exact: true }).getByRole('link', { name: 'Compare' }).click();
  const comparison = page.getByRole('dialog', { name: 'Compare' });
  await expect(comparison.getByRole('columnheader')).toHaveCount(4);
  await expectAllReachable(comparison);
  const last = comparison.getByRole('rowheader', { name: 'Delivery' });
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(comparison).toBeHidden();
  await page.getByRole('button', { name: 'Filter' }).click();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  await expect(filters).toBeVisible();
  await expectAllReachable(filters);
});
