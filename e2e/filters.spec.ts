import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, holdBack, type Shop, test } from './fixtures.ts';

/** The panel: a column on large screens, a drawer on small ones. */
async function panelOf(page: Page, isMobile: boolean): Promise<Locator> {
  if (!isMobile) return page.getByRole('complementary', { name: 'Filters' });
  await page.getByRole('button', { name: 'Filter' }).click();
  return page.getByRole('dialog', { name: 'Filters' });
}

/** Opens a group of the panel, where it is closed, and returns it. */
async function group(panel: Locator, name: string): Promise<Locator> {
  const details = panel.locator('details').filter({ has: panel.page().locator(`fieldset[aria-label="${name}"]`) });
  if (!(await details.evaluate((element: HTMLDetailsElement) => element.open))) await details.locator('summary').first().click();
  return panel.getByRole('group', { name, exact: true });
}

const names = (page: Page) => page.locator('ul[aria-label="Products"] h2');
const chips = (page: Page) => page.locator('ul[aria-label="Applied filters"] li');
const colours = (...codes: string[]) => JSON.stringify(codes.map((code) => ({ colorName: code, hexCode: code })));
const sizes = (width: string) => JSON.stringify([{ size: 'One', quantity: 5, price: 0, measurements: [{ name: 'Width', value: width }] }]);

/** Three pieces of one brand, in a room of which the demo has nothing. */
async function aBrand(shop: Shop, brand: string): Promise<void> {
  const all = { brand, fit: 'Attic', category: 'Sofa' };
  await shop.aProduct({ ...all, name: 'Green one', colors: colours('#3f9a3c'), description: 'Oak.', sizes: sizes('200 cm') });
  await shop.aProduct({
    ...all,
    name: 'Grey one',
    colors: colours('#929292'),
    description: 'Velvet.',
    fit: 'Study',
    sizes: sizes('88 in'),
  });
  await shop.aProduct({ ...all, name: 'Blue one', colors: colours('#2f62b0'), description: 'Oak.', category: 'Lamp', newArrivals: 'true' });
}

test('values say how many products they would leave; several of one filter are alternatives, filters together must all hold (§2.6.4)', {
  tag: '@phone',
}, async ({ page, shop, isMobile }) => {
  // Phone and desktop use the same shop.
  const brand = isMobile ? 'Alternative' : 'Alternating';
  await aBrand(shop, brand);
  await page.goto(`/shop?brand=${brand}&sortBy=ascprice`);
  const panel = await panelOf(page, isMobile);
  const colour = await group(panel, 'Colour');
  await expect(colour.getByRole('checkbox', { name: /^Green/ })).toHaveAccessibleName('Green 1 product');
  await expect(colour.getByRole('checkbox', { name: /^(White|Beige|Black|Brown)/ })).toHaveCount(0);
  await colour.getByRole('checkbox', { name: 'Green' }).check();
  await expect(page).toHaveURL(`${shop.url}/shop?brand=${brand}&sortBy=ascprice&colour=green`);
  await expect(names(page)).toHaveText(['Green one']);
  await expect(colour.getByRole('checkbox', { name: 'Green' })).toBeFocused();
  await colour.getByRole('checkbox', { name: 'Blue' }).check();
  await expect(page).toHaveURL(/&colour=blue_green$/);
  await expect(names(page)).toHaveCount(2);
  const category = await group(panel, 'Category');
  await expect(category.getByRole('checkbox', { name: /^Sofa / })).toHaveAccessibleName('Sofa 1 product');
  await category.getByRole('checkbox', { name: /^Lamp / }).check();
  await expect(names(page)).toHaveText(['Blue one']);
  const empty = colour.getByRole('checkbox', { name: 'Grey' });
  if (isMobile) await expect(empty).toHaveCount(0);
  else await expect(empty).toBeDisabled();
  await expect(chips(page)).toHaveText(['Lamp', 'Colour: Blue', 'Colour: Green', `Brand: ${brand}`, 'Clear all']);
  if (isMobile) {
    await panel.getByRole('button', { name: 'Show 1 product', exact: true }).click();
    await expect(panel).toBeHidden();
  }
  await page.getByRole('link', { name: 'Remove filter: Lamp' }).click();
  await expect(names(page)).toHaveCount(2);
  await page.goBack();
  await expect(names(page)).toHaveText(['Blue one']);
  await page.goForward();
  await expect(names(page)).toHaveCount(2);
  await expect(page.getByLabel('Sort')).toHaveValue('ascprice');
  await page.getByRole('link', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(`${shop.url}/shop?sortBy=ascprice`);
});

test('a filter keeps the place and the groups as they are, and the number of products is announced (§2.6.4, U2)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto('/shop');
  const panel = await panelOf(page, false);
  const material = await group(panel, 'Material');
  await material.getByText(/^Show all \d+$/).click();
  const box = material.getByRole('checkbox').last();
  await box.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(100);
  const before = await page.getByRole('status').first().textContent();
  await box.focus();
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/material=/);
  await expect(page.getByRole('status').first()).not.toHaveText(before ?? '');
  await expect(page.getByRole('status').first()).toHaveText(/^\d+ products?$/);
  // The same number stands at the pages, and is the API's.
  const chosen = encodeURIComponent(new URL(page.url()).searchParams.get('material') ?? '');
  const { total } = await shop.call<{ total: number }>('GET', `/api/products?materialQuery=${chosen}`);
  await expect(page.getByRole('status').first()).toHaveText(`${total} product${total === 1 ? '' : 's'}`);
  await expect(page.locator('#main')).toContainText(new RegExp(`Page 1 of \\d+, ${total} products?`));
  await expect(box).toBeFocused();
  await expect(box).toBeInViewport();
  await page.keyboard.press('Space');
  await expect(page).not.toHaveURL(/material=/);
  await expect(box).toBeVisible();
  await expect(box).toBeFocused();
});

test('nothing moves under the pointer while one chooses filters: options keep their order and place', { tag: '@thorough' }, async ({
  page,
}) => {
  await page.goto('/shop');
  const panel = await panelOf(page, false);
  await group(panel, 'Material');
  /** Every option with its place. */
  const places = () =>
    panel.evaluate((element) => {
      const place = (one: Element) => [one.textContent?.replace(/[\d~,]+.*$/, ''), Math.round(one.getBoundingClientRect().top)];
      return [...element.querySelectorAll('label:has(input)')].filter((one) => one.checkVisibility()).map(place);
    });
  const boxes = panel.getByRole('group', { name: 'Category' }).getByRole('checkbox');
  await boxes.nth(2).scrollIntoViewIfNeeded();
  const before = await places();
  for (const [index, chosen] of [
    [2, 1],
    [0, 2],
  ] as const) {
    const counted = page.waitForResponse('**/api/products/facets?*');
    await boxes.nth(index).click();
    await counted;
    await expect(page.locator('ul[aria-label="Applied filters"] li')).toHaveCount(chosen + 1);
    await expect(page.locator('#main [aria-busy="true"]')).toHaveCount(0);
    expect(await places()).toEqual(before);
  }
});

test('on a phone, rows that come to 0 inside a category go at once; the others keep their order (§2.6.4)', {
  tag: ['@touch', '@thorough'],
}, async ({ page }) => {
  await page.goto('/shop?query=Sofa');
  const panel = await panelOf(page, true);
  const counted = page.waitForResponse('**/api/products/facets?*');
  const rows = (await group(panel, 'Category')).getByRole('checkbox');
  const before = await rows.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value));
  await (await group(panel, 'Seats')).getByRole('checkbox', { name: /^2 / }).check();
  await counted;
  await expect(chips(page).filter({ hasText: 'Seats: 2' })).toHaveCount(1);
  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAccessibleName(/^Sofa \d+ products$/);
  const counts = panel.locator('label:has(input) .tabular-nums').filter({ hasText: /^0/ });
  await expect(counts).toHaveCount(0);
  await (await group(panel, 'Seats')).getByRole('checkbox', { name: /^2 / }).uncheck();
  await expect.poll(() => rows.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value))).toEqual(before);
});

test('the products stay where they are as the first filter is chosen', { tag: '@thorough' }, async ({ page }) => {
  await page.goto('/shop');
  const panel = await panelOf(page, false);
  const top = () => page.getByRole('list', { name: 'Products' }).evaluate((list) => list.getBoundingClientRect().top);
  const before = await top();
  await panel.getByRole('checkbox', { name: 'In Stock Only' }).click();
  await expect(chips(page).filter({ hasText: 'In stock' })).toHaveCount(1);
  await expect(page.locator('#main [aria-busy="true"]')).toHaveCount(0);
  expect(await top()).toBe(before);
});

test('the head of a category comes with its list: the products do not move a second time', { tag: '@thorough' }, async ({ page }) => {
  await page.goto('/shop');
  const panel = await panelOf(page, false);
  const release = await holdBack(page, '**/api/products/category?*');
  const listed = page.waitForResponse('**/api/products?*');
  await panel.getByRole('checkbox', { name: /^Sofa/ }).click();
  await listed;
  /** The first card of every frame, and where it stands. */
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const look = () => {
      const card = document.querySelector('ul[aria-label="Products"] > li');
      const at = `${card?.querySelector('h2')?.textContent} ${Math.round(card?.getBoundingClientRect().top ?? 0)}`;
      if (seen.at(-1) !== at) seen.push(at);
      requestAnimationFrame(look);
    };
    look();
  });
  // The list is there, its head is not yet.
  await expect(page.locator('#main [aria-busy="true"]')).toHaveCount(1);
  release();
  await expect(page.getByRole('list', { name: 'Subcategories' })).toBeVisible();
  await expect(page.locator('#main [aria-busy="true"]')).toHaveCount(0);
  await page.waitForTimeout(600);
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen.length)).toBe(2);
});

test('a category’s head whose code comes after the first choice is hydrated as the server rendered it', { tag: '@thorough' }, async ({
  page,
}) => {
  const release = await holdBack(page, /category-head/);
  await page.goto('/shop?query=lamp');
  await page.mouse.move(300, 300);
  const panel = await panelOf(page, false);
  await panel.getByRole('checkbox', { name: 'In Stock Only' }).click();
  await expect(page).toHaveURL(/query=Lamp&inStock=true$/);
  await expect(chips(page).filter({ hasText: 'In stock' })).toHaveCount(1);
  await expect(page.locator('#main [aria-busy="true"]')).toHaveCount(0);
  release();
  await expect(page.locator('#main [data-later]')).toHaveCount(0);
  // No error of hydration is on the console (fixtures.ts).
});

test('a second choice keeps the first that is still loading, and an answer that comes too late is not shown (§2.6.4)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  await aBrand(shop, 'Hasty');
  await page.goto('/shop?brand=Hasty');
  let isReleased = false;
  // The first choice's answer is held back until the second choice's list is shown.
  const release = await holdBack(page, /api\/products\?(?!.*fitQuery).*colourQuery=/, async (route) => {
    await route.continue().catch(() => undefined);
    isReleased = true;
  });
  const panel = await panelOf(page, false);
  const asked = page.waitForRequest(/api\/products\?(?!.*fitQuery).*colourQuery=/);
  await (await group(panel, 'Colour')).getByRole('checkbox', { name: 'Green' }).check();
  await asked;
  await (await group(panel, 'Room or use')).getByRole('checkbox', { name: 'Attic' }).check();
  await expect(page).toHaveURL(/colour=green&fit=Attic$/);
  await expect(names(page)).toHaveText(['Green one']);
  await (await group(panel, 'Colour')).getByRole('checkbox', { name: 'Blue' }).check();
  await expect(names(page)).toHaveCount(2);
  release();
  await expect.poll(() => isReleased).toBe(true);
  await page.getByLabel('Sort').selectOption('ascprice');
  await expect(page).toHaveURL(/sortBy=ascprice/);
  await expect(names(page)).toHaveCount(2);
});

test('a choice that is made before React has drawn the address of the one before it keeps both', { tag: '@thorough' }, async ({ page }) => {
  await page.goto('/shop');
  const panel = await panelOf(page, false);
  const box = panel.getByRole('checkbox', { name: 'In Stock Only' });
  await box.check();
  await expect(page).toHaveURL(/inStock=true$/);
  await box.evaluate(async (first: HTMLElement) => {
    first.click();
    // Sooner than any hand, and than React draws what it draws when it finds the time.
    for (let turn = 0; turn < 5; turn++) await null;
    const sort = document.querySelector<HTMLSelectElement>('select[name=sortBy]');
    if (!sort) return;
    sort.value = 'ascprice';
    sort.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await expect(page).toHaveURL(/sortBy/);
  expect(new URL(page.url()).search).toBe('?sortBy=ascprice');
});

test('the filters leave an address as it was typed, and Back after a choice leads to it', { tag: '@thorough' }, async ({ page, shop }) => {
  await page.goto('/newarrivals');
  for (const address of ['/shop?category=Lamp', '/shop?query=lamp']) {
    await page.goto(address);
    const code = page.waitForResponse(/filter-panel/);
    await page.mouse.move(300, 300);
    await (await code).finished();
    const panel = await panelOf(page, false);
    const inStock = panel.getByRole('checkbox', { name: 'In Stock Only' });
    await inStock.click();
    await expect(page).toHaveURL(/query=Lamp&inStock=true$/);
    await expect(inStock).toBeChecked();
    await page.goBack();
    await expect(page).toHaveURL(shop.url + address);
  }
});

test('width, depth and height are ranges in centimetres or inches, applied on leaving the field (§2.6.4, U4)', {
  tag: '@thorough',
}, async ({ page, shop, isMobile }) => {
  await aBrand(shop, 'Measured');
  await page.goto('/shop?brand=Measured');
  const panel = await panelOf(page, isMobile);
  const size = await group(panel, 'Size');
  const width = size.getByRole('group', { name: /^Width/ });
  await width.getByLabel('To (cm)').fill('2 m');
  await width.getByLabel('To (cm)').blur();
  await expect(page).toHaveURL(`${shop.url}/shop?brand=Measured&maxWidth=200`);
  await expect(names(page)).toHaveText(['Green one']);
  await size.getByRole('radio', { name: 'inches' }).click();
  await expect(page).toHaveURL(/maxWidth=78.75&unit=in$/);
  await expect(width.getByLabel('To (in)')).toHaveValue('78.75');
  await expect(names(page)).toHaveText(['Green one']);
  await expect(chips(page).first()).toHaveText('Brand: Measured');
  await expect(chips(page).nth(1)).toHaveText('Width up to 78.75 in');
  await width.getByLabel('To (in)').fill('88');
  await width.getByLabel('To (in)').press('Enter');
  await expect(names(page)).toHaveCount(2);
  await width.getByLabel('From (in)').fill('about two');
  await width.getByLabel('From (in)').blur();
  await expect(width.getByText('Enter a length, such as 47.')).toBeVisible();
  await expect(width.getByLabel('From (in)')).toHaveValue('about two');
  await size.getByRole('radio', { name: 'cm' }).click();
  await expect(page).toHaveURL(/maxWidth=223.5$/);
});

test('rating and New! are filters too (§2.6.4, U4)', { tag: '@thorough' }, async ({ page, shop, isMobile }) => {
  await aBrand(shop, 'Fresh');
  await page.goto('/shop?brand=Fresh');
  const panel = await panelOf(page, isMobile);
  const isNew = (await group(panel, 'New arrivals')).getByRole('checkbox', { name: 'New!' });
  await isNew.click();
  await expect(page).toHaveURL(/new=true$/);
  await expect(isNew).toBeChecked();
  await expect(names(page)).toHaveText(['Blue one']);
  await page.goto('/shop');
  const rating = await group(await panelOf(page, isMobile), 'Rating');
  await rating.getByRole('radio', { name: '4.5 stars and up' }).click();
  await expect(page).toHaveURL(`${shop.url}/shop?rating=4.5`);
  await expect(rating.getByRole('radio', { name: '4.5 stars and up' })).toBeChecked();
  await expect(chips(page).first()).toHaveText('Rated 4.5 and up');
  await rating.getByRole('radio', { name: 'Any rating' }).click();
  await expect(page).toHaveURL(`${shop.url}/shop`);
});

test('what is reduced can be filtered where something in the list is (§2.6.4)', { tag: '@touch' }, async ({ page, shop }) => {
  const all = { brand: 'Bargain', category: 'Testing' };
  const { _id } = await shop.aProduct({ ...all, name: 'Cheaper one' });
  await shop.aProduct({ ...all, name: 'Usual one' });
  await page.goto('/shop?brand=Bargain');
  await expect((await panelOf(page, true)).getByRole('checkbox', { name: /^Reduced/ })).toHaveCount(0);
  const { token } = await shop.admin();
  const saleTo = new Date(Date.now() + 86_400_000).toISOString();
  await shop.call('PUT', `/api/office/products/${_id}/sale`, { token, body: { salePrice: 40_000, sizes: [], saleFrom: '', saleTo } });
  await page.goto('/shop?brand=Bargain');
  const panel = await panelOf(page, true);
  const box = panel.getByRole('checkbox', { name: /^Reduced/ });
  await expect(box).toHaveAccessibleName('Reduced 1 product');
  await box.click();
  await expect(page).toHaveURL(`${shop.url}/shop?brand=Bargain&sale=true`);
  await expect(names(page)).toHaveText(['Cheaper one']);
  await expect(box).toBeChecked();
  await expect(chips(page)).toHaveText(['Brand: Bargain', 'Reduced', 'Clear all']);
  await box.click();
  await expect(page).toHaveURL(`${shop.url}/shop?brand=Bargain`);
  await expect(names(page)).toHaveCount(2);
});

test('without scripts the filters are one form: its values are sent together, counts, folds and pence included (§2.6.4)', {
  tag: '@thorough',
}, async ({ browser, shop }) => {
  await aBrand(shop, 'Plain Form');
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.url, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto('/shop?brand=Plain+Form&minPrice=12.70&search=one');
  const panel = page.getByRole('complementary', { name: 'Filters' });
  const colour = await group(panel, 'Colour');
  await expect(colour.getByRole('checkbox', { name: 'Green' })).toHaveAccessibleName('Green 1 product');
  await colour.getByRole('checkbox', { name: 'Green' }).check();
  await colour.getByRole('checkbox', { name: 'Grey' }).check();
  const size = await group(panel, 'Size');
  await size.getByRole('radio', { name: 'inches' }).check();
  await size.getByRole('textbox', { name: 'To (cm)' }).first().fill('79');
  await panel.getByLabel('Max (£)').fill('900');
  await panel.getByRole('button', { name: 'Apply filters and sort' }).click();
  await expect(chips(page)).toHaveText([
    ...['Colour: Green', 'Colour: Grey', 'Brand: Plain Form', 'From £12.70', 'Up to £900'],
    ...['Width up to 79 in', 'Clear all'],
  ]);
  await expect(names(page)).toHaveText(['Green one']);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Show Search Result: one');
  await context.close();
});

test('an empty list says which filter to drop and what each would bring back, and Clear all takes what the search understood too (§2.6.4.1, U14)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  await aBrand(shop, 'Empty');
  await page.goto('/shop?brand=Empty&colour=grey&fit=Attic');
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible();
  const ways = page.getByRole('list', { name: 'With fewer filters' }).getByRole('link');
  // The most first; what brings nothing back is not offered.
  await expect(ways).toHaveText(['Without ‘Grey’: 2 products', 'Without ‘Attic’: 1 product']);
  await expectAccessible(page);
  await ways.filter({ hasText: '‘Grey’' }).click();
  await expect(page).toHaveURL(`${shop.url}/shop?brand=Empty&fit=Attic`);
  await expect(names(page)).toHaveCount(2);
  await page.goto('/shop?search=grey+sofa+under+300+cm&brand=Empty');
  await expect(chips(page)).toHaveText(['Colour: Grey', 'Brand: Empty', 'Width up to 300 cm', 'Clear all']);
  await page.getByRole('link', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(`${shop.url}/shop?search=sofa`);
});

test('what a search asks for is ticked in the panel, and choosing there makes filters of it (§2.6.4, §12.6)', { tag: '@thorough' }, async ({
  page,
  shop,
  isMobile,
}) => {
  await page.goto('/shop?search=cheapest+grey+sofa');
  await expect(chips(page)).toHaveText(['Price Low To High', 'Colour: Grey', 'Clear all']);
  await expect(page.getByLabel('Sort')).toHaveValue('ascprice');
  const panel = await panelOf(page, isMobile);
  await expect(panel.getByRole('checkbox', { name: /^Grey/ })).toBeChecked();
  await panel.getByRole('checkbox', { name: 'In Stock Only' }).check();
  await expect(page).toHaveURL(`${shop.url}/shop?search=sofa&typed=cheapest+grey+sofa&sortBy=ascprice&inStock=true&colour=grey`);
  // What was typed stays, in the heading and in the field.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Show Search Result: cheapest grey sofa');
  if (isMobile) return;
  await page.getByRole('button', { name: 'Search' }).first().click();
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('cheapest grey sofa');
  await page.keyboard.press('Escape');
  // It would not be true any more without one of its words.
  await panel.getByRole('checkbox', { name: /^Grey/ }).uncheck();
  await expect(page).toHaveURL(`${shop.url}/shop?search=sofa&sortBy=ascprice&inStock=true`);
});

test('the open filters are accessible and fit on small and large screens; swatches keep their colour and name where colours are forced (§2.6.4)', {
  tag: '@thorough',
}, async ({ page }) => {
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ forcedColors: 'none' });
    await page.goto('/shop?colour=green&unit=in');
    const panel = await panelOf(page, width < 1024);
    for (const label of ['Category', 'Subcategory', 'Colour', 'Material', 'Room or use', 'Brand', 'Size', 'Rating', 'New arrivals'])
      await group(panel, label);
    const folds = panel.locator('details:not([open]) > summary');
    while ((await folds.count()) > 0) await folds.first().click();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.emulateMedia({ forcedColors: 'active' });
    const swatch = panel.locator('label', { has: page.locator('input[value="green"]') }).locator('[style]');
    expect(await swatch.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(86, 107, 74)');
  }
});
