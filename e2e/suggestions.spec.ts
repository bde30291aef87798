import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, holdBack, logOut, test } from './fixtures.ts';

const ASKED = /\/api\/products\/suggestions\?/;
const box = (page: Page) => page.getByRole('combobox', { name: 'Search the shop' });
const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
/** The option that the text box says is chosen. */
const chosen = (page: Page) => list(page).getByRole('option', { selected: true });

async function openSearch(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: 'Search' }).click();
  // The code of suggestions has come.
  await expect(box(page)).toHaveAttribute('aria-autocomplete', 'list');
}

test('while a search is typed, products with picture and price and categories are suggested; a click leads there (§2.3.8)', async ({
  page,
  shop,
}) => {
  await openSearch(page);
  await page.keyboard.type('sof');
  const products = list(page).getByRole('group', { name: 'Products' }).getByRole('option');
  await expect(products).toHaveCount(6);
  await expect(products.first()).toContainText(/Sofa.*£\d/);
  await expect(products.locator('img')).not.toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: /^\d+ suggestions$/ })).toHaveCount(1);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await list(page).getByRole('option', { name: 'Sofa', exact: true }).click();
  await expect(page).toHaveURL(`${shop.url}/shop?query=Sofa`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('what begins a subcategory suggests it, and a click shows it (§2.3.8)', { tag: '@thorough' }, async ({ page, shop }) => {
  await openSearch(page);
  await page.keyboard.type('arm');
  await list(page).getByRole('group', { name: 'Categories' }).getByRole('option', { name: 'Armchairs', exact: true }).click();
  await expect(page).toHaveURL(`${shop.url}/shop?subCategory=Armchairs`);
  await expect(page.getByText('3 products').first()).toBeVisible();
});

test('by keyboard alone: arrows choose, Enter opens what is chosen, Escape closes the list and then the overlay (§2.3.8)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  await openSearch(page);
  await page.keyboard.type('velvte sof');
  const spelling = list(page).getByRole('group', { name: 'Searches' }).getByRole('option', { name: 'velvet sof' });
  await expect(spelling).toBeVisible();
  await expect(box(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(chosen(page)).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).toHaveText('velvet sof');
  await expect(box(page)).toHaveAttribute('aria-activedescendant', (await chosen(page).getAttribute('id')) ?? '');
  await expect(box(page)).toBeFocused();
  await expectAccessible(page);
  // From the first one up is the text, and from there the last one.
  await page.keyboard.press('ArrowUp');
  await expect(chosen(page)).toHaveCount(0);
  await page.keyboard.press('ArrowUp');
  await expect(chosen(page)).toHaveText((await list(page).getByRole('option').last().textContent()) ?? '');
  // Home and End are the text's: nothing is chosen any more, and the next letter stands at its beginning.
  await page.keyboard.press('Home');
  await expect(chosen(page)).toHaveCount(0);
  await page.keyboard.type('x');
  await expect(box(page)).toHaveValue('xvelvte sof');
  await page.keyboard.press('Backspace');
  await expect(spelling).toBeVisible();
  await expect(box(page)).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(list(page)).toHaveCount(0);
  await expect(box(page)).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowDown');
  await expect(list(page)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${shop.url}/shop?search=velvet%20sof`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Search' }).click();
  // What was there from the start opens no list by itself.
  await expect(box(page)).toHaveValue('velvet sof');
  await expect(box(page)).toHaveAttribute('aria-autocomplete', 'list');
  await expect(list(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a suggested product is opened by Enter; Enter with nothing chosen searches for what was typed (§2.3.8)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  await openSearch(page);
  await page.keyboard.type('oslo');
  await expect(list(page).getByRole('option').last()).toHaveText('See all 1 result');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  const name = (await chosen(page).textContent()) ?? '';
  await expect(box(page)).toHaveAttribute('aria-activedescendant', /./);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/product\//);
  // The page before is shown until the product's is there.
  await expect.poll(async () => name.includes((await page.getByRole('heading', { level: 1 }).textContent()) ?? '?')).toBe(true);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.keyboard.type('oak bench');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${shop.url}/shop?search=oak%20bench`);
});

test('what somebody is choosing from stays as it is when a later answer comes, and Enter opens what was chosen', {
  tag: '@thorough',
}, async ({ page }) => {
  await openSearch(page);
  await box(page).fill('osl');
  await expect(list(page).getByRole('option')).not.toHaveCount(0);
  const release = await holdBack(page, /suggestions\?search=oslo/, (route) =>
    route.fulfill({ json: { products: [], categories: [], subCategories: [], searches: [], help: [], total: 0, isMore: false } }),
  );
  const asked = page.waitForRequest(/suggestions\?search=oslo/);
  await page.keyboard.press('o');
  const question = await asked;
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  const name = (await chosen(page).textContent()) ?? '';
  release();
  await (await question.response())?.finished();
  await expect(chosen(page)).toHaveText(name);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/product\//);
});

test('the next letter cancels the question for the one before; an answer that comes late changes nothing (§2.3.8)', {
  tag: '@thorough',
}, async ({ page, expectedOnConsole }) => {
  expectedOnConsole.push(/ERR_(ABORTED|FAILED)/);
  let answerFirst = (): void => undefined;
  await page.route(/suggestions\?search=la$/, async (route) => {
    await new Promise<void>((resolve) => {
      answerFirst = resolve;
    });
    await route.continue().catch(() => undefined);
  });
  await openSearch(page);
  const asked = page.waitForRequest(/suggestions\?search=la$/);
  const cancelled = page.waitForEvent('requestfailed', (request) => /search=la$/.test(request.url()));
  await page.keyboard.type('la');
  await asked;
  await page.keyboard.type('mp');
  expect((await cancelled).failure()?.errorText).toContain('ABORTED');
  await expect(list(page).getByRole('option', { name: 'Lamp', exact: true })).toBeVisible();
  answerFirst();
  await expect(list(page).getByRole('option', { name: 'Lamp', exact: true })).toBeVisible();
});

test('nothing is suggested for what finds nothing, and it is said; without answers the search still works', { tag: '@thorough' }, async ({
  page,
  shop,
  expectedOnConsole,
}) => {
  await openSearch(page);
  await page.keyboard.type('zzzzqqqq');
  await expect(page.getByRole('status').filter({ hasText: 'No suggestions' })).toHaveCount(1);
  await expect(list(page)).toHaveCount(0);
  expectedOnConsole.push(/500/);
  await page.route(ASKED, (route) => route.fulfill({ status: 500, body: 'broken' }));
  await box(page).fill('chair');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${shop.url}/shop?search=chair`);
});

test('the last searches stay in the browser, are offered again, and can be removed one by one and all (§2.3.8)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await openSearch(page);
  const recent = page.getByRole('region', { name: 'Your last searches' });
  await expect(recent).toHaveCount(0);
  for (const search of ['walnut bench', 'grey sofa', 'Walnut Bench', 'oak']) {
    await box(page).fill(search);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${shop.url}/shop?search=${encodeURIComponent(search)}`);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Search' }).click();
  }
  await box(page).fill('');
  await expect(recent.getByRole('link')).toHaveText(['oak', 'Walnut Bench', 'grey sofa']);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await box(page).fill('gre');
  await expect(list(page).getByRole('option', { name: 'grey sofa', exact: true })).toBeVisible();
  await box(page).fill('');
  await recent.getByRole('button', { name: 'Remove Walnut Bench from your last searches' }).click();
  await expect(recent.getByRole('link')).toHaveText(['oak', 'grey sofa']);
  await page.reload();
  await page.getByRole('button', { name: 'Search' }).click();
  await box(page).fill('');
  await expect(recent.getByRole('link')).toHaveText(['oak', 'grey sofa']);
  await recent.getByRole('link', { name: 'grey sofa' }).click();
  await expect(page).toHaveURL(`${shop.url}/shop?search=grey%20sofa`);
  await page.getByRole('button', { name: 'Search' }).click();
  await box(page).fill('');
  await recent.getByRole('button', { name: 'Remove all' }).click();
  await expect(recent).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('recentSearches'))).toBeNull();
  // Nothing but what was searched for was ever sent, each search by itself.
  expect(sent.filter((url) => /bench.*sofa|sofa.*bench/i.test(decodeURIComponent(url)))).toEqual([]);
});

test('somebody who logs out leaves no searches behind (§2.3.8)', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  await logInAs(await shop.aCustomer());
  await openSearch(page);
  await page.keyboard.type('secret present');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/search=secret/);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('recentSearches'))).toContain('secret present');
  await logOut(page);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('recentSearches'))).toBeNull();
});

test('what is typed before the search’s code has come is kept (§2.3.8)', { tag: '@thorough' }, async ({ page }) => {
  const release = await holdBack(page, /\/assets\/header-overlays/);
  await page.goto('/');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.keyboard.type('oslp');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('o so');
  release();
  await expect(box(page)).toHaveValue('oslo so');
  await page.keyboard.type('fa');
  await expect(box(page)).toHaveValue('oslo sofa');
  await expect(list(page).getByRole('option', { name: /Oslo Sofa/ })).toBeVisible();
});
