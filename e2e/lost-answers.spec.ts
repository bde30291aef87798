import type { Page } from '@playwright/test';
import { fillCart, fillCheckout } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, type Fixtures, payByCard, type Shop, test } from './fixtures.ts';
import type { Account } from './shop.ts';

const panelOf = (page: Page) => page.getByRole('region', { name: 'Your order' });
const place = (page: Page) => page.getByRole('button', { name: 'Place order' }).click();
const alert = (page: Page) => page.locator('#main').getByRole('alert');

/** The browser hears nothing of what the shop does with calls to this address, until the connection is mended. */
async function cut(page: Page, address: string | RegExp): Promise<() => Promise<void>> {
  await page.route(address, async (route) => {
    await route.fetch();
    await route.abort();
  });
  return () => page.unroute(address);
}

/** A buyer at the checkout, which is filled in, or at the cart, with one piece; the browser may say which calls were cut off. */
async function aBuyerAt(
  path: '/cart' | '/checkout',
  piece: Parameters<Shop['aProduct']>[0],
  { page, shop, logInAs, expectedOnConsole }: Fixtures & { page: Page; shop: Shop },
): Promise<Account> {
  expectedOnConsole.push(/ERR_FAILED/);
  const customer = await shop.aCustomer();
  await logInAs(customer);
  await fillCart(page, await shop.aProduct(piece));
  await page.goto(path);
  if (path === '/checkout') await fillCheckout(page);
  return customer;
}

/** The order is shown, nothing is left to buy, and there is one order only. */
async function expectPlaced(page: Page, shop: Shop, customer: Account, line: string): Promise<void> {
  await expect(page).toHaveURL(`${shop.url}/`);
  const panel = panelOf(page);
  await expect(panel.getByRole('heading')).toBeFocused();
  await expect(panel.getByRole('listitem')).toHaveText(line);
  await expect(panel.getByRole('status')).toHaveText(
    'Your connection dropped before we could show you this page. Your order went through: please do not order again.',
  );
  await expect(page.getByRole('link', { name: 'Cart, 0 items' })).toBeVisible();
  expect(await shop.ordersOf(customer)).toHaveLength(1);
}

for (const way of ['a reload of the checkout', 'the cart'] as const) {
  test(`a cash order for the last piece whose answer was lost is found by ${way}, which never calls it sold out (§7.7)`, {
    tag: '@thorough',
  }, async ({ page, shop, logInAs, expectedOnConsole }) => {
    const customer = await aBuyerAt(
      '/checkout',
      { name: 'Last Sofa', price: '79900', countInStock: '1' },
      { page, shop, logInAs, expectedOnConsole },
    );
    const mendOrders = await cut(page, '**/api/orders');
    const mendAttempts = await cut(page, '**/api/order-attempts/*');
    await place(page);
    await expect(alert(page)).toContainText('We can’t reach the shop.');
    await mendOrders();
    await mendAttempts();
    const checks: string[] = [];
    page.on('request', (request) => request.url().endsWith('/api/cart/check') && checks.push(request.url()));
    await page.goto(way === 'the cart' ? '/cart' : '/checkout');
    await expectPlaced(page, shop, customer, 'Last Sofa× 1£799.00');
    expect(checks).toEqual([]);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.goto('/cart');
    await expect(page.getByText('Your shopping cart is currently empty.')).toBeVisible();
  });
}

test('an order whose answer alone was lost is found at once, by the page that sent it (§7.7)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  const customer = await aBuyerAt(
    '/checkout',
    { name: 'Prompt Sofa', price: '79900', countInStock: '1' },
    { page, shop, logInAs, expectedOnConsole },
  );
  await cut(page, '**/api/orders');
  await place(page);
  await expectPlaced(page, shop, customer, 'Prompt Sofa× 1£799.00');
});

test('an order whose answer was lost is not placed a second time with a corrected phone number (§7.7)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  const customer = await aBuyerAt('/checkout', { name: 'Corrected Sofa', price: '79900' }, { page, shop, logInAs, expectedOnConsole });
  const mend = [await cut(page, '**/api/orders'), await cut(page, '**/api/order-attempts/*')];
  await place(page);
  await expect(alert(page)).toContainText('We can’t reach the shop.');
  await page.getByLabel('Phone').fill('07700 900999');
  // Nobody can say yet what became of the first: the second is not sent.
  await place(page);
  await expect(alert(page)).toBeFocused();
  for (const one of mend) await one();
  await place(page);
  await expectPlaced(page, shop, customer, 'Corrected Sofa× 1£799.00');
  await expect(panelOf(page)).toContainText('£799.00 in cash.');
});

test('what was put into the cart after the order that was lost stays in it', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  await aBuyerAt('/checkout', { name: 'First Sofa', price: '79900' }, { page, shop, logInAs, expectedOnConsole });
  const lamp = await shop.aProduct({ name: 'Later Lamp', price: '9900' });
  const mend = [await cut(page, '**/api/orders'), await cut(page, '**/api/order-attempts/*')];
  await place(page);
  await expect(alert(page)).toContainText('We can’t reach the shop.');
  for (const one of mend) await one();
  await page.goto(`/product/${lamp._id}`);
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await page.goto('/cart');
  await expect(panelOf(page).getByRole('listitem')).toHaveText('First Sofa× 1£799.00');
  await page.goto('/cart');
  await expect(page.getByRole('list', { name: 'Cart lines' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Cart lines' })).toContainText('Later Lamp');
});

test('a card checkout for the last piece whose answer was lost can be begun again, and a payment whose way back was lost is found by the cart (§7.7)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/Card checkout failed/);
  const customer = await aBuyerAt(
    '/cart',
    { name: 'Paid Sofa', price: '79900', countInStock: '1' },
    { page, shop, logInAs, expectedOnConsole },
  );
  const mend = await cut(page, '**/stripe/create-checkout-session');
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(alert(page)).toContainText('We can’t reach the shop.');
  await mend();
  const checked = page.waitForResponse('**/api/cart/check');
  await page.reload();
  await checked;
  await expect(page.getByText('sold out')).toHaveCount(0);
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page.getByLabel('Card number')).toBeVisible();
  // The payment is made, and the browser stays where it is: nothing leads it back to the shop.
  await page.route(page.url(), async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.fulfill({ status: 204 });
  });
  const paid = page.waitForResponse((response) => response.status() === 204);
  await payByCard(page);
  await paid;
  await page.goto('/cart');
  await expectPlaced(page, shop, customer, 'Paid Sofa× 1£799.00');
  await expect(panelOf(page)).toContainText('Paid£799.00 by card. Nothing to pay on delivery.');
  // Once it is known, the cart shows itself again.
  await page.goto('/cart');
  await expect(page.getByText('Your shopping cart is currently empty.')).toBeVisible();
});

test('while the shop cannot take orders it says so and the order is sent again by itself, once (§7.7)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/503/);
  const customer = await aBuyerAt('/checkout', { name: 'Patient Sofa', price: '79900' }, { page, shop, logInAs, expectedOnConsole });
  const keys: (string | undefined)[] = [];
  await page.route('**/api/orders', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 2) return route.continue();
    // The first was placed, and its answer is lost with the database.
    if (keys.length === 1) await route.fetch();
    return route.fulfill({
      status: 503,
      headers: { 'retry-after': '1' },
      json: { message: 'The shop is not available right now. Please try again in a moment.' },
    });
  });
  await place(page);
  await expect(page.getByText('The shop is busy. Please stay on this page')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Place order' })).toBeDisabled();
  await expect(panelOf(page).getByRole('listitem')).toHaveText('Patient Sofa× 1£799.00');
  expect([keys.length, new Set(keys).size, (await shop.ordersOf(customer)).length]).toEqual([3, 1, 1]);
});
