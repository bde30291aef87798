import type { Page } from '@playwright/test';
import { ADMIN, expect, expectAccessible, type Shop, storedUser, test } from './fixtures.ts';
import { alertOf, anOrder, expectColumns, expectFit, find, rowOf } from './office.ts';

interface ListedUser {
  _id: string;
  name: string;
  email: string;
  isAdmin: boolean;
}
const role = (page: Page) => page.getByRole('checkbox', { name: 'Assign admin role to this user' });
const update = (page: Page) => page.getByRole('button', { name: 'Update' }).click();
const readUser = async (shop: Shop, id: string) => shop.call<ListedUser>('GET', `/api/users/${id}`, { token: (await shop.admin()).token });

/** Takes the role from everyone else: earlier tests gave it to others. */
async function theOnlyAdmin(shop: Shop) {
  const admin = await shop.admin();
  const { users } = await shop.call<{ users: ListedUser[] }>('GET', '/api/users?role=admin', { token: admin.token });
  for (const { _id, name, email } of users.filter((user) => user._id !== admin._id))
    await shop.call('PUT', `/api/users/${_id}`, { token: admin.token, body: { name, email, isAdmin: false } });
  return admin;
}

test('an administrator’s account menu shows Users, Products, Orders, Profile and Logout, each leading to its screen (§2.3.4)', async ({
  page,
  shop,
  logInAs,
}) => {
  await logInAs(await shop.admin());
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Account' }).click();
  const menu = page
    .locator('header')
    .getByRole('list')
    .filter({ has: page.getByRole('button', { name: 'Logout' }) });
  await expect(menu.getByRole('listitem')).toHaveText(['Ada Admin', 'Users', 'Products', 'Orders', 'Profile', 'Logout']);
  for (const [name, path] of [
    ['Users', '/admin/userlist'],
    ['Products', '/admin/productlist'],
    ['Orders', '/admin/orderlist'],
    ['Profile', '/profile'],
  ] as const)
    await expect(menu.getByRole('link', { name })).toHaveAttribute('href', path);
  await expectAccessible(page);
});

test('the user list shows ID, Name, Email, Admin (Yes or No) and Edit/Delete (§2.12.1)', async ({ page, shop, logInAs }) => {
  const customer = await shop.aCustomer('Lena Listed');
  await logInAs(await shop.admin());
  await page.goto('/admin/userlist');
  await expectColumns(page, 'Users', ['ID', 'Name', 'Email', 'Admin', 'Edit/Delete']);
  const row = rowOf(page, customer.email);
  await expect(row.getByRole('cell')).toHaveText([customer._id, 'Lena Listed', customer.email, 'No', 'EditDelete']);
  await find(page, ADMIN.email);
  await expect(rowOf(page, ADMIN.email).getByRole('cell').nth(3)).toHaveText('Yes');
  await expectFit(page);
});

test('users come ten a page by currPage, and a page past the end becomes the last one (§2.12.1, §9.2)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  for (let n = 0; n < 11; n += 1) await shop.aCustomer(`Paula Paged ${n}`);
  await logInAs(await shop.admin());
  await page.goto('/admin/userlist?search=paula+paged');
  await expect(page.getByText('11 users')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(11);
  await page.getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(/currPage=2/);
  await expect(rowOf(page, 'Paula Paged')).toHaveCount(1);
  await page.goto('/admin/userlist?search=paula+paged&currPage=77');
  await expect(page).toHaveURL(/currPage=2$/);
});

test('users are found by id, email and name, narrowed by role and sorted, all in the address', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer('Fiona Findable');
  await logInAs(await shop.admin());
  await page.goto('/admin/userlist');
  for (const text of [customer._id, customer.email, 'fiona find']) {
    await find(page, text);
    await expect(page).toHaveURL(new RegExp(`search=${encodeURIComponent(text).replaceAll('%20', '\\+')}`));
    await expect(page.getByText('1 user', { exact: true })).toBeVisible();
    await expect(rowOf(page, customer.email)).toHaveCount(1);
  }
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Administrators');
  await expect(page).toHaveURL(/role=admin/);
  await expect(page.getByText('0 users')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await page.goto('/admin/userlist');
  await page.getByLabel('Sort').selectOption('Email');
  await expect(page).toHaveURL(/sortBy=email/);
  await expect(page.getByRole('row').nth(1)).toContainText(ADMIN.email);
});

test('Edit leads to the user’s screen, which says Update Success, keeps an audit line and goes back to the list (§2.12.1, §2.12.2)', async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer('Edith Edited');
  await anOrder(shop, { buyer: customer, product: await shop.aProduct({ price: '12345' }), qty: 2 });
  await logInAs(await shop.admin());
  await page.goto(`/admin/userlist?search=${customer._id}`);
  await page.getByRole('link', { name: 'Edit Edith Edited' }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/editUser/${customer._id}`);
  await expect(page.getByLabel('Name')).toHaveValue('Edith Edited');
  await expect(page.getByLabel('Email')).toHaveValue(customer.email);
  await expect(role(page)).not.toBeChecked();
  await expect(page.getByText('1 order, £246.90 in all.')).toBeVisible();
  await expectFit(page);
  await page.getByLabel('Name').fill('Edith Renamed');
  await page.getByLabel('Email').fill(`new-${customer.email}`);
  await update(page);
  await expect(page.getByText('Update Success', { exact: true })).toBeVisible();
  await expect(page.getByText('Ada Admin: Changed: name from “Edith Edited” to “Edith Renamed”, email address')).toBeVisible();
  expect(await readUser(shop, customer._id)).toMatchObject({ name: 'Edith Renamed', email: `new-${customer.email}`, isAdmin: false });
  await page.getByRole('link', { name: '1 order' }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/orderlist?search=${customer._id}`);
  await expect(page.getByText('1 order', { exact: true })).toBeVisible();
  await page.goto(`/admin/editUser/${customer._id}`);
  await page.getByRole('link', { name: 'Go Back' }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/userlist`);
});

test('a name and a real email address are required of a user, and a taken address says User Already Exists (§5.6)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/409/);
  const customer = await shop.aCustomer();
  await logInAs(await shop.admin());
  await page.goto(`/admin/editUser/${customer._id}`);
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email');
  await expect(page.getByLabel('Name')).toHaveAttribute('required', '');
  await page.getByLabel('Email').fill('');
  await update(page);
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill(ADMIN.email.toUpperCase());
  await update(page);
  await expect(alertOf(page)).toHaveText('User Already Exists');
  await expectAccessible(page);
});

test('the checkbox gives the admin role and takes it back, and an older form does not give it again (§1.2, §2.12.2)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/409/);
  const customer = await shop.aCustomer('Rhea Role');
  await logInAs(await shop.admin());
  await page.goto(`/admin/editUser/${customer._id}`);
  await role(page).check();
  // Without a choice, a new colleague can change nothing.
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('Read-only');
  await update(page);
  await expect(page.getByText('Ada Admin: Changed: made an administrator (Read-only)')).toBeVisible();
  expect((await readUser(shop, customer._id)).isAdmin).toBe(true);
  await shop.call('PUT', `/api/users/${customer._id}`, { token: (await shop.admin()).token, body: { ...customer, isAdmin: false } });
  await page.getByLabel('Name').fill('Rhea Renamed');
  await update(page);
  await expect(alertOf(page)).toContainText('(Ada Admin: Changed: no longer an administrator)');
  await expect(page.getByLabel('Name')).toHaveValue('Rhea Renamed');
  expect(await readUser(shop, customer._id)).toMatchObject({ name: 'Rhea Role', isAdmin: false });
  await page.getByRole('button', { name: 'Load the current values' }).click();
  await expect(role(page)).not.toBeChecked();
  await role(page).check();
  await update(page);
  await expect(page.getByText('Update Success', { exact: true })).toBeVisible();
  await role(page).uncheck();
  await update(page);
  await expect(page.getByText('Ada Admin: Changed: no longer an administrator')).toHaveCount(2);
  expect((await readUser(shop, customer._id)).isAdmin).toBe(false);
});

test('the last administrator cannot lose the role, nor delete their own account (§6.3)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/409/);
  const admin = await theOnlyAdmin(shop);
  await logInAs(admin);
  await page.goto(`/admin/editUser/${admin._id}`);
  await role(page).uncheck();
  await update(page);
  await expect(alertOf(page)).toHaveText('This is the last administrator. Give someone else the role first.');
  expect((await readUser(shop, admin._id)).isAdmin).toBe(true);
  await page.goto(`/admin/userlist?search=${admin._id}`);
  await page.getByRole('button', { name: 'Delete Ada Admin' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(alertOf(page)).toHaveText('You cannot delete your own account.');
  await expect(rowOf(page, ADMIN.email)).toHaveCount(1);
  await expectAccessible(page);
});

test('an administrator who gives up the role leaves the back office at once, and one who loses it with the next call (§2.2.2)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/403/);
  const second = await shop.aCustomer('Sam Second');
  const { token } = await shop.admin();
  await shop.call('PUT', `/api/users/${second._id}`, { token, body: { name: second.name, email: second.email, isAdmin: true } });
  await logInAs({ ...second, isAdmin: true });
  await page.goto(`/admin/editUser/${second._id}`);
  await role(page).uncheck();
  await update(page);
  await expect(page).toHaveURL(`${shop.url}/`);
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await logInAs({ ...second, isAdmin: true });
  await page.goto('/admin/userlist');
  await expect(page).toHaveURL(`${shop.url}/`);
});

test('Delete asks “Are you sure you want to delete this user?”, names the user, and starts on Cancel (§2.12.1, §7.8, U51)', async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer('Doris Doomed');
  const order = await anOrder(shop, { buyer: customer });
  await logInAs(await shop.admin());
  await page.goto(`/admin/userlist?search=${customer._id}`);
  const opener = page.getByRole('button', { name: 'Delete Doris Doomed' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this user?' });
  await expect(dialog).toContainText(`Doris Doomed, ${customer.email}`);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, customer.email)).toHaveCount(1);
  await opener.click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.locator(':focus')).toHaveText('Doris Doomed was deleted.');
  await expect(rowOf(page, customer.email)).toHaveCount(0);
  await page.goto(`/admin/orderdetails/${order._id}`);
  await expect(page.getByText(customer.email, { exact: true })).toBeVisible();
});

test('an unknown user is said in a red alert, also one that somebody else has deleted; a session that ended leads out of the back office (§8.1, §8.2)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/404|401/);
  const admin = await shop.admin();
  await logInAs(admin);
  await page.goto('/admin/editUser/nobody');
  await expect(alertOf(page)).toHaveText('User not found');
  const gone = await shop.aCustomer('Gone Already');
  await page.goto(`/admin/userlist?search=${gone._id}`);
  await page.getByRole('button', { name: 'Delete Gone Already' }).click();
  await shop.call('DELETE', `/api/users/${gone._id}`, { token: admin.token });
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(alertOf(page)).toHaveText('User not found');
  await expect(rowOf(page, gone.email)).toHaveCount(0);
  await shop.endSession(admin);
  await page.goto('/admin/userlist');
  await expect(page).toHaveURL(`${shop.url}/login?redirect=admin`);
  expect(await storedUser(page)).toBeNull();
});

test('an owner chooses a role; its menu and screens show what it may, and say what it may not (§13.5)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/403|Your role does not allow this/);
  const colleague = await shop.secondAdmin('Cora Catalogue');
  await logInAs(await shop.admin());
  await page.goto(`/admin/editUser/${colleague._id}`);
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Catalogue');
  await expect(page.getByText('Cannot see orders or customers.')).toBeVisible();
  await expectAccessible(page);
  await expectFit(page);
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Update Success')).toBeVisible();
  await expect(page.getByText(/role from Owner to Catalogue/)).toBeVisible();

  await logInAs(colleague);
  await page.goto('/admin/today');
  const menu = page.getByRole('navigation', { name: 'Office' });
  await expect(menu.getByRole('link', { name: 'Orders' })).toHaveCount(0);
  await expect(menu.getByRole('link')).toHaveText([/^Today/, 'Products', /^Stock/, 'Promotions', /^Reviews/, 'Settings', 'Guide']);
  await page.goto('/admin/orderlist');
  await expect(alertOf(page).first()).toHaveText('Your role does not allow this. Please ask an owner.');
  // The back office stays open.
  await menu.getByRole('link', { name: 'Products' }).click();
  await expect(page.getByRole('table')).toBeVisible();
});

test('a customer’s data is exported from their screen, and erased after a question (§18.9)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer('Fern Forgotten');
  await logInAs(await shop.admin());
  await page.goto(`/admin/editUser/${customer._id}`);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export their data' }).click()]);
  expect(file.suggestedFilename()).toBe(`customer-${customer._id}.json`);
  await page.getByRole('button', { name: 'Erase this customer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase this customer for good?' });
  await expect(dialog).toContainText(customer.email);
  await expectAccessible(page);
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/userlist`);
  await find(page, customer.email);
  await expect(rowOf(page, customer.email)).toHaveCount(0);
});

test('a role that only sees is told so on each page, and offered no new order (§13.5)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const { token } = await shop.admin();
  const reader = await shop.aCustomer('Rhona Reader');
  const { _id, name, email } = reader;
  await shop.call('PUT', `/api/users/${_id}`, { token, body: { name, email, isAdmin: true, staffRole: 'read-only' } });
  await logInAs({ ...reader, isAdmin: true });
  const told = page.getByText('your role does not allow changes.');
  for (const path of ['/admin/orderlist', '/admin/productlist', '/admin/promotions', '/admin/userlist', '/admin/stock']) {
    await page.goto(path);
    await expect(told).toBeVisible();
  }
  await page.goto('/admin/settings');
  await expect(told).toBeVisible();
  await expect(page.getByLabel('Trading name')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
  const tabs = page.getByRole('navigation', { name: 'Settings' });
  await expect(tabs.getByRole('link', { name: /^(Before you open|Keys and webhooks)$/ })).toHaveCount(0);
  await page.goto('/admin/today');
  await expect(page.getByRole('link', { name: 'Before you open' })).toHaveCount(0);
  await page.goto('/admin/orderlist');
  await expect(page.getByRole('button', { name: 'Export CSV' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'New order' })).toHaveCount(0);
  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist');
  await expect(page.getByRole('link', { name: 'New order' })).toBeVisible();
  await expect(told).toHaveCount(0);
});
