import type { Page } from '@playwright/test';
import { appCode } from '../src/server/testing/second-factor.ts';
import { aCardOrder } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, logIn, logOut, test } from './fixtures.ts';
import { anOrder } from './office.ts';

const panelOf = (page: Page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Two-step login' }) });
const proofOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' });

test('an administrator sets up a second factor in the profile, and the login then asks for its code in the same screen', async ({
  page,
  shop,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/40[013]/);
  const admin = await shop.secondAdmin('Tessa Twofold');
  await page.goto('/login');
  await logIn(page, admin);
  await expect(page).toHaveURL(`${shop.url}/`);
  await page.goto('/profile');
  const panel = panelOf(page);
  await panel.getByRole('button', { name: 'Set up' }).click();
  await proofOf(page).getByLabel('Your password').fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = (await panel.getByText('Or type this key into it').locator('span').textContent()) ?? '';
  await panel.getByRole('textbox', { name: 'Code' }).fill('12345');
  await panel.getByRole('button', { name: 'Confirm' }).click();
  await expect(panel.getByRole('alert')).toContainText('This code is wrong.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await panel.getByRole('textbox', { name: 'Code' }).fill(appCode(secret));
  await panel.getByRole('button', { name: 'Confirm' }).click();
  await expect(panel.getByText('Two-step login is set up.')).toBeVisible();
  await expect(panel.getByRole('listitem')).toHaveCount(10);
  const recovery = await panel.getByRole('listitem').allTextContents();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await panel.getByRole('button', { name: 'I have saved them' }).click();
  await expect(panel.getByText('10 recovery codes are left.')).toBeVisible();
  await logOut(page);
  await page.goto('/login');
  await logIn(page, admin);
  const code = page.getByRole('textbox', { name: 'Code' });
  await expect(code).toBeFocused();
  await expectAccessible(page);
  await code.fill('000 000');
  await page.keyboard.press('Enter');
  await expect(page.locator('#main').getByRole('alert')).toHaveText('This code is wrong. Please try again.');
  await code.fill(recovery[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${shop.url}/`);
});

test('before a refund and an export the back office asks for the password, and nothing has to be typed again', {
  tag: '@thorough',
}, async ({ page, shop, expectedOnConsole }) => {
  expectedOnConsole.push(/40[03]/);
  const admin = await shop.secondAdmin('Rita Refunding');
  const { _id } = await anOrder(shop);
  await shop.call('PUT', `/api/orders/${_id}/cash`, { token: admin.token, body: { isPaid: true } });
  await page.goto('/login');
  await logIn(page, admin);
  await expect(page).toHaveURL(`${shop.url}/`);
  await page.goto(`/admin/orderdetails/${_id}`);
  const main = page.locator('#main');
  await main.getByRole('button', { name: 'Refund', exact: true }).click();
  await main.getByLabel('Amount in pounds').fill('10');
  await main.getByLabel('Reason').selectOption('Goodwill');
  await main.getByLabel('How it is paid back').selectOption('In cash');
  await main.getByRole('button', { name: 'Refund', exact: true }).click();
  const proof = proofOf(page);
  await expect(proof.getByLabel('Your password')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(main.getByRole('alert')).toHaveText('Please enter your password again to continue.');
  await expect(main.getByLabel('Amount in pounds')).toHaveValue('10');
  await main.getByRole('button', { name: 'Refund', exact: true }).click();
  await proof.getByLabel('Your password').fill('a wrong guess');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByRole('alert')).toHaveText('This password is wrong. Please try again.');
  await proof.getByLabel('Your password').fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(main.getByText('refunded, Rita Refunding')).toBeVisible();
  await page.goto('/admin/orderlist/');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toBe('orders.csv');
});

test('of two calls that need the password at the same time the later one asks for it, and the earlier one is refused', {
  tag: '@thorough',
}, async ({ page, shop, expectedOnConsole }) => {
  expectedOnConsole.push(/40[39]/);
  const admin = await shop.secondAdmin('Tina Twice');
  const { id, payment } = await aCardOrder(shop, 'Tom Twice');
  const { token } = await shop.admin();
  const body = { amount: 500, lines: [], reason: 'Goodwill', isRestocked: false };
  await shop.call('POST', `/api/office/orders/${id}/refunds`, { token, body });
  await page.goto(payment);
  await page.getByRole('button', { name: 'Let it fail the refund of £5.00' }).click();
  await expect(page.getByText('failed')).toBeVisible();
  await page.goto('/login');
  await logIn(page, admin);
  await expect(page).toHaveURL(`${shop.url}/`);
  await page.goto(`/admin/orderdetails/${id}`);
  const main = page.locator('#main');
  await main.getByRole('button', { name: 'Refund', exact: true }).click();
  await main.getByLabel('Amount in pounds').fill('10');
  await main.getByLabel('Reason').selectOption('Goodwill');
  // Both are sent before either is refused.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/refunds**', async (route) => {
    await released;
    await route.continue();
  });
  const refund = main.getByRole('button', { name: 'Refund', exact: true });
  await refund.click();
  await main.getByRole('button', { name: 'Try again' }).click();
  release();
  await proofOf(page).getByLabel('Your password').fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(proofOf(page)).toBeHidden();
  await expect(refund).not.toHaveAttribute('aria-busy', 'true');
  await expect(main.getByRole('alert')).toHaveText('Please enter your password again to continue.');
});

test('an administrator without a second factor gives the role at once; one who has it enters a code before a user is deleted', {
  tag: '@thorough',
}, async ({ page, shop, expectedOnConsole }) => {
  expectedOnConsole.push(/40[13]/);
  const admin = await shop.secondAdmin('Agnes Asked');
  const customer = await shop.aCustomer('Paul Promoted');
  await page.goto('/login');
  await logIn(page, admin);
  await expect(page).toHaveURL(`${shop.url}/`);
  await page.goto(`/admin/editUser/${customer._id}`);
  await page.getByRole('checkbox', { name: 'Assign admin role to this user' }).check();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Update Success', { exact: true })).toBeVisible();
  await shop.call('POST', '/api/users/proof', { token: admin.token, body: { password: admin.password } });
  const { secret } = await shop.call<{ secret: string }>('POST', '/api/users/second-factor', { token: admin.token, body: {} });
  const body = { code: appCode(secret) };
  const { recoveryCodes } = await shop.call<{ recoveryCodes: string[] }>('POST', '/api/users/second-factor/confirm', {
    token: admin.token,
    body,
  });
  // The second factor has ended the session of the browser.
  await page.goto('/admin/userlist');
  await expect(page).toHaveURL(`${shop.url}/login?redirect=admin`);
  await page.goto('/login');
  await logIn(page, admin);
  await page.getByRole('textbox', { name: 'Code' }).fill(recoveryCodes[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${shop.url}/`);
  await page.goto(`/admin/userlist?search=${customer._id}`);
  await page.getByRole('button', { name: 'Delete Paul Promoted' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await proofOf(page)
    .getByLabel('Code from your authenticator app')
    .fill(recoveryCodes[1] ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Paul Promoted was deleted.')).toBeVisible();
});
