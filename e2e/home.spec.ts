import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const room = (page: Page) => page.getByRole('list', { name: 'Shop this room' });

test('the home page: Shop Now, delivery, returns, payment and help, and the tiles of Our Creations; no picture stands there twice (§2.4.2, §2.4.3)', async ({
  page,
  shop,
}) => {
  await page.goto('/');
  await expect(page.getByText('Furniture at your doorstep')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Our Creations' })).toBeVisible();
  const link = (name: string | RegExp) => page.locator('#main').getByRole('link', { name }).first();
  for (const [name, path] of [
    ['Shop Now', '/newarrivals'],
    [/^Delivery/, '/shipping-policy'],
    [/^Returns/, '/refund-policy'],
    [/^Payment/, '/legal#payment'],
    [/^Help/, '/contact'],
    [/Wardrobe$/, '/shop?query=Wardrobe'],
    [/Sofa$/, '/shop?query=Sofa'],
    [/^Chair$/, '/shop?query=Chair'],
    [/^Lamp$/, '/shop?query=Lamp'],
    [/^Bench$/, '/shop?query=Bench'],
    [/^Table$/, '/shop?query=Table'],
    [/^See all \d+ products$/, '/shop'],
  ] as const)
    await expect(link(name)).toHaveAttribute('href', path);
  const pictures = await page.locator('#main img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src));
  expect(pictures.length).toBeGreaterThan(15);
  expect(pictures.filter((address, at) => pictures.indexOf(address) !== at)).toEqual([]);
  await link(/^Payment/).click();
  await expect(page).toHaveURL(`${shop.url}/legal#payment`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a spot on the room leads to its piece, and the keyboard meets each piece once (§19.4)', { tag: '@thorough' }, async ({ page }) => {
  await page.goto('/');
  const links = room(page).getByRole('link');
  await expect(links).toHaveText([
    /^Wren Velvet Sofa/,
    /^Orla Round/,
    /^Heath Stoneware/,
    /^Fable Brass/,
    /^Siena Side/,
    /^Moon Stoneware/,
  ]);
  const picture = await page.getByAltText('A green velvet sofa in front of sage panelling').boundingBox();
  if (!picture) throw new Error('The room has no picture.');
  for (const link of await links.all()) {
    const spot = await link.locator('[aria-hidden=true]').boundingBox();
    if (!spot) throw new Error('A piece has no spot.');
    expect(Math.min(spot.width, spot.height)).toBeGreaterThanOrEqual(44);
    const across = (spot.x + spot.width / 2 - picture.x) / picture.width;
    const down = (spot.y + spot.height / 2 - picture.y) / picture.height;
    for (const place of [across, down]) expect(Math.abs(place - 0.5)).toBeLessThan(0.45);
  }
  await links.first().focus();
  await page.keyboard.press('Tab');
  await expect(links.nth(1)).toBeFocused();
  await links.filter({ hasText: 'Fable Brass Floor Lamp' }).locator('[aria-hidden=true]').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Fable Brass Floor Lamp' })).toBeVisible();
});

test('the footer says how to reach the shop, how to pay and which company it is, and the contact page says the same (§2.3.7)', async ({
  page,
}) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  const company =
    /trading name of Hearth & Oak Ltd, registered in England and Wales, company number 00000000\. Registered office: 14 Tannery Yard/;
  await expect(footer.getByRole('link', { name: '01632 960148' })).toHaveAttribute('href', 'tel:+441632960148');
  await expect(footer.getByText('Monday to Friday, 9:30 to 18:00')).toBeVisible();
  await expect(footer.getByRole('list', { name: 'Ways to pay' }).getByRole('listitem')).toHaveText([
    'Visa',
    'Mastercard',
    'American Express',
    /Cash/,
  ]);
  await expect(footer.getByText(company)).toBeVisible();
  await footer.getByRole('link', { name: 'Contact' }).click();
  await expect(page.getByRole('main').getByText(company)).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: '01632 960148' })).toBeVisible();
  await expect(footer.getByText(company)).toBeVisible();
});

test('a page and a product that are not there offer recommended pieces (§2.1.5)', { tag: '@thorough' }, async ({
  page,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/404/);
  for (const path of ['/nowhere', '/product/nowhere']) {
    await page.goto(path);
    const pieces = page.getByRole('list', { name: 'Recommended' }).getByRole('link');
    await expect(pieces).toHaveCount(8);
    const name = await pieces.first().locator('span.font-medium').textContent();
    await pieces.first().click();
    await expect(page.getByRole('heading', { level: 1, name: name ?? '' })).toBeVisible();
  }
});

test('without scripts the room, the services and the footer are plain links, and the header searches (§2.4.3)', {
  tag: '@thorough',
}, async ({ browser, shop }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.url });
  const page = await context.newPage();
  await page.goto('/');
  await room(page)
    .getByRole('link', { name: /^Wren Velvet Sofa/ })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Wren Velvet Sofa' })).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contact information' })).toBeVisible();
  await page.getByRole('banner').getByRole('textbox', { name: 'Search the shop' }).fill('walnut bench');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Show Search Result: walnut bench');
  await expect(page.getByRole('banner').getByRole('textbox', { name: 'Search the shop' })).toHaveValue('walnut bench');
  await context.close();
});
