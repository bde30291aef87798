import { expect, test } from './fixtures.ts';
import { tabTo } from './tab-to.ts';

test('the first stop of the keyboard leads past the header (U45)', async ({ page }) => {
  await page.goto('/shop');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(true);
});

test('by keyboard alone: search, filter, choose, put into the cart, order cash on delivery', async ({ page, shop, logInAs }) => {
  const customer = await shop.aCustomer('Kay Keyboard');
  await shop.aProduct({
    name: 'Keyboard Recliner',
    price: '45000',
    sizes: JSON.stringify([
      { size: 'Small', quantity: 5, price: 0, measurements: [] },
      { size: 'Large', quantity: 5, price: 60_000, measurements: [] },
    ]),
    colors: '[{"colorName":"#000000","hexCode":"#000000"},{"colorName":"#ffffff","hexCode":"#ffffff"}]',
  });
  await logInAs(customer);
  await page.goto('/');

  await tabTo(page, 'Search');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Search the shop' })).toBeFocused();
  await page.keyboard.type('keyboard recliner');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Show Search Result: keyboard recliner');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await tabTo(page, 'In Stock Only');
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/inStock=true/);
  await tabTo(page, 'Max (£)');
  await page.keyboard.type('500');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/maxPrice=500/);

  await tabTo(page, 'Keyboard Recliner, small');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keyboard Recliner');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page, /^Small/);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: /^Large/ })).toBeChecked();
  await tabTo(page, 'Black');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'White' })).toBeChecked();
  await tabTo(page, 'One more Keyboard Recliner');
  await page.keyboard.press('Space');
  await tabTo(page, 'Add To Cart');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();

  await page.keyboard.press('Control+Home');
  await page.getByRole('link', { name: 'Hearth & Oak, home' }).focus();
  await tabTo(page, 'Cart, 1 item');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cart');
  await tabTo(page, 'One fewer Keyboard Recliner');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Subtotal£600.00');
  await tabTo(page, 'Cash on delivery');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout');

  for (const [label, text] of [
    ['Phone', '07700900123'],
    ['Address line 1', '1 High Street'],
    ['City', 'Leeds'],
    ['State', 'Yorkshire'],
    ['ZIP code', '54000'],
  ] as const) {
    await tabTo(page, label);
    await page.keyboard.type(text);
  }
  await tabTo(page, /^Place order/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${shop.url}/`);
  expect(await shop.ordersOf(customer)).toMatchObject([
    { totalPrice: 60_000, orderItems: [{ name: 'Keyboard Recliner', size: 'Large', color: '#ffffff' }] },
  ]);
});

test('the menu leads from one list of the shop to another with the focus on its heading; a filter keeps the focus', {
  tag: '@thorough',
}, async ({ page }) => {
  await page.goto('/');
  const menu = page.getByRole('navigation', { name: 'Main' });
  const heading = page.getByRole('heading', { level: 1 });
  for (const [link, title] of [
    ['Sofa', 'Sofa'],
    ['Wardrobe', 'Wardrobe'],
    ['All Products', 'All Products'],
  ] as const) {
    await menu.getByRole('link', { name: link, exact: true }).press('Enter');
    await expect(heading).toHaveText(title);
    await expect(heading).toBeFocused();
  }
  const inStock = page.getByRole('checkbox', { name: 'In Stock Only' });
  await inStock.press('Space');
  await expect(page).toHaveURL(/inStock=true/);
  await expect(inStock).toBeFocused();
});
