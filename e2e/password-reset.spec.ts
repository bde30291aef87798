import type { Page } from '@playwright/test';
import { expect, expectAccessible, logIn, type Shop, storedUser, test } from './fixtures.ts';

const NEW = 'Another-horse-2';
const alert = (page: Page) => page.locator('#main').getByRole('alert');

async function mailedCode(shop: Shop, email: string): Promise<string> {
  const code = async () => (await shop.mailsTo(email)).map(({ text }) => /\b\d{6}\b/.exec(text ?? '')?.[0]).find(Boolean);
  await expect.poll(code).toBeDefined();
  return (await code()) ?? '';
}

async function askForCode(page: Page, email: string): Promise<void> {
  await page.goto('/forget-password');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Otp' }).click();
  await expect(page).toHaveURL(/\/verify-otp$/);
}

test('a forgotten password is replaced with a mailed code, and the new one logs in (§2.10.4)', async ({ page, shop }) => {
  const { email } = await shop.aCustomer();
  await askForCode(page, email);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  const code = await mailedCode(shop, email);
  // As it may be copied or written down.
  const spaced = ` ${code.slice(0, 3)} ${code.slice(3)} `;
  await page.getByLabel('Otp').fill(spaced);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page).toHaveURL(/\/change-password$/);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Otp')).toHaveValue(spaced);
  await page.getByLabel('Password', { exact: true }).fill(NEW);
  await page.getByLabel('Confirm Password', { exact: true }).fill(NEW);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.locator('#main').getByRole('status')).toHaveText('Your password is changed. Please log in.');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(NEW);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page).toHaveURL(`${shop.url}/`);
});

test('the link of the mail fills in address and code (§13.3)', async ({ page, shop }) => {
  const { email } = await shop.aCustomer();
  await askForCode(page, email);
  await mailedCode(shop, email);
  const [mail] = await shop.mailsTo(email);
  await page.goto(/\/change-password#\S+/.exec(mail?.text ?? '')?.[0] ?? '');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Otp')).toHaveValue(/^[a-z]{42}$/);
  await expect(page.getByLabel('Otp')).toHaveAccessibleDescription('Filled in by the link in our email.');
  await page.getByLabel('Password', { exact: true }).fill(NEW);
  await page.getByLabel('Confirm Password', { exact: true }).fill(NEW);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await logIn(page, { email, password: NEW });
  await expect(page).toHaveURL(`${shop.url}/`);
});

test.describe('while logged in', () => {
  for (const [whose, isOwn] of [
    ['the own', true],
    ['another', false],
  ] as const) {
    test(`a reset of ${whose} password ends on the login, logged out, and the new one logs in (§2.10.4)`, { tag: '@thorough' }, async ({
      page,
      shop,
      logInAs,
    }) => {
      const customer = await shop.aCustomer();
      const { email } = isOwn ? customer : await shop.aCustomer();
      await logInAs(customer);
      await askForCode(page, email);
      await page.getByLabel('Otp').fill(await mailedCode(shop, email));
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByLabel('Password', { exact: true }).fill(NEW);
      await page.getByLabel('Confirm Password', { exact: true }).fill(NEW);
      await page.getByRole('button', { name: 'Change Password' }).click();
      await expect(page).toHaveURL(`${shop.url}/login`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log In');
      await expect(alert(page)).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Log in', exact: true })).toBeVisible();
      expect(await storedUser(page)).toBeNull();
      const { status } = await fetch(`${shop.url}/api/orders/myorders`, { headers: { bearer: customer.token } });
      expect(status).toBe(401);
      await logIn(page, { email, password: NEW });
      await expect(page).toHaveURL(`${shop.url}/`);
    });
  }
});

test('a wrong code is refused in a red alert and stays on the screen (§8.1)', async ({ page, shop, expectedOnConsole }) => {
  expectedOnConsole.push(/400/);
  const { email } = await shop.aCustomer();
  await askForCode(page, email);
  const code = await mailedCode(shop, email);
  await page.getByLabel('Otp').fill(code === '000000' ? '000001' : '000000');
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(alert(page)).toBeVisible();
  await expect(page).toHaveURL(/\/verify-otp$/);
});

test('a new code may be asked for when the countdown is over, and the first one no longer works (U41)', { tag: '@thorough' }, async ({
  page,
  shop,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/400/);
  const { email } = await shop.aCustomer();
  await page.clock.install();
  await askForCode(page, email);
  const first = await mailedCode(shop, email);
  await expect(page.getByText('It works for 10 minutes.')).toBeVisible();
  await expect(page.getByLabel('Otp')).toHaveAttribute('autocomplete', 'one-time-code');
  const again = page.getByRole('button', { name: 'Send a new code' });
  await expect(again).toBeDisabled();
  await expect(again).toHaveAccessibleDescription(/^You can ask for a new code in (60|5\d) seconds\.$/);
  await expectAccessible(page);
  await page.clock.fastForward(61_000);
  await expect(again).toBeEnabled();
  await page.clock.fastForward(100_000);
  await again.click();
  await expect(page.locator('#main').getByRole('status')).toHaveText('A new code is on its way. The earlier one no longer works.');
  // At once, not after the next second.
  expect(await page.locator('#next-code').textContent()).toMatch(/^You can ask for a new code in (60|5\d) seconds\.$/);
  await expect(again).toBeDisabled();
  await expect.poll(async () => (await shop.mailsTo(email)).length).toBe(2);
  await page.getByLabel('Otp').fill(first);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(alert(page)).toHaveText('Invalid or expired code');
  await expect(page.getByLabel('Email')).toHaveValue(email);
});

test('an unknown address is answered like a known one (§13.3)', { tag: '@thorough' }, async ({ page }) => {
  await askForCode(page, 'nobody-at-all@example.com');
});
