import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, logIn, storedUser, test } from './fixtures.ts';

const alert = (page: Page) => page.locator('#main').getByRole('alert');

test('the profile changes the name and says Update Success!, and Go Back leads home (§2.10.5)', async ({ page, shop, logInAs }) => {
  const customer = await shop.aCustomer('Before Name');
  await logInAs(customer);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('User Profile');
  await expect(page.getByLabel('Email Address')).toHaveValue(customer.email);
  await page.getByLabel('Name', { exact: true }).fill('After Name');
  // The address is optional: left out, it stays as it is.
  await page.getByLabel('Email Address').fill('');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Update Success!')).toBeVisible();
  await expect(page.getByLabel('Email Address')).toHaveValue(customer.email);
  expect(await storedUser(page)).toMatchObject({ name: 'After Name', email: customer.email });
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'Go Back' }).click();
  await expect(page).toHaveURL(`${shop.url}/`);
});

test('a new password or address asks for the current password at its field; a name alone does not (§2.10.5, §5.1)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/400/);
  const customer = await shop.aCustomer();
  const current = page.getByLabel('Current Password', { exact: true });
  await logInAs(customer);
  await page.goto('/profile');
  await expect(current).toHaveCount(0);
  await page.getByLabel(/^Password/).fill('Another-horse-2');
  await page.getByLabel(/^Confirm Password/).fill('Another-horse-2x');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(alert(page)).toHaveText('Passwords do not match');
  await page.getByLabel(/^Confirm Password/).fill('Another-horse-2');
  await page.getByRole('button', { name: 'Update' }).press('Enter');
  // Who uses the keyboard is led to the field that was refused.
  await expect(current).toBeFocused();
  await expect(current).toHaveAccessibleDescription(/^Current password is required/);
  await current.fill('not the current one');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(current).toHaveAccessibleDescription(/^Current password is wrong/);
  await expect(alert(page)).toHaveText('Current password is wrong');
  await expect(page.getByLabel(/^Password/)).toHaveValue('Another-horse-2');
  // axe takes a button that the header covers while the page is scrolled for a small one.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await current.fill(customer.password);
  await page.getByRole('button', { name: 'Update' }).press('Enter');
  await expect(page.getByText('Update Success!')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Update' })).toBeFocused();
  await expect(current).toHaveCount(0);
  await page.getByLabel('Email Address').fill(`moved-${customer.email}`);
  await current.fill('Another-horse-2');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect.poll(() => storedUser(page)).toMatchObject({ email: `moved-${customer.email}` });
  await expect(current).toHaveCount(0);
  await expect(page.getByText('We have emailed a link to your new address.')).toBeVisible();
});

test('a new address is confirmed by the link in its mail, once its owner has logged in and said that it is meant', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/403/);
  const customer = await shop.aCustomer();
  const { token, name, email, password } = customer;
  const moved = `moved-${email}`;
  await shop.call('PUT', '/api/users/profile', { token, body: { name, email: moved, currentPassword: password } });
  const linkIn = async () => /http\S+#confirm-email=\S+/.exec((await shop.mailsTo(moved))[0]?.text ?? '')?.[0] ?? '';
  await expect.poll(linkIn).not.toBe('');
  await page.goto(await linkIn());
  const dialog = page.getByRole('dialog', { name: 'Confirm your email address?' });
  await dialog.getByRole('button', { name: 'Yes, it is mine' }).click();
  await expect(dialog.getByText('Please log in with this account first, then open this link again.')).toBeVisible();
  await dialog.getByRole('link', { name: 'Log in' }).click();
  await expect(page).toHaveURL(`${shop.url}/login`);
  await logInAs({ ...customer, email: moved });
  await page.goto(await linkIn());
  await dialog.getByRole('button', { name: 'Yes, it is mine' }).click();
  await expect(dialog.getByText('Emails about your orders come to this address from now on.')).toBeVisible();
  await expectAccessible(page);
});

test('the profile offers a link that confirms the address, and says when that is done', async ({ page, shop, logInAs }) => {
  const customer = await shop.aCustomer();
  await logInAs(customer);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  await expect(page.getByText(`We have emailed a link to ${customer.email}.`)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const linkIn = async () => /http\S+#confirm-email=\S+/.exec((await shop.mailsTo(customer.email))[0]?.text ?? '')?.[0] ?? '';
  await expect.poll(linkIn).not.toBe('');
  await page.goto(await linkIn());
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, it is mine' }).click();
  await expect(page.getByText('Emails about your orders come to this address from now on.')).toBeVisible();
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  await expect(page.getByText('Your email address is confirmed already.')).toBeVisible();
});

test('a profile update without a valid session says Please Login again and logs out (§8.2)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/401/);
  const customer = await shop.aCustomer();
  await logInAs({ ...customer, token: 'expired' });
  await page.goto('/profile');
  await page.getByLabel('Name', { exact: true }).fill('Typed Before');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Please Login again')).toHaveCount(1);
  await expect(alert(page)).toHaveText('Please Login again');
  await expect(page).toHaveURL(`${shop.url}/login?redirect=profile`);
  expect(await storedUser(page)).toBeNull();
  // What was typed waits for its owner.
  await logIn(page, customer);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Typed Before');
});
