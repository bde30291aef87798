import type { ModelViewerElement } from '@google/model-viewer';
import type { Locator } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures.ts';

// Drawn by the processor: the browser says that reading its own pixels is slow, and the viewer that a frame was. Few pixels keep the test short.
test.use({ expectedOnConsole: [/GPU stall due to ReadPixels|^rAF timed out in updateSource$/], viewport: { width: 500, height: 420 } });

/** Where the camera stands round the piece, in degrees. */
const angle = (viewer: Locator) =>
  viewer.evaluate((element) => Math.round(((element as ModelViewerElement).getCameraOrbit().theta * 180) / Math.PI));

/** How far away it stands, in metres. */
const distance = (viewer: Locator) => viewer.evaluate((element) => (element as ModelViewerElement).getCameraOrbit().radius);

test('a piece is seen in 3D, turned and closed by the keyboard; nothing of it is loaded before', { tag: ['@webgl', '@thorough'] }, async ({
  page,
  shop,
}) => {
  test.slow();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=Tarn%20Oak%20Stool');
  const address = `/product/${products[0]?._id}`;
  await page.goto(address);
  const link = page.getByRole('link', { name: 'View in 3D' });
  await expect(link).toBeVisible();
  // The drawing of the fit shows the model's outline, a small SVG.
  const isOfModels = (url: string) => /model|viewer/.test(url.slice(shop.url.length)) && !url.endsWith('.svg');
  expect(asked.filter(isOfModels)).toEqual([]);

  await link.click();
  const dialog = page.getByRole('dialog', { name: 'Tarn Oak Stool in 3D' });
  await expect(dialog.getByRole('status').first()).toContainText('The 3D model is ready', { timeout: 150_000 });
  await expect(dialog.getByText('Width')).toBeVisible();
  await expectAccessible(page);
  const viewer = dialog.locator('model-viewer');
  const size = await viewer.evaluate((element) => (element as ModelViewerElement).getDimensions());
  expect([Math.round(size.x * 100), Math.round(size.y * 100)]).toEqual([38, 46]);
  expect(await angle(viewer)).toBe(28);
  // The keys that are named work at once, wherever in the dialog the focus is.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => angle(viewer), { timeout: 60_000 }).toBe(48);
  const before = await distance(viewer);
  await page.keyboard.press('+');
  await expect.poll(() => distance(viewer), { timeout: 60_000 }).toBeLessThan(before);
  const near = await distance(viewer);
  await page.keyboard.press('-');
  await expect.poll(() => distance(viewer), { timeout: 60_000 }).toBeGreaterThan(near);
  await dialog.getByRole('button', { name: 'Turn right' }).press('Enter');
  await expect.poll(() => angle(viewer), { timeout: 60_000 }).toBe(78);

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(link).toBeFocused();
  await expect(page).toHaveURL(shop.url + address);

  // A device that cannot draw it says so, and Back closes it too.
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await link.press('Enter');
  await expect(dialog.getByRole('status').first()).toContainText('cannot show 3D');
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(shop.url + address);

  // A link that was sent to somebody opens it as the page is loaded.
  await page.goto('/');
  await page.goto(`${address}#3d`);
  await expect(dialog.getByRole('status').first()).toContainText('The 3D model is ready', { timeout: 150_000 });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  // So does the same address, typed over that of a page that nobody has touched.
  await page.goto('/');
  await page.goto(address);
  await page.goto(`${address}#3d`);
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(link).toBeVisible();
});

test('where the browser cannot draw in 3D no button leads there, and nothing moves for that', async ({ page, shop }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=Tarn%20Oak%20Stool');
  await page.goto(`/product/${products[0]?._id}`);
  const link = page.locator('a', { hasText: 'View in 3D' });
  const place = await link.boundingBox();
  expect(place?.height).toBeGreaterThan(40);
  await expect(link).toBeHidden();
  await page.mouse.click(5, 200);
  await expect(link).toBeHidden();
  expect(await link.boundingBox()).toEqual(place);
});

test('the 3D view shows the size and the colour that are chosen, and says which', { tag: ['@webgl', '@thorough'] }, async ({
  page,
  shop,
}) => {
  test.setTimeout(180_000);
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=Oslo');
  await page.goto(`/product/${products[0]?._id}?size=two-seat&colour=slate#3d`);
  const dialog = page.getByRole('dialog', { name: 'Oslo Sofa in 3D' });
  await expect(dialog.getByRole('status').first()).toContainText('The 3D model is ready', { timeout: 150_000 });
  await expect(dialog).toContainText('Shown as Two-seat, Slate');
  await expect(dialog).toContainText('168 cm');
  const shown = await dialog.locator('model-viewer').evaluate((element) => {
    const { variantName, getDimensions } = element as ModelViewerElement;
    return { variantName, width: Math.round(getDimensions.call(element).x * 100) };
  });
  expect(shown).toEqual({ variantName: '#53595c', width: 168 });
});

test('View in 3D keeps the size and the colour that are chosen, also after Escape', { tag: ['@webgl', '@thorough'] }, async ({
  page,
  shop,
}) => {
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=Oslo');
  const address = `/product/${products[0]?._id}?size=two-seat&colour=slate`;
  await page.goto(address);
  const link = page.getByRole('link', { name: 'View in 3D' });
  await expect(link).toHaveAttribute('href', `${address}#3d`);
  await link.click();
  await expect(page.getByRole('dialog', { name: 'Oslo Sofa in 3D' }).getByText('Shown as Two-seat, Slate')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(shop.url + address);
  await expect(page.getByRole('radio', { name: /Two-seat/ })).toBeChecked();
});
