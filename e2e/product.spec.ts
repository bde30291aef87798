import type { Locator, Page } from '@playwright/test';
import { fillCartWith, lineOf } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, type Shop, test } from './fixtures.ts';

/** A swipe of one finger across the middle of an element. */
async function swipe(page: Page, element: Locator, direction: 'left' | 'right'): Promise<void> {
  const box = await element.boundingBox();
  if (!box) throw new Error('What is swiped is not shown.');
  const [left, right, y] = [box.x + box.width * 0.15, box.x + box.width * 0.85, box.y + box.height / 3];
  const [from, to] = direction === 'left' ? [right, left] : [left, right];
  const touch = await page.context().newCDPSession(page);
  const at = (x: number) => ({ touchPoints: [{ x, y }] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) });
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
    // A finger moves a frame at a time; events without time between them are sometimes no gesture to the browser.
    await page.waitForTimeout(16);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(from + (to - from) * part) });
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** The place of the picture that a row of pictures shows. */
const shownIn = (row: Locator) => () =>
  row.evaluate((element) => {
    const frame = element.getBoundingClientRect();
    return [...element.querySelectorAll('li')].findIndex((slide) => Math.abs(slide.getBoundingClientRect().left - frame.left) < 4);
  });

test('a card shows its pictures by the first swipe or by arrows and keyboard, in a loop, and a tap anywhere opens the product (§2.6.5, U10)', {
  tag: '@phone',
}, async ({ page, isMobile }) => {
  await page.goto('/shop?search=rowan+sofa');
  const card = page.getByRole('article').first();
  const carousel = card.getByRole('region', { name: 'Pictures of Rowan Wool Sofa' });
  const shown = shownIn(carousel);
  const next = page.getByRole('button', { name: 'Next picture of Rowan Wool Sofa' });
  if (isMobile) {
    // A person swipes what they see.
    await expect(carousel.locator('img').first()).toHaveJSProperty('complete', true);
    await swipe(page, carousel, 'left');
    await expect.poll(shown).toBe(1);
    await expect(carousel.locator('img').nth(1)).toHaveJSProperty('complete', true);
    // No arrows lie over the picture under a finger.
    await expect(next).toBeHidden();
    for (const place of [2, 3, 4, 0]) {
      await swipe(page, carousel, 'left');
      await expect.poll(shown).toBe(place);
    }
    await swipe(page, carousel, 'right');
    await expect.poll(shown).toBe(4);
  } else {
    await card.getByRole('link', { name: 'Rowan Wool Sofa' }).focus();
    await expect.poll(shown).toBe(0);
    await next.focus();
    await page.keyboard.press('Enter');
    await expect.poll(shown).toBe(1);
    const previous = page.getByRole('button', { name: 'Previous picture of Rowan Wool Sofa' });
    await previous.press('Enter');
    await expect.poll(shown).toBe(0);
    await previous.press('Enter');
    await expect.poll(shown).toBe(4);
    await carousel.hover();
    await expect(next.locator('xpath=..')).toBeVisible();
    await expect(next).toHaveCSS('opacity', '1');
  }
  await expect(page).toHaveURL(/\/shop\?search/);
  await expectAccessible(page);
  const box = await carousel.boundingBox();
  await carousel.click({ position: { x: (box?.width ?? 0) / 2, y: 20 } });
  await expect(page).toHaveURL(/\/product\//);
});

test('a card shows name, price, stars with their figure, New!, what is left in words, and how many sizes and colours there are (§2.6.5, §18.2, U9, U23)', async ({
  page,
  shop,
}) => {
  const category = 'Cards';
  await shop.aProduct({ name: 'Card Fresh', category, price: '12345', newArrivals: 'true', countInStock: '2' });
  const sizes = [0, 9_900].map((price, n) => ({ size: `Size ${n}`, quantity: 3, price, measurements: [] }));
  await shop.aProduct({ name: 'Card Gone', category, countInStock: '0' });
  await shop.aProduct({
    name: 'Card Chosen',
    category,
    price: '12000',
    sizes: JSON.stringify(sizes),
    colors: JSON.stringify(['#8a8f98', '#2f4f3f'].map((code) => ({ colorName: code, hexCode: code }))),
  });
  await page.goto(`/shop?query=${category}`);
  const fresh = page.getByRole('article').filter({ hasText: 'Card Fresh' });
  await expect(fresh).toContainText('New!');
  await expect(fresh).toContainText('£123.45');
  await expect(fresh).toContainText('No reviews yet');
  await expect(fresh).not.toContainText('0.0');
  await expect(fresh).toContainText('Only 2 left');
  const gone = page.getByRole('article').filter({ hasText: 'Card Gone' });
  await expect(gone).toContainText('Sold out');
  await expect(gone).not.toContainText(/New!|size/);
  const chosen = page.getByRole('article').filter({ hasText: 'Card Chosen' });
  await expect(chosen).toContainText('from £99.00');
  await expect(chosen).toContainText(/2 sizes.*2 colours/);
  await page.goto('/shop?rating=4.5');
  await expect(page.getByRole('article').first()).toContainText(/(4\.[5-9]|5\.0) out of 5 stars.*Our rating/);
});

/** Sizes as the product's form sends them, each with its number of pieces. */
const sizesWith = (...quantities: number[]) =>
  JSON.stringify(quantities.map((quantity, n) => ({ size: `Size ${n}`, quantity, price: 50_000, measurements: [] })));

for (const [what, countInStock, sizes] of [
  ['all sizes are sold', '5', sizesWith(0, 0)],
  ['nothing is in stock, though sizes are counted', '0', sizesWith(5, 3)],
] as const)
  test(`where ${what}, card, page and structured data say that it is out of stock, and nothing says how many are left (§2.7.2)`, {
    tag: '@thorough',
  }, async ({ page, shop }) => {
    const name = `Rule Sofa ${countInStock}`;
    const { _id } = await shop.aProduct({ name, category: 'Ruled', price: '45600', countInStock, sizes });
    await page.goto('/shop?query=Ruled');
    const card = page.getByRole('article').filter({ hasText: name });
    await expect(card).toContainText('Sold out');
    await expect(card).toContainText('£500.00');
    await expect(card).not.toContainText('from');
    await page.goto(`/product/${_id}`);
    await expect(page.getByText('Out of Stock', { exact: true })).toBeVisible();
    await expect(page.getByText(/Delivery included/)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Add To Cart' })).toHaveCount(0);
    await expect(page.getByRole('radio', { name: /Sold out/ })).toHaveCount(2);
    await expect(page.getByRole('heading', { name: 'Tell me when it is back' })).toBeVisible();
    await expect(page.getByText(/Only \d+ left/)).toHaveCount(0);
    expect(await page.locator('script[type="application/ld+json"]').textContent()).toContain('https://schema.org/OutOfStock');
  });

test('coming back from the card page by the browser’s own button, the product’s page counts what the customer’s own checkout holds (§2.7.2)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const sofa = await shop.aProduct({ name: 'Held Sofa', price: '50000', countInStock: '3', sizes: sizesWith(0, 1) });
  await logInAs(await shop.aCustomer());
  await fillCartWith(page, [{ ...lineOf(sofa), size: 'Size 1' }]);
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page).toHaveURL(/\/pay\//);
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/cart`);
  await page.getByRole('link', { name: 'Held Sofa' }).click();
  await expect(page.getByText('Held for you while you pay')).toBeVisible();
  await expect(page.getByRole('radio', { name: /Size 1.*Only 1 left/ })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Add To Cart' })).toBeVisible();
  await expect(page.getByText('Out of Stock', { exact: true })).toHaveCount(0);
  // For everybody else it is sold.
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.removeItem('userInfo'));
  await page.reload();
  await expect(page.getByText('Out of Stock', { exact: true })).toBeVisible();
});

test('price, size, stock, delivery and Add To Cart stand on the first screen of a small phone (U16)', { tag: '@touch' }, async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openSofa(page, shop);
  await expect(page.locator('#main').getByText('£1,299.00', { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(/^Arrives .*, free$/)).toBeInViewport({ ratio: 1 });
  const [size, bar] = [page.locator('label').filter({ hasText: 'Three-seat' }), page.locator('.buy-bar')];
  await expect(size).toHaveText('Three-seat£1,299.00, In stock');
  await expect(size).toBeInViewport({ ratio: 1 });
  await expect(page.locator('#main p').filter({ hasText: /^In stock$/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add To Cart' })).toBeInViewport({ ratio: 1 });
  const second = page.locator('label').filter({ hasText: 'Two-seat' });
  for (const one of [size, second]) {
    const [choice, foot] = await Promise.all([one.boundingBox(), bar.boundingBox()]);
    expect((choice?.y ?? 0) + (choice?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
  }
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('Add To Cart can be pressed at every scroll position of a phone', { tag: ['@touch', '@thorough'] }, async ({ page, shop }) => {
  await openSofa(page, shop);
  const button = page.getByRole('button', { name: 'Add To Cart' });
  const isOnTop = () =>
    button.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  for (let position = 0; position < 1_500; position += 20) {
    await page.evaluate((y) => window.scrollTo(0, y), position);
    await expect.poll(isOnTop, `at ${position}`).toBe(true);
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect.poll(isOnTop).toBe(true);
});

/** The page of a product with three pictures. */
async function openSofa(page: Page, shop: Shop): Promise<void> {
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=oslo+sofa');
  await page.goto(`/product/${products[0]?._id}`);
}

test('on a phone the pictures span the screen and are swiped, dots say which one is shown, and nothing shifts (§2.7.2, U19)', {
  tag: '@touch',
}, async ({ page, shop }) => {
  await openSofa(page, shop);
  const gallery = page.getByRole('list', { name: 'Pictures of Oslo Sofa' });
  await expect(page.getByRole('list', { name: 'Pictures', exact: true })).toBeHidden();
  // What is wide fills the screen.
  await expect(gallery.locator('.picture-side')).toHaveCount(0);
  await expect.poll(() => gallery.getByRole('img').first().boundingBox()).toMatchObject({ x: 0, width: 390 });
  expect(await gallery.boundingBox()).toMatchObject({ x: 0, width: 390 });
  await swipe(page, gallery, 'left');
  await expect.poll(shownIn(gallery)).toBe(1);
  const room = page.getByRole('img', { name: 'Oslo Sofa, in a room, picture 2 of 10' });
  await expect(room).toHaveJSProperty('complete', true);
  // A room fills the screen; the sides of what stands on a plain ground continue it.
  await expect.poll(() => room.boundingBox()).toMatchObject({ x: 0, width: 390 });
  const dots = page.locator('#main [aria-hidden=true] > i.rounded-full');
  await expect(dots).toHaveClass([/bg-page/, /bg-ink/, ...Array(8).fill(/bg-page/)]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('on a phone the ground of a whole piece that is not wide goes on, to both edges of the screen (§2.7.2)', {
  tag: ['@touch', '@thorough'],
}, async ({ page, shop }) => {
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=callow+lamp');
  await page.goto(`/product/${products[0]?._id}`);
  const sides = page.locator('.picture-side').filter({ has: page.locator('img[loading="eager"]') });
  await expect(sides).toHaveCount(2);
  for (const side of await sides.all()) {
    const [box, drawn] = [await side.boundingBox(), await side.locator('img').evaluate((image) => image.getBoundingClientRect())];
    expect(drawn.left).toBeLessThanOrEqual(box?.x ?? 0);
    expect(drawn.right).toBeGreaterThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
  }
});

/** How much wider than at first the enlarged picture stands. */
async function zoomOf(picture: Locator): Promise<() => Promise<number>> {
  const widthOf = () => picture.evaluate((element) => element.getBoundingClientRect().width);
  const before = await widthOf();
  return async () => (await widthOf()) / before;
}

test('a picture is enlarged two and a half times and more by double tap, wheel, keys and buttons, moved, and left by Escape (§2.7.2, U20)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await openSofa(page, shop);
  expect(asked.filter((url) => /zoom|-1[26]00\./.test(url))).toEqual([]);
  const opener = page.getByRole('button', { name: 'Enlarge the picture' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Pictures of Oslo Sofa, enlarged' });
  const frame = dialog.getByRole('region', { name: /^Enlarged picture/ });
  await expect(frame).toBeFocused();
  const picture = dialog.getByRole('img', { name: /picture 1 of 10/ });
  // The largest that there is, and only now.
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBe(1600);
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/-1600\.webp$/);
  await expectAccessible(page);
  const zoom = await zoomOf(picture);
  const box = await frame.boundingBox();
  if (!box) throw new Error('The frame is not shown.');
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(zoom).toBeCloseTo(2.5, 1);
  const left = () => picture.evaluate((element) => element.getBoundingClientRect().left);
  const before = await left();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(left).toBeLessThan(before - 40);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(left).toBeGreaterThan(before - 40);
  await page.keyboard.press('0');
  await expect.poll(zoom).toBeCloseTo(1, 2);
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await expect.poll(zoom).toBeGreaterThanOrEqual(2.5);
  await dialog.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(zoom).toBeCloseTo(4, 1);
  await frame.focus();
  await page.keyboard.press('0');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(0, -1200);
  await expect.poll(zoom).toBeGreaterThanOrEqual(2.5);
  await dialog.getByRole('button', { name: 'Next picture' }).click();
  await expect(dialog.getByRole('img', { name: /picture 2 of 10/ })).toBeVisible();
  await expect(dialog.getByRole('status')).toHaveText('Oslo Sofa, in a room, picture 2 of 10, 100 %');
  await frame.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(dialog.getByRole('img', { name: /picture 1 of 10/ })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(dialog.getByRole('img', { name: /picture 10 of 10/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  // The page shows the picture that was looked at last.
  await expect(page.getByRole('img', { name: /picture 10 of 10/ })).toBeInViewport({ ratio: 0.5 });
});

test('two fingers enlarge a picture, one moves it, and one swipes to the next while it fits (§2.7.2, U20)', {
  tag: ['@touch', '@thorough'],
}, async ({ page, shop }) => {
  await openSofa(page, shop);
  await page.getByRole('button', { name: 'Enlarge the picture' }).tap();
  const dialog = page.getByRole('dialog', { name: /enlarged$/ });
  const frame = dialog.getByRole('region', { name: /^Enlarged picture/ });
  await expect(frame).toBeFocused();
  const zoom = await zoomOf(dialog.getByRole('img', { name: /picture 1 of 10/ }));
  const touch = await page.context().newCDPSession(page);
  const fingers = (apart: number) => ({ touchPoints: [-apart, apart].map((x, id) => ({ x: 195 + x, y: 400, id })) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...fingers(30) });
  for (const apart of [45, 60, 75, 90]) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...fingers(apart) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect.poll(zoom).toBeCloseTo(3, 1);
  await frame.press('0');
  await expect.poll(zoom).toBeCloseTo(1, 2);
  await swipe(page, frame, 'left');
  await expect(dialog.getByRole('img', { name: /picture 2 of 10/ })).toBeVisible();
});

test('a thumbnail chooses the big picture, and the chosen one is marked for everybody (§2.7.2, U19)', async ({ page, shop }) => {
  await openSofa(page, shop);
  const [picture, row] = [
    await page.getByRole('list', { name: 'Pictures of Oslo Sofa' }).boundingBox(),
    await page.getByRole('list', { name: 'Pictures', exact: true }).boundingBox(),
  ];
  expect(row?.width).toBeLessThanOrEqual(picture?.width ?? 0);
  const second = page.getByRole('button', { name: 'Show picture 2' });
  await second.click();
  await expect(page.getByRole('img', { name: /picture 2 of/ })).toBeInViewport({ ratio: 0.5 });
  await expect(page.getByRole('img', { name: /picture 1 of/ })).not.toBeInViewport({ ratio: 0.01 });
  await expect(second).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('button', { name: 'Show picture 1', exact: true })).not.toHaveAttribute('aria-current');
});

test('the quantity starts at 1, cannot go below, and stops at what there is (§2.7.3, U28)', async ({ page, shop }) => {
  const sofa = await shop.aProduct({ name: 'Counted Sofa', countInStock: '2' });
  await page.goto(`/product/${sofa._id}`);
  const quantity = page.getByRole('group', { name: 'Quantity of Counted Sofa' }).getByRole('status');
  await expect(quantity).toHaveText('1');
  await page.getByRole('button', { name: 'One fewer Counted Sofa' }).press('Enter');
  await expect(quantity).toHaveText('1');
  await page.getByRole('button', { name: 'One more Counted Sofa' }).press('Enter');
  await page.getByRole('button', { name: 'One more Counted Sofa' }).press('Enter');
  await expect(quantity).toHaveText('2');
  await expect(page.getByText('Only 2 in stock.')).toBeVisible();
});

test('Add To Cart stores a line of the specification’s shape, counts it, and says it once to those who listen (§3.4, U27)', async ({
  page,
  shop,
}) => {
  const sofa = await shop.aProduct({
    name: 'Shaped Sofa',
    price: '10000',
    sizes: JSON.stringify([{ size: 'Wide', quantity: 5, price: 12_000, measurements: [] }]),
    colors: '[{"colorName":"#ffffff","hexCode":"#ffffff"}]',
  });
  await page.goto(`/product/${sofa._id}`);
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  await expect(page.locator('.Toastify').getByText('Shaped Sofa, Wide, White is in your cart.')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Shaped Sofa, Wide, White is in your cart.' })).toHaveCount(1);
  const spoken = page.locator('[role=alert], [role=log], [aria-live]:not([aria-live=off]):not([role=status])');
  expect(await spoken.filter({ hasText: 'is in your cart' }).count()).toBe(0);
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? 'null') as object);
  const choice = { size: 'Wide', color: '#ffffff', colourName: 'White' };
  expect(stored).toEqual([{ _id: sofa._id, name: 'Shaped Sofa', image: '', price: 12_000, qty: 1, ...choice }]);
  // By keyboard: the toast lies over the buttons for five seconds.
  await page.getByRole('button', { name: 'One more Shaped Sofa' }).press('Enter');
  await page.getByRole('button', { name: 'Add To Cart' }).press('Enter');
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? '[]')[0]?.qty as number)).toBe(2);
});
