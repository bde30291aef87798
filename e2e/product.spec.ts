import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

test('a card shows its pictures by arrows and keyboard, and by a swipe that leads nowhere', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  await page.goto('/shop?search=oslo+sofa');
  const card = page.getByRole('article').first();
  const carousel = card.getByRole('region', { name: 'Pictures of Oslo Three-Seat Sofa' });
  const shown = () =>
    carousel.evaluate((region) => {
      const frame = region.getBoundingClientRect();
      return [...region.querySelectorAll('li')].findIndex((slide) => Math.abs(slide.getBoundingClientRect().left - frame.left) < 4);
    });
  await card.getByRole('link', { name: 'Oslo Three-Seat Sofa' }).focus();
  await expect.poll(shown).toBe(0);
  await page.getByRole('button', { name: 'Next picture of Oslo Three-Seat Sofa' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(shown).toBe(1);
  const back = page.getByRole('button', { name: 'Previous picture of Oslo Three-Seat Sofa' });
  await back.press('Enter');
  await expect.poll(shown).toBe(0);
  // It loops: before the first picture comes the last, and after the last the first.
  await back.press('Enter');
  await expect.poll(shown).toBe((await carousel.locator('li').count()) - 1);
  await page.getByRole('button', { name: 'Next picture of Oslo Three-Seat Sofa' }).press('Enter');
  await expect.poll(shown).toBe(0);
  const box = await carousel.boundingBox();
  if (!box) throw new Error('The carousel is not shown.');
  const [from, to, y] = [box.x + box.width * 0.85, box.x + box.width * 0.1, box.y + box.height / 3];
  if (isMobile) {
    const touch = await page.context().newCDPSession(page);
    const at = (x: number) => ({ touchPoints: [{ x, y }] });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) });
    for (const part of [0.3, 0.6, 1]) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(from + (to - from) * part) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  } else {
    await page.mouse.move(from, y);
    await page.mouse.down();
    await page.mouse.move(to, y, { steps: 5 });
    await page.mouse.up();
  }
  await expect.poll(shown).toBe(1);
  await expect(page).toHaveURL(/\/shop\?search/);
  await carousel.click({ position: { x: box.width / 2, y: 20 } });
  await expect(page).toHaveURL(/\/product\//);
});

test('a card shows name, price, stars with their figure, New!, and what is left in words', async ({ page, shop }) => {
  const category = 'Cards';
  await shop.aProduct({ name: 'Card Fresh', category, price: '12345', newArrivals: 'true', countInStock: '2' });
  await shop.aProduct({ name: 'Card Gone', category, countInStock: '0' });
  await page.goto(`/shop?query=${category}`);
  const fresh = page.getByRole('article').filter({ hasText: 'Card Fresh' });
  await expect(fresh).toContainText('New!');
  await expect(fresh).toContainText('£123.45');
  await expect(fresh).toContainText('No reviews yet');
  await expect(fresh).not.toContainText('0.0');
  await expect(fresh).toContainText('Only 2 left');
  const gone = page.getByRole('article').filter({ hasText: 'Card Gone' });
  await expect(gone).toContainText('Sold out');
  await expect(gone).not.toContainText('New!');
});

test('price, size, stock, delivery and Add To Cart stand on the first screen of a small phone', { tag: '@phone' }, async ({
  page,
  shop,
  isMobile,
}) => {
  if (isMobile) await page.setViewportSize({ width: 360, height: 740 });
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=oslo+sofa');
  await page.goto(`/product/${products[0]?._id}`);
  await expect(page.locator('#main').getByText('£1,299.00', { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(/Delivery included, in 5-7 business days/)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('group', { name: 'Size' }).getByRole('radio').first()).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Add To Cart' })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('a thumbnail chooses the big picture, and the chosen one is marked for everybody', async ({ page, shop }) => {
  const { products } = await shop.call<{ products: { _id: string; name: string }[] }>('GET', '/api/products?search=oslo+sofa');
  await page.goto(`/product/${products[0]?._id}`);
  const second = page.getByRole('button', { name: 'Show picture 2' });
  await second.click();
  await expect(page.getByRole('img', { name: /picture 2 of/ })).toBeVisible();
  await expect(second).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('button', { name: 'Show picture 1' })).not.toHaveAttribute('aria-current');
});

test('the quantity starts at 1, cannot go below, and stops at what there is', async ({ page, shop }) => {
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

test('Add To Cart stores a line of the specification’s shape, counts it, and says it once to those who listen', async ({ page, shop }) => {
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
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? 'null') as object);
  const choice = { size: 'Wide', color: '#ffffff', colourName: 'White' };
  expect(stored).toEqual([{ _id: sofa._id, name: 'Shaped Sofa', image: '', price: 12_000, qty: 1, ...choice }]);
  await page.getByRole('button', { name: 'One more Shaped Sofa' }).click();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? '[]')[0]?.qty as number)).toBe(2);
});
