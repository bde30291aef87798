import type { Page } from '@playwright/test';
import { appCode } from '../src/server/testing/second-factor.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, logIn, logOut, test } from './fixtures.ts';
import { anOrder } from './office.ts';

const panelOf = (page: Page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'Two-step login' }) });
const proofOf = (page: Page) => page.getByRole('dialog', { name: 'Is it you?' });

test('an administrator sets up a second factor in the profile, and the login then asks for its code in the same screen', {
  tag: '@phone',
}, async ({ page, shop, expectedOnConsole }) => {
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
  await panel.getByRole('button', { name: 'I have kept them' }).click();
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

test('before a promotion and an export the back office asks for the password, and nothing has to be typed again', {
  tag: '@phone',
}, async ({ page, shop, expectedOnConsole }) => {
  expectedOnConsole.push(/40[03]/);
  const admin = await shop.secondAdmin('Agnes Asked');
  const customer = await shop.aCustomer('Paul Promoted');
  await page.goto('/login');
  await logIn(page, admin);
  await expect(page).toHaveURL(`${shop.url}/`);
  await page.goto(`/admin/editUser/${customer._id}`);
  await page.getByLabel('Name').fill('Paul Renamed');
  await page.getByRole('checkbox', { name: 'Assign admin role to this user' }).check();
  await page.getByRole('button', { name: 'Update' }).click();
  const proof = proofOf(page);
  await expect(proof.getByLabel('Your password')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.locator('#main').getByRole('alert')).toHaveText('Please enter your password again to continue.');
  await expect(page.getByLabel('Name')).toHaveValue('Paul Renamed');
  await page.getByRole('button', { name: 'Update' }).click();
  await proof.getByLabel('Your password').fill('a wrong guess');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByRole('alert')).toHaveText('This password is wrong. Please try again.');
  await proof.getByLabel('Your password').fill(admin.password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Update Success', { exact: true })).toBeVisible();
  await expect(page.getByText('made an administrator')).toBeVisible();
  await page.goto('/admin/orderlist/');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toBe('orders.csv');
});

test('before a refund the administrator’s password is asked for', async ({ page, shop, expectedOnConsole }) => {
  expectedOnConsole.push(/403/);
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
  await main.getByRole('button', { name: 'Refund', exact: true }).click();
  await proofOf(page).getByLabel('Your password').fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(main.getByText('refunded, Rita Refunding')).toBeVisible();
});
