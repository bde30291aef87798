import { fillCart } from './buyer.ts';
import { expect, holdBack, logIn, logOut, type Shop, storedUser, test } from './fixtures.ts';
import { anOrder } from './office.ts';

/** Whether the shop still takes a session's token. */
async function isAlive(shop: Shop, token: string): Promise<boolean> {
  const reply = await fetch(`${shop.url}/api/orders/myorders`, { headers: { bearer: token } });
  return reply.ok;
}

test('a logout waits for nobody: the session is gone at once, and ended at the shop though the page is left (§4.4)', async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer();
  await logInAs(customer);
  const answer = await holdBack(page, '**/api/users/logout');
  await page.goto('/');
  await logOut(page);
  await expect(page.getByRole('link', { name: 'Log in', exact: true })).toBeVisible();
  expect(await storedUser(page)).toBeNull();
  answer();
  await expect.poll(() => isAlive(shop, customer.token)).toBe(false);
});

test('a logout in the last moment before the page is closed ends the session at the shop', { tag: '@thorough' }, async ({
  page,
  context,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer();
  await logInAs(customer);
  await page.goto('/');
  await page.getByRole('button', { name: 'Account' }).click();
  // The click and the departure in one task: no answer can arrive in between.
  await page.evaluate(() => {
    const logout = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Logout');
    logout?.click();
    location.href = 'about:blank';
  });
  await page.waitForURL('about:blank');
  await expect.poll(() => isAlive(shop, customer.token)).toBe(false);
  const other = await context.newPage();
  await other.goto(`${shop.url}/profile`);
  await expect(other).toHaveURL(`${shop.url}/login?redirect=profile`);
});

test('a logout while the shop cannot be reached logs out here all the same', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/ERR_FAILED/);
  await logInAs(await shop.aCustomer());
  await page.route('**/api/users/logout', (route) => route.abort());
  await page.goto('/profile');
  await logOut(page);
  await expect(page).toHaveURL(`${shop.url}/login?redirect=profile`);
  expect(await storedUser(page)).toBeNull();
  await expect(page.locator('#main').getByRole('alert')).toHaveCount(0);
});

test('the next person on the tab finds nothing of what the last one typed at the checkout or was filled in (§4.4)', async ({
  page,
  shop,
  logInAs,
}) => {
  const [first, second] = [await shop.aCustomer('First Person'), await shop.aCustomer('Second Person')];
  await fillCart(page, await shop.aProduct({ name: 'Logout Sofa' }));
  await logInAs(first);
  await page.goto('/checkout');
  await page.getByLabel('Address line 1').fill('1 Secret Street');
  await page.getByLabel('Phone').fill('07700900123');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toContain('1 Secret Street');
  await logOut(page);
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain('1 Secret Street');
  await logIn(page, second);
  await expect(page).toHaveURL(`${shop.url}/cart`);
  await page.getByRole('button', { name: 'Cash on delivery' }).click();
  await expect(page.getByLabel('Full name')).toHaveValue('Second Person');
  await expect(page.getByLabel('Address line 1')).toHaveValue('');
  await expect(page.getByLabel('Phone')).toHaveValue('');
});

test('a logout forgets the pieces that were viewed, on the page that is open too (§19.3)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const [first, second] = [await shop.aProduct({ name: 'Viewed First' }), await shop.aProduct({ name: 'Viewed Second' })];
  await logInAs(await shop.aCustomer());
  await page.goto(`/product/${first._id}`);
  const seen = page.getByRole('region', { name: 'Recently viewed' });
  await expect(page.locator('#recently-seen')).toBeHidden();
  await page.goto(`/product/${second._id}`);
  await expect(seen.getByRole('link')).toHaveText(['Viewed First']);
  await logOut(page);
  await expect(seen.getByRole('link')).toHaveCount(0);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Viewed');
});

test('what was typed before a session ended waits for its owner and for nobody else', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/401/);
  const [first, second] = [await shop.aCustomer('First Person'), await shop.aCustomer('Second Person')];
  await fillCart(page, await shop.aProduct({ name: 'Logout Sofa' }));
  await logInAs(first);
  await page.goto('/checkout');
  await page.getByLabel('Address line 1').fill('1 Secret Street');
  await shop.endSession(first);
  await page.goto('/orders');
  await expect(page).toHaveURL(/\/login/);
  await logIn(page, second);
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('1 Secret Street');
  await page.goto('/checkout');
  await expect(page.getByLabel('Full name')).toHaveValue('Second Person');
  await expect(page.getByLabel('Address line 1')).toHaveValue('');
});

test('another tab that shows an account’s page follows a logout and the next login, and keeps nothing typed', { tag: '@thorough' }, async ({
  page,
  context,
  shop,
  logInAs,
}) => {
  const [first, second] = [await shop.aCustomer('First Person'), await shop.aCustomer('Second Person')];
  await fillCart(page, await shop.aProduct({ name: 'Logout Sofa' }));
  await logInAs(first);
  await page.goto('/checkout');
  await page.getByLabel('Address line 1').fill('1 Secret Street');
  const other = await context.newPage();
  await other.goto(`${shop.url}/profile`);
  await other.locator('html[data-ready]').waitFor({ state: 'attached' });
  await logOut(other);
  await expect(page).toHaveURL(`${shop.url}/login?redirect=cart`);
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('1 Secret Street');
  await logIn(other, second);
  await expect(other.getByLabel('Email Address')).toHaveValue(second.email);
  await expect(page).toHaveURL(`${shop.url}/cart`);
  await page.getByRole('button', { name: 'Cash on delivery' }).click();
  await expect(page.getByLabel('Full name')).toHaveValue('Second Person');
  await expect(page.getByLabel('Address line 1')).toHaveValue('');
});

test('orders that were asked for by one account never show under the next', { tag: '@thorough' }, async ({
  page,
  context,
  shop,
  logInAs,
}) => {
  const [first, second] = [await shop.aCustomer('First Person'), await shop.aCustomer('Second Person')];
  await anOrder(shop, { buyer: first });
  await logInAs(first);
  await page.goto('/orders');
  await expect(page.getByText('1 High Street')).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${shop.url}/`);
  await other.evaluate((info) => localStorage.setItem('userInfo', info), JSON.stringify(second));
  await expect(page.getByText('1 High Street')).toHaveCount(0);
  await expect(page).toHaveURL(`${shop.url}/orders`);
  expect(await storedUser(page)).toMatchObject({ _id: second._id });
});

test('the address of a begun password reset is gone after a login', { tag: '@thorough' }, async ({ page, shop }) => {
  const [first, second] = [await shop.aCustomer(), await shop.aCustomer()];
  await page.goto('/forget-password');
  await page.getByLabel('Email').fill(first.email);
  await page.getByRole('button', { name: 'Send Otp' }).click();
  await expect(page).toHaveURL(/\/verify-otp$/);
  await page.getByRole('link', { name: 'Log in', exact: true }).click();
  // Both screens ask for an address.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log In');
  await logIn(page, second);
  // The new page takes the focus, which would close a menu that was opened before.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Transform Your Space');
  await logOut(page);
  await page.getByRole('link', { name: 'Log in', exact: true }).click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByLabel('Email')).toHaveValue('');
});

test('a page that the browser kept whole shows nobody who has logged out since', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  await logInAs(await shop.aCustomer());
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('User Profile');
  // What a page from the back/forward cache sees: the storage has changed without an event, then it is shown again.
  await page.evaluate(() => {
    localStorage.removeItem('userInfo');
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expect(page).toHaveURL(`${shop.url}/login?redirect=profile`);
});
