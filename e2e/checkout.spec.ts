import type { Page } from '@playwright/test';
import { fillCart, fillCheckout } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, expectToast, holdBack, logIn, test } from './fixtures.ts';

const place = (page: Page) => page.getByRole('button', { name: 'Place order' }).click();
const alert = (page: Page) => page.locator('#main').getByRole('alert');

test('every field that is missing is named in the specification’s words, and the summary takes the focus and leads to each (§5.2, U35)', async ({
  page,
  shop,
  logInAs,
}) => {
  await fillCart(page, await shop.aProduct());
  await logInAs(await shop.aCustomer());
  await page.goto('/checkout');
  await page.getByLabel('Email').fill('');
  await page.getByLabel('Full name').fill('');
  await page.getByLabel('Payment method').selectOption('Online Payment');
  await place(page);
  await expect(alert(page)).toBeFocused();
  await expect(alert(page).getByRole('link')).toHaveText([
    'Email is required',
    'Full name is required',
    'Phone number is required',
    'Address line 1 is required',
    'City is required',
    'State is required',
    'ZIP code is required',
    'Payment ID is required for online payments',
  ]);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'City is required' }).click();
  await expect(page.getByLabel('City')).toBeFocused();
  await expect(page.getByLabel('City')).toHaveAccessibleDescription('City is required');
});

test('a field is judged on leaving it, in the specification’s words (§5.2)', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  await logInAs(await shop.aCustomer());
  await page.goto('/checkout');
  for (const [label, value, message] of [
    ['Email', 'nonsense', 'Email is invalid'],
    ['Phone', '123', 'Phone number must be 11 digits'],
    ['ZIP code', '123', 'ZIP code must be 5 digits'],
  ] as const) {
    const field = page.getByLabel(label);
    await field.fill(value);
    await field.press('Tab');
    await expect(field).toHaveAccessibleDescription(new RegExp(`^${message}`));
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  }
});

test('the form starts with Pakistan, Cash on Delivery, and the name and email of the account, and says where the confirmation goes (§3.9, U32)', async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer('Known Name');
  await logInAs(customer);
  await page.goto('/checkout');
  await expect(page.getByLabel('Country')).toHaveValue('Pakistan');
  await expect(page.getByLabel('Payment method')).toHaveValue('Cash on Delivery');
  await expect(page.getByLabel('Full name')).toHaveValue('Known Name');
  await expect(page.getByLabel('Email')).toHaveValue(customer.email);
  await expect(page.getByLabel('Phone')).toHaveAccessibleDescription('So that the driver can reach you on the day.');
  await page.getByLabel('Payment method').selectOption('Online Payment');
  await expect(page.getByLabel('Payment ID')).toHaveValue('');
  await page.getByLabel('Email').fill('elsewhere@example.com');
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(`We’ll send your confirmation to ${customer.email}.`);
});

test('the checkout of an empty cart says so and leads on, without a day or a sum; sent, it says Not Items Found (§5.2)', async ({
  page,
  shop,
  logInAs,
}) => {
  await logInAs(await shop.aCustomer());
  await page.goto('/checkout');
  const main = page.locator('#main');
  await expect(main.getByText('Your shopping cart is currently empty.')).toBeInViewport();
  await expect(main.getByRole('link', { name: 'All Products' })).toHaveAttribute('href', '/shop');
  await expect(main.getByText(/£|Arrives|Total price/)).toHaveCount(0);
  await expectAccessible(page);
  await place(page);
  await expectToast(page, 'Not Items Found');
  await expect(page).toHaveURL(`${shop.url}/checkout`);
});

test('an order says In Process and its success, is placed once though the button is pressed twice, and its address is known the next time (§2.9.1, §3.8, §7.7, §8.4, U37, U38)', async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer();
  const sofa = await shop.aProduct({ name: 'Kept Sofa', price: '79900' });
  await fillCart(page, sofa, 2);
  await logInAs(customer);
  await page.goto('/checkout');
  await expect(page.getByRole('region', { name: 'Cart summary' })).toContainText('Total price£1,598.00');
  await fillCheckout(page);
  const showToasts = await holdBack(page, /toaster/);
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/orders'));
  await page.getByRole('button', { name: 'Place order' }).dblclick();
  expect((await sent).postDataJSON()).toMatchObject({
    orderItems: [{ _id: sofa._id, name: 'Kept Sofa', image: '', price: 79_900, qty: 2 }],
    shippingAddress: { line1: '1 High Street', line2: '', city: 'Leeds', postalCode: '54-000', country: 'Pakistan' },
    phone: '07700 900123',
    paymentMethod: 'Cash on Delivery',
    orderPaymentID: 'COD',
    itemsPrice: 159_800,
    taxPrice: 159_800,
    shippingPrice: 159_800,
    totalPrice: 159_800,
  });
  await expect(page).toHaveURL(`${shop.url}/`);
  showToasts();
  await expectToast(page, 'In Process!');
  await expectToast(page, 'Order placed successfully!');
  await expect(page.getByRole('link', { name: 'Cart, 0 items' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('cartItems'))).toBe('[]');
  expect(await shop.ordersOf(customer)).toHaveLength(1);
  await page.goto('/checkout');
  await expect(page.getByLabel('Address line 1')).toHaveValue('1 High Street');
  await expect(page.getByLabel('City')).toHaveValue('Leeds');
});

test('a price that rose while the form was being filled in is refused, and the summary shows the new one to be ordered at (§10.2)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/409/);
  const customer = await shop.aCustomer();
  const sizes = (price: number) => JSON.stringify([{ size: 'Large', quantity: 5, price, measurements: [] }]);
  const sofa = await shop.aProduct({ name: 'Rising Sofa', price: '50000', sizes: sizes(50_000) });
  await page.goto(`/product/${sofa._id}`);
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await logInAs(customer);
  await page.goto('/checkout');
  await fillCheckout(page);
  const form = new FormData();
  const fields = { description: 'A sofa.', category: 'Testing', subCategory: 'Sofa', brand: 'Test', countInStock: '20' };
  for (const [name, value] of Object.entries({ ...fields, name: 'Rising Sofa', price: '50000', sizes: sizes(65_000) }))
    form.append(name, value);
  await shop.call('PUT', `/api/products/${sofa._id}`, { token: (await shop.admin()).token, form });
  await place(page);
  await expect(alert(page)).toHaveText('The price of Rising Sofa (Large) has changed: it is now £650.00. Please check your cart.');
  const summary = page.getByRole('region', { name: 'Cart summary' });
  await expect(summary).toContainText('The price has changed from £500.00 to £650.00.');
  await expect(summary).toContainText('Total price£650.00');
  await expectAccessible(page);
  await place(page);
  await expect(page).toHaveURL(`${shop.url}/`);
  expect(await shop.ordersOf(customer)).toMatchObject([{ totalPrice: 65_000, orderItems: [{ size: 'Large', price: 65_000 }] }]);
});

test('the checkout shows current prices as soon as it opens (§10.2)', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  const sofa = await shop.aProduct({ name: 'Stale Sofa', price: '60000' });
  await fillCart(page, { ...sofa, price: 50000 });
  await logInAs(await shop.aCustomer());
  await page.goto('/checkout');
  const summary = page.getByRole('region', { name: 'Cart summary' });
  await expect(summary).toContainText('The price has changed from £500.00 to £600.00.');
  await expect(summary).toContainText('Total price£600.00');
});

test('a refused order says why in a toast and beside the button, keeps what was typed, and the cart then shows what is left (§8.4, U38, U48)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/409/);
  const sofa = await shop.aProduct({ name: 'Changed Sofa', countInStock: '1' });
  await fillCart(page, sofa, 2);
  await logInAs(await shop.aCustomer());
  await page.goto('/checkout');
  await fillCheckout(page);
  await place(page);
  const message = 'Only 1 of Changed Sofa left.';
  await expect(alert(page)).toHaveText(message);
  await expect(alert(page)).toBeFocused();
  // Beside the button that was pressed.
  await expect(page.locator('#main [role=alert] + * button')).toHaveText(/^Place order/);
  await expect(page).toHaveTitle('Error: Checkout | Hearth & Oak');
  await expect(page.getByRole('button', { name: /^Place order/ })).toBeEnabled();
  await expectToast(page, message);
  await expect(page.getByText('In Process!')).toHaveCount(0);
  await page.reload();
  await expect(page).toHaveTitle('Checkout | Hearth & Oak');
  await expect(page.getByLabel('Address line 1')).toHaveValue('1 High Street');
  await page.goto('/cart');
  await expect(page.getByText('Only 1 left. Please choose fewer.')).toBeVisible();
});

test('what was typed survives a session that ended, and the login leads back to the cart (U30)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/401/);
  const customer = await shop.aCustomer();
  await fillCart(page, await shop.aProduct({ name: 'Survivor Sofa' }));
  await logInAs(customer);
  await page.goto('/checkout');
  await fillCheckout(page);
  await shop.endSession(customer);
  await place(page);
  await expect(page).toHaveURL(`${shop.url}/login?redirect=cart`);
  await expect(page.getByText(/Please Log ?in/i)).toHaveText(['Please Login again']);
  await logIn(page, customer);
  await page.getByRole('button', { name: 'Cash on delivery' }).click();
  await expect(page.getByLabel('Address line 1')).toHaveValue('1 High Street');
  await expect(page.getByLabel('ZIP code')).toHaveValue('54-000');
});
