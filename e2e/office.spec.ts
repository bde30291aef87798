import { sql } from 'kysely';
import { expect, logIn, storedUser, test } from './fixtures.ts';
import { anOrder, expectFit, rowOf } from './office.ts';
import { ADMIN } from './shop.ts';

test('today says what waits and leads to it, and one field finds orders, products and customers', async ({ page, shop, logInAs }) => {
  const buyer = await shop.aCustomer('Tamsin Todd');
  const product = await shop.aProduct({ name: 'Todd Bench', category: 'Bench of today' });
  const order = await anOrder(shop, { buyer, product });
  await logInAs(await shop.admin());
  await page.goto('/admin/today');
  const menu = page.getByRole('navigation', { name: 'Office' });
  await expect(menu.getByRole('link', { name: /^Today/ })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('link', { name: 'Before you open' })).toHaveAttribute('href', '/admin/settings');
  const idle = page.getByRole('group').filter({ hasText: 'All clear elsewhere' });
  await idle.getByText('All clear elsewhere').click();
  await expect(idle.getByRole('listitem').first()).toBeVisible();
  await expect(page.getByRole('contentinfo')).toHaveCount(0);
  await expectFit(page);
  const before = await menu.getByRole('link', { name: /^Orders \d+/ }).textContent();
  await page
    .locator('#main')
    .getByRole('link', { name: /^To pack \d+$/ })
    .click();
  await expect(page).toHaveURL(/\/admin\/orderlist\?queue=pack$/);
  await expect(menu.getByRole('link', { name: /^Orders/ })).toHaveAttribute('aria-current', 'page');
  // On a phone the first order is on the first screen.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => (await rowOf(page, order._id).boundingBox())?.y ?? 844).toBeLessThan(700);
  if (size) await page.setViewportSize(size);

  await page.locator('body').press('/');
  const field = page.getByRole('searchbox', { name: 'Find an order, product or customer' });
  await expect(field).toBeFocused();
  await field.fill('todd');
  await field.press('Enter');
  await expect(page).toHaveURL(/\/admin\/find\?q=todd$/);
  const found = (title: string) => page.getByRole('region', { name: title });
  await expect(found('Products').getByRole('link', { name: /^Todd Bench/ })).toBeVisible();
  await expect(found('Customers').getByRole('link', { name: /^Tamsin Todd/ })).toBeVisible();
  await expectFit(page);
  await found('Orders')
    .getByRole('link', { name: new RegExp(order.reference) })
    .click();
  // What to do next stands before the pieces.
  const titles = page.locator('#main h2');
  await expect(titles.first()).toHaveText('Shipping Status');
  await expect(titles.nth(1)).toHaveText('Order Items');
  await page.getByRole('button', { name: 'Mark as delivered' }).click();
  await expect(page.getByText('Update Succeed')).toBeVisible();
  await expect(titles.first()).toHaveText('Order Items');
  // Until its cash is recorded, it waits as delivered and not paid.
  await expect(menu.getByRole('link', { name: /^Orders/ })).toHaveText(before ?? '');
  await page.getByRole('button', { name: 'Record cash received' }).click();
  await expect(menu.getByRole('link', { name: /^Orders/ })).not.toHaveText(before ?? '');
});

test('a session that ended under a bookmark leads to the login and back to the page; another account is sent home', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  // An empty page has no storage.
  expectedOnConsole.push(/401|sessionStorage/);
  const [admin, customer] = [await shop.admin(), await shop.aCustomer()];
  await logInAs(admin);
  await shop.endSession(admin);
  await page.goto('/admin/orderlist?queue=pack');
  await expect(page).toHaveURL(`${shop.url}/login?redirect=admin`);
  await expect(page.getByText('Please Login again')).toHaveCount(1);
  await logIn(page, ADMIN);
  await expect(page).toHaveURL(`${shop.url}/admin/orderlist?queue=pack`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Orders');
  const token = String((await storedUser(page))?.token);
  // No page is open that could notice the end of the session.
  await page.goto('about:blank');
  await shop.endSession({ token });
  await page.goto('/admin/userlist');
  await expect(page).toHaveURL(`${shop.url}/login?redirect=admin`);
  await logIn(page, customer);
  await expect(page).toHaveURL(`${shop.url}/`);
  await expect(page.getByText('For administrators only.')).toBeVisible();
});

test('a customer who logs in elsewhere after the session ended is sent home, not round and round', { tag: '@thorough' }, async ({
  page,
  context,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/401/);
  const [admin, customer] = [await shop.admin(), await shop.aCustomer()];
  await logInAs(admin);
  await shop.endSession(admin);
  await page.goto('/admin/orderlist');
  await expect(page).toHaveURL(`${shop.url}/login?redirect=admin`);
  const other = await context.newPage();
  await other.goto(`${shop.url}/`);
  await other.evaluate((info) => localStorage.setItem('userInfo', info), JSON.stringify(customer));
  await expect(page).toHaveURL(`${shop.url}/`);
  await expect(page.getByText('For administrators only.')).toBeVisible();
});

test('the menu marks its entry for addresses with a slash, in sight on a phone; the field keeps the focus from search to search', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  await anOrder(shop, { buyer: await shop.aCustomer() });
  await logInAs(await shop.admin());
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin/settings/');
  const menu = page.getByRole('navigation', { name: 'Office' });
  const entry = menu.getByRole('link', { name: 'Settings' });
  await expect(entry).toHaveAttribute('aria-current', 'page');
  // The counts make the entries before it wider.
  await expect(menu.getByRole('link', { name: /^Stock \d+/ })).toBeAttached();
  await expect(entry).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/admin/productlist/');
  await expect(menu.getByRole('link', { name: 'Products' })).toHaveAttribute('aria-current', 'page');
  await page.goto('/admin/find?q=lamp');
  const field = page.getByRole('searchbox', { name: 'Find an order, product or customer' });
  await field.fill('sofa');
  await field.press('Enter');
  await expect(page).toHaveURL(/\/admin\/find\?q=sofa$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Find: sofa');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('sofa');
});

test('a failed job is named in words, and its retry says so although it was the last one', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const { _id } = await shop.aProduct();
  await shop.withDatabase(async (db) => {
    await sql`
      insert into jobs (name, payload, attempts, max_attempts, last_error, run_at)
      values ('showProduct', ${JSON.stringify({ productId: _id })}, 1, 1, 'Error: refused', now())`.execute(db);
  });
  await logInAs(await shop.admin());
  await page.goto('/admin/today');
  await page.getByRole('button', { name: 'Try again: Make a scheduled product live' }).click();
  await expect(page.getByText('Trying again now: Make a scheduled product live.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again: Make a scheduled product live' })).toHaveCount(0);
});
