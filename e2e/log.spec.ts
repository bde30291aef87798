import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures.ts';
import { expectColumns, expectFit } from './office.ts';

test('the log says who did what from where, is filtered, leads to what was changed and is downloaded (§13.6)', async ({
  page,
  shop,
  logInAs,
}) => {
  const admin = await shop.admin();
  const customer = await shop.aCustomer('Lottie Logged');
  const { _id, email } = customer;
  await shop.call('PUT', `/api/users/${_id}`, { token: admin.token, body: { name: 'Lottie Noted', email, isAdmin: false } });
  await logInAs(admin);
  await page.goto('/admin/today');
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Log' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log');
  await expectColumns(page, 'What was done in the back office', ['Time', 'Who', 'About', 'What was done', 'Address']);
  await page.getByLabel('About').selectOption('Accounts');
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(row).toContainText('Changed: name from “Lottie Logged” to “Lottie Noted”');
  await expect(row).toContainText(/10\.\d+\.\d+\.\d+/);
  await expectFit(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const csv = await readFile(await (await downloading).path(), 'utf8');
  expect(csv.split('\r\n')[1]).toContain(`,Accounts,${email},${_id},`);
  await row.getByRole('link', { name: email }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Lottie Noted');
});
