import type { Page } from '@playwright/test';
import { fillCart, fillCartWith, lineOf } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, logIn, storedUser, test } from './fixtures.ts';

const storedCart = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? 'null') as ReturnType<typeof lineOf>[]);

test('an empty cart says so, and shows recommended pieces (§2.8.1)', async ({ page }) => {
  await page.goto('/cart');
  await expect(page.getByText('Your shopping cart is currently empty.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Checkout' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Cash on delivery' })).toHaveCount(0);
  const pieces = page.getByRole('list', { name: 'Recommended' }).getByRole('link');
  await expect(pieces.first()).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await pieces.first().click();
  await expect(page).toHaveURL(/\/product\//);
});

test('the cart shows each line with its total, counts distinct lines, and satisfies axe on the smallest screens (§2.8.2)', async ({
  page,
  shop,
}) => {
  const sofa = await shop.aProduct({ name: 'Cart Sofa', price: '49999' });
  const lamp = await shop.aProduct({ name: 'Cart Lamp', price: '1250' });
  await fillCartWith(page, [lineOf(sofa, 2), { ...lineOf(lamp, 3), size: 'Tall', color: '#000000' }]);
  await page.goto('/cart');
  const lines = page.getByRole('list', { name: 'Cart lines' }).getByRole('listitem');
  await expect(lines.nth(0)).toContainText('£999.98');
  await expect(lines.nth(0)).toContainText('£499.99 each');
  await expect(lines.nth(1)).toContainText('£37.50');
  await expect(lines.nth(1)).toContainText('Tall, Black');
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary).toContainText('Subtotal£1,037.48');
  await expect(summary).toContainText('Total Items2');
  await expect(summary).toContainText(/DeliveryFreeArrives\w{3}\s\d+\s\w{3} – \w{3}\s\d+\s\w{3}Total£1,037\.48/);
  await expect(summary.getByRole('list', { name: 'Ways to pay' })).toHaveText('VisaMastercardAmerican ExpressCash at the door');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'Cart Lamp' }).click();
  await expect(page).toHaveURL(`${shop.url}/product/${lamp._id}`);
});

test('a quantity stays at 1 or more and at what is in stock, and every change is stored (§4.6)', async ({ page, shop }) => {
  const sofa = await shop.aProduct({ name: 'Step Sofa', price: '10000', countInStock: '2' });
  await fillCart(page, sofa);
  await page.goto('/cart');
  const quantity = page.getByRole('group', { name: 'Quantity of Step Sofa' }).getByRole('status');
  await expect(page.getByRole('button', { name: 'One fewer Step Sofa' })).toBeDisabled();
  await page.getByRole('button', { name: 'One fewer Step Sofa' }).press('Enter');
  await expect(quantity).toHaveText('1');
  await page.getByRole('button', { name: 'One more Step Sofa' }).click();
  await expect(quantity).toHaveText('2');
  await expect(page.getByText('We have 2 in stock.')).toBeVisible();
  await page.getByRole('button', { name: 'One more Step Sofa' }).press('Enter');
  await expect(quantity).toHaveText('2');
  expect(await storedCart(page)).toMatchObject([{ _id: sofa._id, qty: 2 }]);
  await page.reload();
  await expect(quantity).toHaveText('2');
});

test('a removed line can be put back where it was, by keyboard alone (§2.8.2)', async ({ page, shop }) => {
  const first = await shop.aProduct({ name: 'First Sofa' });
  const second = await shop.aProduct({ name: 'Second Sofa' });
  await fillCartWith(page, [lineOf(first), lineOf(second)]);
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Remove First Sofa' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'First Sofa' })).toHaveCount(0);
  await expect(page.getByText('First Sofa was removed.')).toBeVisible();
  expect((await storedCart(page)).map(({ name }) => name)).toEqual(['Second Sofa']);
  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'First Sofa' })).toBeVisible();
  expect((await storedCart(page)).map(({ name }) => name)).toEqual(['First Sofa', 'Second Sofa']);
});

test('when the cart opens, a line whose price, stock or existence changed says how (§2.8.5, U28)', async ({ page, shop }) => {
  const dearer = await shop.aProduct({ name: 'Dearer Sofa', price: '60000' });
  const scarce = await shop.aProduct({ name: 'Scarce Sofa', countInStock: '1' });
  const gone = await shop.aProduct({ name: 'Gone Sofa' });
  const { token } = await shop.admin();
  await shop.call('DELETE', `/api/products/${gone._id}`, { token });
  await fillCartWith(page, [{ ...lineOf(dearer), price: 50000 }, lineOf(scarce, 3), lineOf(gone)]);
  await page.goto('/cart');
  await expect(page.getByText('The price has changed from £500.00 to £600.00.')).toBeVisible();
  await expect(page.getByText('Only 1 left. Please choose fewer.')).toBeVisible();
  await expect(page.getByText('We no longer sell this. Please remove it to continue.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeDisabled();
  await expectAccessible(page);
  expect((await storedCart(page))[0]).toMatchObject({ name: 'Dearer Sofa', price: 60000 });
  await page.getByRole('button', { name: 'Remove Gone Sofa' }).click();
  await page.getByRole('button', { name: 'One fewer Scarce Sofa' }).click();
  await page.getByRole('button', { name: 'One fewer Scarce Sofa' }).click();
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeEnabled();
});

test('a line of a product that has come to have sizes asks for one; with a single size that one is taken (§10.3)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const size = (name: string) => ({ size: name, quantity: 5, price: 0, measurements: [] });
  const sized = await shop.aProduct({ name: 'Sized Sofa', sizes: JSON.stringify([size('Small'), size('Large')]) });
  const single = await shop.aProduct({ name: 'Single Bed', sizes: JSON.stringify([size('King')]) });
  await fillCartWith(page, [lineOf(sized), lineOf(single)]);
  await page.goto('/cart');
  await expect(page.getByText('Please choose a size of Sized Sofa.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cash on delivery' })).toBeDisabled();
  await expect(page.getByText('King', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Choose a size' }).click();
  await page.getByRole('radio', { name: /^Large/ }).check();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await page.goto('/cart');
  await expect(page.getByText('Large', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cash on delivery' })).toBeEnabled();
  expect(await storedCart(page)).toMatchObject([{ size: 'Large' }, { size: 'King' }]);
});

test('the cart says in words that 99 of each is the most (§9.8)', { tag: '@thorough' }, async ({ page, shop }) => {
  const sofa = await shop.aProduct({ name: 'Many Sofa', countInStock: '500' });
  await fillCart(page, sofa, 98);
  await page.goto('/cart');
  await page.getByRole('button', { name: 'One more Many Sofa' }).click();
  await expect(page.getByText('We sell at most 99 of each.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'One more Many Sofa' })).toBeDisabled();
});

test('a visitor is sent from both buttons to the login, told that the cart is kept, and led back to it (§2.8.4)', async ({
  page,
  shop,
}) => {
  const sofa = await shop.aProduct({ name: 'Visitor Sofa' });
  const customer = await shop.aCustomer();
  await fillCart(page, sofa);
  for (const name of ['Checkout', 'Cash on delivery']) {
    await page.goto('/cart');
    await expect(page.getByText('Next: log in, or create an account in a minute. Your cart is safe.')).toBeVisible();
    await page.getByRole('button', { name }).click();
    await expect(page).toHaveURL(`${shop.url}/login?redirect=cart`);
    await expect(page.getByText('Log in to finish: your cart is kept.')).toBeVisible();
  }
  await logIn(page, customer);
  await expect(page).toHaveURL(`${shop.url}/cart`);
  await expect(page.getByRole('link', { name: 'Visitor Sofa' })).toBeVisible();
});

test('a card checkout that fails says so on the page and in the console (§8.3)', async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/400/, /Card checkout failed/);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const penny = await shop.aProduct({ name: 'Penny Pin', price: '1' });
  await logInAs(await shop.aCustomer());
  await fillCart(page, penny);
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page.getByRole('alert')).toHaveText('Card payment starts at £0.30.');
  expect(said).toContainEqual('Card checkout failed: Card payment starts at £0.30.');
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeEnabled();
});

test('a card checkout without a valid session logs the user out and is not an error in the console (§8.2)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  // The browser's own line about the status; ours would be unexpected here.
  expectedOnConsole.push(/401/);
  const sofa = await shop.aProduct({ name: 'Expired Sofa' });
  await logInAs({ ...(await shop.aCustomer()), token: 'expired' });
  await fillCart(page, sofa);
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page).toHaveURL(`${shop.url}/login?redirect=cart`);
  expect(await storedUser(page)).toBeNull();
});

test('damaged storage is repaired, and another tab’s change arrives (§3.4)', { tag: '@thorough' }, async ({ page, context, shop }) => {
  const sofa = await shop.aProduct({ name: 'Repaired Sofa' });
  await fillCartWith(page, [null, 7, { _id: '', price: 1 }, { ...lineOf(sofa), qty: 'many' }]);
  await page.goto('/cart');
  await expect(page.getByRole('list', { name: 'Cart lines' }).getByRole('listitem')).toHaveCount(1);
  const other = await context.newPage();
  await other.goto(`${shop.url}/cart`);
  await other.getByRole('button', { name: 'Remove Repaired Sofa' }).click();
  await expect(page.getByText('Your shopping cart is currently empty.')).toBeVisible();
});

test('the page after a payment says thanks and empties the cart, in memory and in storage (§2.9.2)', async ({ page, shop }) => {
  await fillCart(page, await shop.aProduct());
  await page.goto('/successPayment');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank You For Your Payment!');
  await expect(page.getByText('Order Placed, thanks!!')).toBeVisible();
  await expect(page.getByText('An order confirmation will be sent to your email')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Cart, 0 items' })).toBeVisible();
  expect(await storedCart(page)).toEqual([]);
  await page.getByRole('link', { name: 'Continue Shopping' }).click();
  await expect(page).toHaveURL(`${shop.url}/`);
});

test('who opens the card page for the last piece and comes back finds it in the cart, and in the shop for everybody (§3.8, §11.2)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const last = await shop.aProduct({ name: 'Last Sofa', countInStock: '1' });
  const customer = await shop.aCustomer();
  await logInAs(customer);
  await fillCart(page, last);
  const inStock = async () => (await shop.call<{ countInStock: number }>('GET', `/api/products/${last._id}`)).countInStock;
  await page.goto('/cart');
  const sent = page.waitForRequest(/create-checkout-session/);
  await page.getByRole('button', { name: 'Checkout' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ orderItems: [{ _id: last._id, qty: 1 }], customerID: customer._id });
  await expect(page.getByRole('heading', { name: 'Delivery address' }).or(page.getByText('Delivery address'))).toBeVisible();
  expect(await inStock()).toBe(0);
  await page.getByRole('link', { name: 'Cancel and go back to the shop' }).click();
  await expect(page.getByText('Payment cancelled. Nothing was charged.')).toBeVisible();
  await expect(page).toHaveURL(`${shop.url}/cart`);
  expect(await inStock()).toBe(1);
  await expect(page.getByText('This has just sold out.')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Cash on delivery' })).toBeEnabled();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('a customer who closes the card page finds their cart open on the next visit, and can buy in either way (§11.2)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const last = await shop.aProduct({ name: 'Closed Tab Sofa', countInStock: '1' });
  await logInAs(await shop.aCustomer());
  await fillCart(page, last);
  for (let visit = 0; visit < 2; visit += 1) {
    const checked = page.waitForResponse('**/api/cart/check');
    await page.goto('/cart');
    await checked;
    await expect(page.getByText('This has just sold out.')).toHaveCount(0);
    await page.getByRole('button', { name: 'Checkout' }).click();
    await expect(page.getByRole('link', { name: 'Cancel and go back to the shop' })).toBeVisible();
  }
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Cash on delivery' }).click();
  await expect(page).toHaveURL(`${shop.url}/checkout`);
});
