import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, holdBack, type Shop, test } from './fixtures.ts';

const sides = (width: string, depth: string, height: string) => [
  { name: 'Width', value: width },
  { name: 'Depth', value: depth },
  { name: 'Height', value: height },
];
const aSize = (size: string, measurements: { name: string; value: string }[]) => ({ size, quantity: 5, price: 0, measurements });

/** A sofa in three sizes, of one of which nothing is known. */
const aSofa = (shop: Shop, category = 'Fitting') =>
  shop.aProduct({
    category,
    name: 'Fjord Sofa',
    sizes: JSON.stringify([
      aSize('Three-seat', [...sides('224', '92', '84'), { name: 'Height with legs off (4 screws)', value: '69' }]),
      aSize('Two-seat', sides('168', '74', '70')),
      aSize('Cover only', []),
    ]),
  });

const sectionOf = (page: Page) => page.getByRole('region', { name: 'Will it fit?' });
const openCheck = (page: Page) => sectionOf(page).getByText('Check your door and your space').click();

test('the page says what fits, what does not, by how much, and how it must be turned, for each size (§2.7.4, U18, U21)', async ({
  page,
  shop,
}) => {
  const { _id } = await aSofa(shop);
  await page.goto(`/product/${_id}`);
  const section = sectionOf(page);
  await expect(section.getByRole('img')).toHaveAccessibleName(
    'Fjord Sofa, Three-seat drawn to scale, front and side, beside a person of 170 cm: 224 cm (88.2 in) wide, 92 cm (36.2 in) deep, 84 cm (33.1 in) high',
  );
  await openCheck(page);
  await expectAccessible(page);
  const door = section.getByRole('group', { name: 'The narrowest door' });
  const space = section.getByRole('group', { name: 'Your space' });
  await space.getByLabel('Width').fill('wide');
  await door.getByLabel('Width').fill('76');
  await section.getByRole('button', { name: 'Check' }).click();
  await expect(space.getByLabel('Width')).toHaveAccessibleDescription(
    'Width: “wide” is not a length up to 10 m. Enter one such as 76 or 76.5.',
  );
  await expect(space.getByLabel('Width')).toHaveValue('wide');
  await expect(door.getByLabel('Width')).toHaveValue('76');
  await expectAccessible(page);
  await space.getByLabel('Width').fill('225.5');
  await section.getByRole('button', { name: 'Check' }).click();
  const answer = section.getByRole('status');
  await expect(answer).toContainText('Your space: tight. It fits, with 1.5 cm in width to spare. Please measure again before you order.');
  await expect(answer).toContainText(
    'The door: fits. It goes through with its legs off (4 screws), on its back, one end first, with 7 cm to spare',
  );
  await expect(answer).toContainText('We assumed the standard door height, 198 cm.');
  await expect(answer).toContainText('Two-seat fits in all of these places.');
  await expect(answer).toBeInViewport();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  // While what is typed is wrong, the answer to what was typed before is out of sight.
  await space.getByLabel('Width').fill('wide');
  await section.getByRole('button', { name: 'Check' }).click();
  await expect(answer).toBeHidden();
  await space.getByLabel('Width').fill('225.5');
  await section.getByRole('button', { name: 'Check' }).click();
  await expect(answer).toContainText('Your space: tight.');
  await page.getByRole('radio', { name: /Two-seat/ }).check();
  await expect(answer).toContainText('Your space: fits. It fits, with 57.5 cm in width to spare.');
  await expect(answer).toContainText(
    'The door: fits. It goes through upright, one end first, with 2 cm to spare in width and 128 cm in height.',
  );
  await expect(section.getByRole('img')).toHaveAccessibleName(/Two-seat drawn to scale.*168 cm/);
  await page.getByRole('radio', { name: /Cover only/ }).check();
  await expect(section).toContainText('The outer measurements of this size are not given. Ask us whether it fits.');
  await expectAccessible(page);
});

test('measurements stay in the browser over a reload and for every product, until they are forgotten (§2.7.4)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const { _id } = await aSofa(shop);
  await page.goto(`/product/${_id}`);
  await openCheck(page);
  const section = sectionOf(page);
  await section.getByLabel('inches').check();
  await section.getByRole('group', { name: 'Your space' }).getByLabel('Width').fill('90');
  await section.locator('summary', { hasText: 'Inside the lift' }).click();
  const inLift = section.getByRole('group', { name: 'Inside the lift' }).getByRole('textbox').first();
  await inLift.fill('4');
  await inLift.fill('');
  await expect(inLift).toBeVisible();
  for (const [index, length] of ['43', '55', '90'].entries())
    await section.getByRole('group', { name: 'Inside the lift' }).getByRole('textbox').nth(index).fill(length);
  await section.locator('summary', { hasText: 'A tight corner or landing' }).click();
  for (const [index, length] of ['40', '40', '95'].entries())
    await section.getByRole('group', { name: 'A tight corner or landing' }).getByRole('textbox').nth(index).fill(length);
  await section.getByRole('button', { name: 'Check' }).click();
  const answer = section.getByRole('status');
  await expect(answer).toContainText('Your space: fits. It fits, with 1.8 in in width to spare');
  await page.reload();
  await expect(answer).toContainText('Your space: fits. It fits, with 1.8 in in width to spare');
  await expect(answer).toContainText('The lift: fits. It goes in on end');
  await expect(answer).toContainText('The corner or landing: fits. It goes round on end');
  await section.getByText('Change your measurements').click();
  await expect(section.getByRole('group', { name: 'Your space' }).getByLabel('Width')).toHaveValue('90');
  await expect(section.getByLabel('inches')).toBeChecked();
  await expect(inLift).toBeVisible();
  await section.getByRole('group', { name: 'Your space' }).getByLabel('Width').fill('wide');
  await section.getByRole('button', { name: 'Check' }).click();
  await expect(section.getByText(/“wide” is not a length/).first()).toBeVisible();
  await section.getByRole('button', { name: 'Clear my measurements' }).click();
  await expect(answer).toHaveText('');
  await expect(section.getByText(/“wide” is not a length/)).toHaveCount(0);
  await expect(section.getByRole('group', { name: 'Your space' }).getByLabel('Width')).toHaveValue('');
  await page.reload();
  await expect(section.getByText('Check your door and your space')).toBeVisible();
});

test('the check works by the keyboard alone', { tag: '@thorough' }, async ({ page, shop }) => {
  const { _id } = await aSofa(shop);
  await page.goto(`/product/${_id}`);
  await page.getByRole('button', { name: 'Add To Cart' }).focus();
  const summary = sectionOf(page).getByText('Check your door and your space');
  while (!(await summary.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('230');
  await page.keyboard.press('Enter');
  await expect(sectionOf(page).getByRole('status')).toContainText('It fits, with 6 cm in width to spare.');
});

test('a check that is opened before its script is there follows with it', { tag: '@thorough' }, async ({ page, shop }) => {
  const { _id } = await aSofa(shop);
  const release = await holdBack(page, /fit-section/);
  await page.goto(`/product/${_id}`);
  await openCheck(page);
  const width = sectionOf(page).getByRole('group', { name: 'Your space' }).getByLabel('Width');
  await expect(width).toHaveCount(0);
  release();
  await width.fill('90');
  await width.press('Enter');
  await expect(sectionOf(page).getByRole('status')).toContainText('Your space:');
});

test('a card says what it fits once a space or a door is known, and nothing moves (§2.7.5)', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const category = 'Badges';
  const { _id } = await aSofa(shop, category);
  await shop.aProduct({ category, name: 'Long Table', sizes: JSON.stringify([aSize('One', sides('240', '90', '75'))]) });
  await shop.aProduct({ category, name: 'Unmeasured Thing' });
  await page.goto(`/shop?query=${category}`);
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(3);
  await expect(page.getByText('Fits your space')).toHaveCount(0);
  const places = () => cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height));
  const before = await places();
  await page.goto(`/product/${_id}`);
  await sectionOf(page).scrollIntoViewIfNeeded();
  await openCheck(page);
  await sectionOf(page).getByRole('group', { name: 'Your space' }).getByLabel('Width').fill('180');
  await sectionOf(page).getByRole('button', { name: 'Check' }).click();
  await expect(sectionOf(page).getByRole('status')).toContainText('Two-seat fits there.');
  await page.goto(`/shop?query=${category}`);
  await expect(cards.filter({ hasText: 'Fits your space' })).toHaveCount(1);
  await expect(cards.filter({ hasText: 'Fits your space' })).toContainText('Fjord Sofa');
  expect(await places()).toEqual(before);
  await page.evaluate(() => localStorage.setItem('measurements', '{"texts":{"doorWidth":"76"},"door":760}'));
  await page.reload();
  await expect(cards.filter({ hasText: 'Fits your door' })).toHaveCount(1);
  await expect(cards.filter({ hasText: 'Fits your door' })).toContainText('Fjord Sofa');
  await expectAccessible(page);
});

test('a door that is typed in the filters is in the address, and the check on a product’s page knows it (§2.7.5)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const category = 'Doors';
  const { _id } = await aSofa(shop, category);
  await shop.aProduct({ category, name: 'Wide Sofa', sizes: JSON.stringify([aSize('One', sides('240', '90', '85'))]) });
  await page.goto(`/shop?query=${category}`);
  await page.mouse.move(200, 300);
  // Before its code is there, the panel is a plain form that stores nothing.
  await expect(page.getByRole('complementary', { name: 'Filters' }).locator('[data-later]')).toHaveCount(0);
  await page.getByText('Fits your door', { exact: true }).click();
  await page.getByLabel('Width of your narrowest door').fill('76');
  await page.getByLabel('Width of your narrowest door').press('Enter');
  await expect(page).toHaveURL(/door=76/);
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('link', { name: /Fits a door of 76 cm/ })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/product/${_id}`);
  await expect(page.getByText(/Smallest door: 71 cm \(28 in\), with its legs off \(4 screws\)/)).toBeVisible();
  await sectionOf(page).scrollIntoViewIfNeeded();
  await expect(sectionOf(page).getByRole('status')).toContainText('The door: fits. It goes through with its legs off (4 screws)');
});

test('the shop’s filters offer only what fits a known space, which the server then filters (§2.7.5)', async ({ page, shop }) => {
  const category = 'Spaces';
  await aSofa(shop, category);
  await shop.aProduct({ category, name: 'Long Table', sizes: JSON.stringify([aSize('One', sides('240', '90', '75'))]) });
  await page.addInitScript(() => localStorage.setItem('measurements', '{"texts":{"spaceWidth":"180"},"space":{"width":1800}}'));
  await page.goto(`/shop?query=${category}`);
  await expect(page.getByRole('article')).toHaveCount(2);
  const openFilters = () => page.mouse.move(200, 300);
  await openFilters();
  await page.getByRole('link', { name: 'Only what fits your space' }).click();
  await expect(page).toHaveURL(/maxWidth=180/);
  await expect(page.getByRole('article')).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show all sizes' }).click();
  await expect(page.getByRole('article')).toHaveCount(2);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('the drawing and the measurements are there, and nothing that does not work (§2.7.4)', async ({ page, shop }) => {
    const { _id } = await aSofa(shop);
    await page.goto(`/product/${_id}`);
    await expect(sectionOf(page).getByRole('img')).toBeVisible();
    await expect(sectionOf(page)).toContainText('Three-seat: 224 cm (88.2 in) wide, 92 cm (36.2 in) deep, 84 cm (33.1 in) high.');
    await expect(sectionOf(page).getByText('Check your door and your space')).toBeHidden();
  });
});

test('the code of the check is loaded when it comes near, and the drawing stands before that (§2.7.4)', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=oslo+sofa');
  const loaded: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && loaded.push(request.url()));
  await page.goto(`/product/${products[0]?._id}`);
  const code = () => loaded.filter((url) => url.includes('fit-section'));
  await expect(sectionOf(page).getByRole('img')).toHaveCount(1);
  expect(code()).toEqual([]);
  await sectionOf(page).scrollIntoViewIfNeeded();
  await expect.poll(code).toHaveLength(1);
});
