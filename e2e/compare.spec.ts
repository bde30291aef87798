import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, type Shop, test } from './fixtures.ts';

/** Five pieces of a category of their own; the last is the newest, which the list shows first. */
async function somePieces(shop: Shop, category: string) {
  const made: { _id: string; name: string }[] = [];
  for (const [index, name] of ['Aster', 'Bell', 'Clover', 'Dove', 'Echo'].entries()) {
    const measurements = [
      { name: 'Width', value: String(100 + index) },
      { name: 'Depth', value: '40' },
      { name: 'Height', value: '80' },
    ];
    const sizes = JSON.stringify(index === 4 ? [] : [{ size: 'One', quantity: 9, price: 0, measurements }]);
    made.push(await shop.aProduct({ category, name: `${category} ${name}`, sizes, description: 'Solid oak.', brand: 'Alder' }));
  }
  return made;
}

const choose = (page: Page, name: string) => page.getByRole('checkbox', { name: `Compare ${name}` });
const barOf = (page: Page) => page.getByRole('region', { name: 'Compare', exact: true });
const overlayOf = (page: Page) => page.getByRole('dialog', { name: 'Compare' });
const columnsOf = (page: Page) => overlayOf(page).getByRole('columnheader');

test('up to four pieces are compared side by side; a fifth is refused with a sentence (§2.6.7)', { tag: '@touch' }, async ({
  page,
  shop,
}) => {
  const pieces = await somePieces(shop, 'Comparing');
  await page.goto('/shop?query=Comparing');
  for (const { name } of pieces.slice(0, 4)) await choose(page, name).check();
  await choose(page, 'Comparing Echo').click();
  await expect(page.getByRole('article').filter({ hasText: 'Echo' }).locator('xpath=..')).toContainText(
    'You can compare 4 pieces at a time. Remove one first.',
  );
  await expect(choose(page, 'Comparing Echo')).not.toBeChecked();
  await expect(barOf(page)).toContainText('4 of 4 chosen');
  // Where the bar does not lie over a card's box, of which axe then sees only a part.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectAccessible(page);
  await barOf(page).getByRole('link', { name: 'Compare' }).click();
  await expect(columnsOf(page)).toHaveCount(4);
  await expect(overlayOf(page).getByText('Swipe to see all 4')).toBeVisible();
  const edges = (boxes: Element[]) => boxes.map((box) => [Math.round(box.getBoundingClientRect().width), box.getBoundingClientRect().top]);
  for (const even of [columnsOf(page), overlayOf(page).getByRole('button', { name: 'Add To Cart' })])
    expect(new Set((await even.evaluateAll(edges)).map(String)).size).toBe(1);
  const row = (name: string) =>
    overlayOf(page)
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name }) });
  await expect(row('Width × depth × height')).toContainText('differs');
  await expect(row('Width × depth × height').getByRole('cell').nth(1)).toHaveText('101 × 40 × 80 cm (39.8 × 15.7 × 31.5 in)');
  await expect(row('Price')).not.toContainText('differs');
  await expect(row('Materials').getByRole('cell').first()).toHaveText('Oak');
  await expect(row('Rating').getByRole('cell').first()).toHaveText('No reviews yet');
  const days = row('Delivery').getByRole('cell').first();
  await expect(days).toHaveText(/^Standard delivery: free, \w{3}.\d+.\w{3} – \w{3}.\d+.\w{3}$/);
  const told = ((await days.textContent()) ?? '').replace('Standard delivery: free, ', '');
  await expectAccessible(page);
  await overlayOf(page).getByLabel('Only show what differs').check();
  await expect(row('Price')).toHaveCount(0);
  await expect(row('Width × depth × height')).toHaveCount(1);
  await expectNoSidewaysScroll(page);
  await overlayOf(page).getByRole('button', { name: 'Remove Comparing Bell' }).click();
  await expect(columnsOf(page)).toHaveCount(3);
  await overlayOf(page).getByRole('link', { name: 'Comparing Aster' }).click();
  await expect(page.getByText(`Arrives ${told}, free`)).toBeVisible();
});

test('a comparison is an address: it is reloaded and shared, and Back and Escape lead to the list as it was (§2.6.7)', {
  tag: '@thorough',
}, async ({ page, shop, browser }) => {
  const pieces = await somePieces(shop, 'Sharing');
  await page.goto('/shop?query=Sharing&sortBy=ascprice');
  await choose(page, 'Sharing Aster').check();
  await expect(barOf(page)).toContainText('1 of 4 chosen: choose another to compare');
  await choose(page, 'Sharing Clover').check();
  const lists: string[] = [];
  page.on('request', (request) => /\/api\/products\?/.test(request.url()) && lists.push(request.url()));
  const open = () => barOf(page).getByRole('link', { name: 'Compare' }).click();
  await open();
  await expect(page).toHaveURL(`/shop?query=Sharing&sortBy=ascprice&compare=${pieces[0]?._id},${pieces[2]?._id}`);
  await expect(columnsOf(page)).toHaveText([/Sharing Aster/, /Sharing Clover/]);
  await page.reload();
  await expect(columnsOf(page)).toHaveText([/Sharing Aster/, /Sharing Clover/]);
  await page.goBack();
  await expect(overlayOf(page)).toBeHidden();
  await expect(page).toHaveURL('/shop?query=Sharing&sortBy=ascprice');
  lists.length = 0;
  await open();
  await expect(columnsOf(page)).toHaveCount(2);
  const address = page.url();
  await page.keyboard.press('Escape');
  await expect(overlayOf(page)).toBeHidden();
  await expect(page).toHaveURL('/shop?query=Sharing&sortBy=ascprice');
  await expect(barOf(page).getByRole('link', { name: 'Compare' })).toBeFocused();
  expect(lists).toEqual([]);
  const friend = await browser.newPage();
  await friend.goto(address);
  await expect(columnsOf(friend)).toHaveText([/Sharing Aster/, /Sharing Clover/]);
  await overlayOf(friend).getByRole('button', { name: 'Close' }).click();
  await expect(friend).toHaveURL(`${shop.url}/shop?query=Sharing&sortBy=ascprice`);
  await expect(barOf(friend)).toHaveCount(0);
  // An address names the size and the colour too, and so does what was seen last.
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=Oslo');
  await friend.goto(`/shop?compare=${products[0]?._id}:two-seat:slate`);
  await columnsOf(friend).getByRole('link', { name: 'Oslo Sofa, two-seat, slate' }).click();
  await expect(friend).toHaveURL(/\?size=two-seat&colour=slate$/);
  await friend.goto(`/product/${pieces[0]?._id}`);
  await friend.getByRole('region', { name: 'Recently viewed' }).getByRole('link', { name: 'Oslo Sofa, two-seat, slate' }).click();
  await expect(friend).toHaveURL(/\?size=two-seat&colour=slate$/);
  await friend.close();
});

test('a piece that has gone is said, and more than four in an address are refused with a way on (§2.6.7)', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const pieces = await somePieces(shop, 'Leaving');
  await page.goto('/shop?query=Leaving');
  await choose(page, 'Leaving Aster').check();
  await choose(page, 'Leaving Dove').check();
  const { token } = await shop.admin();
  await shop.call('DELETE', `/api/products/${pieces[3]?._id}`, { token });
  await barOf(page).getByRole('link', { name: 'Compare' }).click();
  await expect(overlayOf(page)).toContainText('Leaving Dove is no longer sold.');
  await expect(columnsOf(page)).toHaveText([/Leaving Aster/]);
  await expectAccessible(page);
  await page.goto(`/shop?compare=${[...pieces, { _id: 'x' }].map(({ _id }) => _id).join(',')}`);
  await expect(overlayOf(page)).toContainText('This link has 6 pieces. At most 4 can be compared.');
  await overlayOf(page).getByRole('link', { name: 'Compare the first 4' }).click();
  await expect(columnsOf(page)).toHaveCount(3);
  await expect(overlayOf(page)).toContainText('no longer sold.');
});

test('pieces are chosen, compared and taken out again by the keyboard alone; the code is loaded with the first choice (§2.6.7)', async ({
  page,
  shop,
}) => {
  await somePieces(shop, 'Keys');
  const loaded: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && loaded.push(request.url()));
  const code = () => loaded.filter((url) => url.includes('compare-overlay')).length;
  await page.goto('/shop?query=Keys');
  await choose(page, 'Keys Echo').focus();
  expect(code()).toBe(0);
  await page.keyboard.press('Space');
  await expect.poll(code).toBe(1);
  await choose(page, 'Keys Dove').focus();
  await page.keyboard.press('Space');
  await barOf(page).getByRole('link', { name: 'Compare' }).focus();
  await page.keyboard.press('Enter');
  await expect(columnsOf(page)).toHaveCount(2);
  const remove = overlayOf(page).getByRole('button', { name: 'Remove Keys Echo' });
  while (!(await remove.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(columnsOf(page)).toHaveText([/Keys Dove/]);
  await page.keyboard.press('Escape');
  await expect(choose(page, 'Keys Echo')).not.toBeChecked();
  await expect(choose(page, 'Keys Dove')).toBeChecked();
  await barOf(page).getByRole('button', { name: 'Clear' }).press('Enter');
  await expect(barOf(page)).toHaveCount(0);
});

test('on paper a comparison stands alone and whole (§2.6.7)', { tag: '@thorough' }, async ({ page, shop }) => {
  const pieces = await somePieces(shop, 'Paper');
  await page.goto(
    `/shop?query=Paper&compare=${pieces
      .map(({ _id }) => _id)
      .slice(0, 3)
      .join(',')}`,
  );
  await expect(columnsOf(page)).toHaveCount(3);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Paper', exact: true })).toBeHidden();
  await expect(overlayOf(page).getByRole('button', { name: 'Close' })).toBeHidden();
  await expect(overlayOf(page).getByRole('rowheader', { name: 'Delivery' })).toBeVisible();
  await expect(overlayOf(page)).toHaveCSS('position', 'absolute');
});
