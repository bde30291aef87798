import { expect, expectAccessible, holdBack, logIn, test } from './fixtures.ts';

const BROKEN = { status: 500, contentType: 'application/json', body: '{"message":"Something went wrong."}' };

test('a list that fails says so, and can be asked for again (§8.1)', async ({ page, expectedOnConsole }) => {
  expectedOnConsole.push(/500/);
  await page.goto('/newarrivals');
  await page.route('**/api/products?*', (route) => route.fulfill(BROKEN));
  await page.route('**/api/products', (route) => route.fulfill(BROKEN));
  await page.getByRole('link', { name: 'Hearth & Oak, home' }).click();
  await expect(page.getByRole('heading', { name: 'Our Creations' })).toBeVisible();
  await page.locator('#main').getByRole('link', { name: /Sofa$/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Something went wrong.');
  await expect(page.locator('#main').getByRole('status').first()).toHaveText('');
  await expectAccessible(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('list', { name: 'Products' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('new arrivals that fail say so, on the console too, and can be asked for again (§8.3)', { tag: '@thorough' }, async ({
  page,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/500/, /New arrivals failed/);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.route('**/api/products/newarrivals', (route) => route.fulfill(BROKEN));
  await page.goto('/');
  await page.getByRole('link', { name: 'Shop Now' }).click();
  await expect(page.getByRole('alert')).toHaveText('We could not load the new arrivals.');
  await expect(page.getByText('There are no new arrivals')).toHaveCount(0);
  expect(said).toContainEqual('New arrivals failed: Something went wrong.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('list', { name: 'New arrivals' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a product that fails shows the server’s message in a red alert; while it is fetched an overlay stands over the page (§2.7.1, §8.1)', {
  tag: '@thorough',
}, async ({ page, expectedOnConsole }) => {
  expectedOnConsole.push(/500/);
  await page.goto('/newarrivals');
  const answer = await holdBack(page, /\/api\/products\/[^n]/, (route) => route.fulfill(BROKEN));
  await page.getByRole('list', { name: 'New arrivals' }).getByRole('link').first().click();
  await expect(page.getByRole('status', { name: 'Loading the product' })).toBeVisible();
  answer();
  await expect(page.getByRole('alert')).toHaveText('Something went wrong.');
  await expect(page.getByRole('alert')).toHaveCSS('color', 'rgb(163, 35, 31)');
  await expect(page.getByRole('status', { name: 'Loading the product' })).toHaveCount(0);
});

test('without a connection the shop says so, and goes on when it is back (§8.1)', async ({ page, context, expectedOnConsole }) => {
  expectedOnConsole.push(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/shop');
  await context.setOffline(true);
  await page.getByLabel('Sort').selectOption('ascprice');
  await expect(page.getByRole('alert')).toHaveText('We can’t reach the shop. Please check your connection and try again.');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('list', { name: 'Products' })).toBeVisible();
});

test('a login that the server fails shows the message, and without one the generic text (§4.2)', { tag: '@thorough' }, async ({
  page,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/500/, /502/);
  await page.route('**/api/users/login', (route) => route.fulfill(BROKEN));
  await page.goto('/login');
  await logIn(page, { email: 'casey@example.com', password: 'Correct-horse-1' });
  await expect(page.locator('#main').getByRole('alert')).toHaveText('Something went wrong.');
  await page.route('**/api/users/login', (route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }));
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.locator('#main').getByRole('alert')).toHaveText('Something went wrong. Please try again.');
});

test('a page whose code cannot be loaded is the router’s error page, with the message and a way home (§2.1.6)', {
  tag: '@thorough',
}, async ({ page, expectedOnConsole }) => {
  expectedOnConsole.push(/ERR_FAILED/, /has not loaded/);
  await page.goto('/cart');
  await page.route('**/assets/contact-page-*', (route) => route.abort());
  await page.getByRole('link', { name: 'Contact' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
  await expect(page.getByRole('alert')).toHaveText('Part of this page has not loaded. Please check your connection and try again.');
  await expectAccessible(page);
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Back to the home page' }).click();
  await expect(page).toHaveTitle('Welcome to Hearth & Oak');
});

test('an error that no code of a page caught is reported to the shop, and its page’s parameters are not', async ({
  page,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/nobody caught this/);
  await page.goto('/shop?search=sofa');
  const sent = page.waitForRequest('**/api/browser-errors');
  await page.evaluate(() => void setTimeout(() => JSON.parse('nobody caught this')));
  const request = await sent;
  expect(request.postData()).toMatch(/^SyntaxError: .*nobody/);
  expect(request.postData()).not.toContain('search=sofa');
  expect((await request.response())?.status()).toBe(204);
});
