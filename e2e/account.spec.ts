import type { Page } from '@playwright/test';
import { expect, expectAccessible, holdBack, logIn, logOut, storedUser, test } from './fixtures.ts';

const PASSWORD = 'Correct-horse-1';
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const confirmation = (page: Page) => page.getByLabel('Confirm Password', { exact: true });
const alert = (page: Page) => page.locator('#main').getByRole('alert');

test('a failed login shows the server’s message in a red alert, and what was typed can be shown (§4.2, §8.1, U40, U42)', async ({
  page,
  shop,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/401/);
  const { email } = await shop.aCustomer();
  await page.goto('/login');
  await logIn(page, { email, password: 'wrong-password' });
  await expect(alert(page)).toHaveText('Invalid email or password');
  await expect(alert(page)).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  expect(await storedUser(page)).toBeNull();
  // An address that nobody has is told the same, and kept as well.
  await page.getByLabel('Email').fill(`nobody-${email}`);
  await password(page).fill('wrong-password');
  await expect(password(page)).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(alert(page)).toHaveText('Invalid email or password');
  await expect(page.getByLabel('Email')).toHaveValue(`nobody-${email}`);
  await page.getByLabel('Email').fill(email);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?');
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('a login that is typed and sent before the page’s scripts have come is carried out once they have', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const customer = await shop.aCustomer();
  const release = await holdBack(page, /\/assets\/(?!start-).*\.js$/);
  const opened = page.goto('/login');
  await page.waitForLoadState('load');
  await page.getByLabel('Email').fill(customer.email);
  await password(page).fill(customer.password);
  const button = page.getByRole('button', { name: 'Log In' });
  await button.click();
  await expect(button).toHaveCSS('cursor', 'progress');
  release();
  await opened;
  await expect(page).toHaveURL(`${shop.url}/`);
  expect(await storedUser(page)).toMatchObject({ email: customer.email });
});

test('what was typed before the page’s scripts have come stays; two different passwords are said, and nothing is sent (§5.1)', async ({
  page,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()));
  const release = await holdBack(page, '**/assets/*.js');
  const opened = page.goto('/register');
  await page.getByLabel('Name', { exact: true }).fill('Early Bird');
  await page.getByLabel('Email Address').fill('early@example.com');
  release();
  await opened;
  await password(page).fill(PASSWORD);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(alert(page)).toHaveText('Passwords do not match');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Early Bird');
  await expect(page.getByLabel('Email Address')).toHaveValue('early@example.com');
  expect(calls).toEqual([]);
  await expectAccessible(page);
});

test('a button that is clicked before the page’s scripts have come is clicked once they have, unless something else was done since', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const [product, other] = [await shop.aProduct(), await shop.aProduct()];
  const openSlowly = async ({ _id }: { _id: string }, act: () => Promise<void>) => {
    const release = await holdBack(page, /\/assets\/(?!start-).*\.js$/);
    const opened = page.goto(`/product/${_id}`, { waitUntil: 'commit' });
    await page.locator('html:not([data-ready])').waitFor();
    await act();
    release();
    await opened;
  };
  const search = page.getByRole('button', { name: 'Search' });
  await openSlowly(product, () => search.click());
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
  const add = page.getByRole('button', { name: 'Add To Cart' });
  await openSlowly(product, () => add.click());
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  // What is in the cart already stays.
  await openSlowly(other, () => add.click());
  await expect(page.getByRole('link', { name: 'Cart, 2 items' })).toBeVisible();
  // Size and colour that were chosen so early are what is put into the cart and what the address says.
  const sized = await shop.aProduct({
    sizes: JSON.stringify(['Small', 'Large'].map((size) => ({ size, quantity: 5, price: 0, measurements: [] }))),
    colors: JSON.stringify(['#c4a478', '#112233'].map((code) => ({ colorName: code, hexCode: code }))),
  });
  await openSlowly(sized, async () => {
    await page.getByRole('radio', { name: /Large/ }).check();
    await page.getByRole('group', { name: 'Colour' }).getByRole('radio').last().check();
    await add.click();
  });
  await expect(page.getByRole('link', { name: 'Cart, 3 items' })).toBeVisible();
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? '').at(-1))).toMatchObject({
    size: 'Large',
    color: '#112233',
  });
  await expect(page).toHaveURL(/size=large&colour=/);
  await openSlowly(product, async () => {
    await search.click();
    await page.keyboard.press('Tab');
  });
  await expect(page.locator('html[data-ready]')).toBeAttached();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a form advises against one of the commonest passwords, in any letters, and takes it all the same (U40, §13.1)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  await page.goto('/register');
  await page.getByLabel('Name', { exact: true }).fill('Careless Person');
  await page.getByLabel('Email Address').fill('careless@example.com');
  const advice = /This is one of the most common passwords, so it is easy to guess/;
  await password(page).fill('Liverpool9x');
  await expect(password(page)).not.toHaveAccessibleDescription(advice);
  await password(page).fill('Liverpool');
  await expect(password(page)).toHaveAccessibleDescription(advice);
  await expectAccessible(page);
  await confirmation(page).fill('Liverpool');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page).toHaveURL(`${shop.url}/`);
});

test('a login stores the session, leads to /{redirect}, survives a reload, and ends with Logout (§2.10.1, §3.5, §4.1)', async ({
  page,
  shop,
}) => {
  const customer = await shop.aCustomer();
  await page.goto('/login?redirect=newarrivals');
  await logIn(page, customer);
  await expect(page).toHaveURL(`${shop.url}/newarrivals`);
  const { _id, name, email } = customer;
  expect(await storedUser(page)).toEqual({ _id, name, email, isAdmin: false, token: expect.stringMatching(/^[\w-]{43}$/) });
  await page.goto('/login?redirect=profile');
  await expect(page).toHaveURL(`${shop.url}/profile`);
  await logOut(page);
  await expect(page.getByRole('link', { name: 'Log in', exact: true })).toBeVisible();
  expect(await storedUser(page)).toBeNull();
});

test('login and register lead to each other with the redirect, to the reset and to the legal pages (§2.10.1)', async ({ page, shop }) => {
  await page.goto('/login?redirect=cart');
  const main = page.locator('#main');
  await expect(main.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute('href', '/forget-password');
  await expect(main.getByRole('link', { name: 'Terms of Services' })).toHaveAttribute('href', '/legal');
  await expect(main.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');
  await main.getByRole('link', { name: 'Create an account' }).click();
  await expect(page).toHaveURL(`${shop.url}/register?redirect=cart`);
  await expect(main.getByRole('link', { name: 'Terms of Services' })).toHaveAttribute('href', '/legal');
  await main.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${shop.url}/login?redirect=cart`);
});

test('a registration with a taken address, in other letters, says User Already Exists (§8.1)', { tag: '@thorough' }, async ({
  page,
  shop,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/409/);
  const { email } = await shop.aCustomer();
  await page.goto('/register');
  await page.getByLabel('Name', { exact: true }).fill('Second Person');
  await page.getByLabel('Email Address').fill(email.toUpperCase());
  await password(page).fill(PASSWORD);
  await confirmation(page).fill(PASSWORD);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(alert(page)).toHaveText('User Already Exists');
  const address = page.getByLabel('Email Address');
  await expect(address).toHaveAccessibleDescription('User Already Exists');
  await expect(address).toHaveValue(email.toUpperCase());
  await address.fill(`new-${email}`);
  await expect(address).toHaveAccessibleDescription('');
  await expect(alert(page)).toHaveCount(0);
});

test('wrong passwords from elsewhere do not keep the owner out of a browser that has logged in before (§13.4)', {
  tag: '@thorough',
}, async ({ page, shop, expectedOnConsole }) => {
  expectedOnConsole.push(/429/);
  const { email, password: right } = await shop.aCustomer();
  const enter = async () => {
    await page.goto('/login');
    await logIn(page, { email, password: right });
  };
  const attack = async () => {
    const guess = (n: number) =>
      fetch(`${shop.url}/api/users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.9.${n}.1` },
        body: JSON.stringify({ email, password: `guess ${n}` }),
      });
    await Promise.all(Array.from({ length: 51 }, (_, n) => guess(n)));
  };
  await attack();
  await enter();
  await expect(alert(page)).toHaveText(
    /^Too many attempts. Please wait 1\d minutes and try again. You can also choose a new password with/,
  );
  await shop.call('POST', '/api/users/forgot-password', { body: { email } });
  const code = async () => (await shop.mailsTo(email)).map(({ text }) => /\b\d{6}\b/.exec(text ?? '')?.[0]).find(Boolean);
  await expect.poll(code).toBeDefined();
  const device = await page.evaluate(() => JSON.parse(localStorage.getItem('device') ?? 'null') as string);
  await shop.call('POST', '/api/users/reset-password', { body: { email, otp: await code(), newPassword: right, device } });
  await enter();
  await expect(page).toHaveURL(`${shop.url}/`);
  await logOut(page);
  await expect(page.getByRole('link', { name: 'Log in', exact: true })).toBeVisible();
  await attack();
  await enter();
  await expect(page).toHaveURL(`${shop.url}/`);
});

test('while a login is under way the button says so and cannot be pressed again (§4.9)', { tag: '@thorough' }, async ({ page, shop }) => {
  const customer = await shop.aCustomer();
  let calls = 0;
  const answer = await holdBack(page, '**/api/users/login', async (route) => {
    calls += 1;
    await route.continue();
  });
  await page.goto('/login');
  await page.getByLabel('Email').fill(customer.email);
  await password(page).fill(customer.password);
  await page.keyboard.press('Enter');
  const button = page.getByRole('button', { name: 'Log In' });
  await expect(button).toBeDisabled();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await password(page).press('Enter');
  answer();
  await expect(page).toHaveURL(`${shop.url}/`);
  expect(calls).toBe(1);
});

test('an empty login or registration is not sent (§5.1)', { tag: '@thorough' }, async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()));
  for (const [path, button, labels] of [
    ['/login', 'Log In', ['Email', 'Password']],
    ['/register', 'Register', ['Name', 'Email Address', 'Password', 'Confirm Password']],
  ] as const) {
    await page.goto(path);
    for (const label of labels) await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('required', '');
    await page.getByRole('button', { name: button }).click();
    await expect(alert(page)).toBeFocused();
    await expect(page).toHaveTitle(/^Error: [^:]+ \| Hearth & Oak$/);
    await alert(page).getByRole('link').first().click();
    const first = page.getByLabel(labels[0], { exact: true });
    await expect(first).toBeFocused();
    await expect(first).toHaveAccessibleDescription(/ is required$/);
    await expectAccessible(page);
    for (const label of labels) await page.getByLabel(label, { exact: true }).fill('someone@example.com');
    await expect(page).toHaveTitle(/^(?!Error).* \| Hearth & Oak$/);
  }
  expect(calls).toEqual([]);
});

test('a damaged session in storage is no session, and a logout in one tab is one in all (§3.5, §4.4)', { tag: '@thorough' }, async ({
  page,
  context,
  shop,
  logInAs,
}) => {
  await logInAs(await shop.aCustomer());
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('User Profile');
  const other = await context.newPage();
  await other.goto(`${shop.url}/`);
  await logOut(other);
  await expect(page).toHaveURL(`${shop.url}/login?redirect=profile`);
  await page.evaluate(() => localStorage.setItem('userInfo', '{"token":7'));
  await page.goto('/orders');
  await expect(page).toHaveURL(`${shop.url}/login?redirect=orders`);
});
