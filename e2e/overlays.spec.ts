import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

/** An overlay that is open: the focus is in it, Back closes it and gives the focus back, and so does Escape; the page stays. */
async function expectOverlay(page: Page, opener: Locator, overlay: Locator): Promise<void> {
  const url = page.url();
  await opener.click();
  await expect(overlay).toBeVisible();
  await expect(overlay.locator(':focus')).toHaveCount(1);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.goBack();
  await expect(overlay).toBeHidden();
  await expect(opener).toBeFocused();
  expect(page.url()).toBe(url);
  await opener.click();
  await expect(overlay).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(overlay).toBeHidden();
  await expect(opener).toBeFocused();
  expect(page.url()).toBe(url);
}

test('the search overlay holds the focus and gives it back; Back closes it, and the next Back leaves (U15)', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  await page.goto('/contact');
  await page.getByRole('link', { name: 'Hearth & Oak, home' }).click();
  await expect(page).toHaveURL(`${shop.url}/`);
  await expectOverlay(page, page.getByRole('button', { name: 'Search' }), page.getByRole('dialog', { name: 'Search' }));
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/contact`);
});

test('the search overlay closes by its icon, and by a click beside it (§2.3.5)', { tag: '@thorough' }, async ({ page }) => {
  await page.goto('/');
  const overlay = page.getByRole('dialog', { name: 'Search' });
  const opener = page.getByRole('button', { name: 'Search' });
  await opener.click();
  await page.getByRole('button', { name: 'Close search' }).click();
  await expect(overlay).toBeHidden();
  await opener.click();
  await expect(overlay).toBeVisible();
  await page.mouse.click(100, (page.viewportSize()?.height ?? 0) - 20);
  await expect(overlay).toBeHidden();
  await expect(opener).toBeFocused();
});

test('a search goes to /shop?search={typed text}, a popular one to its own; Back comes to the page, without the overlay (§2.3.5, §2.3.6, U15)', async ({
  page,
  shop,
}) => {
  await page.goto('/legal');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('heading', { name: 'Popular Search' })).toBeVisible();
  const popular = await page
    .getByRole('dialog')
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));
  expect(popular).toEqual([
    ['Chair', '/shop?search=chair'],
    ['Lamp', '/shop?search=lamp'],
    ['Bench', '/shop?search=bench'],
    ['Table Decor', '/shop?search=table%20decor'],
  ]);
  await page.getByRole('combobox', { name: 'Search the shop' }).fill('oak bench');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${shop.url}/shop?search=oak%20bench`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/legal`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of service');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Show Search Result: oak bench');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('combobox', { name: 'Search the shop' })).toHaveValue('oak bench');
  await page.getByRole('link', { name: 'Table Decor' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Show Search Result: table decor');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the menu is a drawer that holds the focus on small screens and a row on large ones, and leads where the specification says (§2.3.2)', {
  tag: '@phone',
}, async ({ page, isMobile }) => {
  await page.goto('/cart');
  const opener = page.getByRole('button', { name: 'Menu' });
  if (isMobile) await expectOverlay(page, opener, page.getByRole('dialog', { name: 'Menu' }));
  else await expect(opener).toBeHidden();
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  for (const [name, url] of [
    ['Home', /\/$/],
    ['New Arrivals', /\/newarrivals$/],
    ['Sofa', /\/shop\?query=Sofa$/],
    ['Wardrobe', /\/shop\?query=Wardrobe$/],
    ['All Products', /\/shop$/],
  ] as const) {
    if (isMobile) await opener.click();
    await links.filter({ hasText: name }).click();
    await expect(page).toHaveURL(url);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test('the filters on small screens are a sheet; Back closes it, then takes the filter back, then leaves (§2.6.3, U6)', {
  tag: '@touch',
}, async ({ page, shop }) => {
  await page.goto('/contact');
  await page.goto('/shop');
  const opener = page.getByRole('button', { name: 'Filter' });
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await expectOverlay(page, opener, sheet);
  await opener.click();
  const inStock = page.getByRole('checkbox', { name: 'In Stock Only' });
  await inStock.check();
  await expect(page).toHaveURL(`${shop.url}/shop?inStock=true`);
  await expect(inStock).toBeFocused();
  await expect(page.getByRole('button', { name: /^Show \d+ products$/ })).toBeVisible();
  // The page behind the sheet shows the filter as well.
  await expect(page.getByRole('link', { name: /^Remove filter/, includeHidden: true })).toHaveCount(1);
  // The address changes a moment before the new page is drawn, which is when the open sheet gets its entry.
  await page.waitForFunction(() => history.state?.isOverlay);
  await page.goBack();
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(`${shop.url}/shop?inStock=true`);
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/shop`);
  await expect(page.getByRole('link', { name: /^Remove filter/ })).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/contact`);
});

test('the enlarged picture is an overlay too, and closing it keeps what was chosen', { tag: '@thorough' }, async ({ page, shop }) => {
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=oslo+sofa');
  await page.goto(`/product/${products[0]?._id}`);
  await page.getByRole('radio').nth(1).check();
  const overlay = page.getByRole('dialog', { name: 'Pictures of Oslo Sofa, enlarged' });
  await expectOverlay(page, page.getByRole('button', { name: 'Enlarge the picture' }), overlay);
  await expect(page.getByRole('radio').nth(1)).toBeChecked();
});

test('the account menu of a customer: Profile, Orders, Logout; signed out the icon leads to the login (§2.3.4)', async ({
  page,
  shop,
  logInAs,
}) => {
  await logInAs(await shop.aCustomer());
  await page.goto('/');
  const opener = page.getByRole('button', { name: 'Account' });
  const menu = page.locator('#account-menu');
  await opener.click();
  await expect(menu.getByRole('link')).toHaveText(['Profile', 'Orders']);
  await expect(menu.getByRole('button')).toHaveText(['Logout']);
  await expectAccessible(page);
  await page.goBack();
  await expect(menu).toBeHidden();
  await opener.click();
  await page.keyboard.press('Tab');
  await expect(menu.getByRole('link', { name: 'Profile' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await menu.getByRole('link', { name: 'Orders' }).click();
  await expect(page).toHaveURL(`${shop.url}/orders`);
  await expect(menu).toBeHidden();
  await opener.click();
  await menu.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('link', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(`${shop.url}/login`);
});
