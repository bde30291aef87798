import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

test('a large first order waits for an administrator, and its customer reads that calmly', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const buyer = await shop.aCustomer('Lara Large');
  const order = await anOrder(shop, { buyer, product: await shop.aProduct({ price: '950000' }) });
  await logInAs(buyer);
  await page.goto(`/order/${order._id}`);
  const main = page.locator('#main');
  await expect(main.getByText('Being checked', { exact: true })).toBeVisible();
  await expect(main.getByText('We check larger first orders by hand before we pack them')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.goto('/orders');
  await expect(page.getByRole('article')).toContainText('Being checked');
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderlist/?search=${order._id}`);
  await expect(page.getByRole('cell', { name: 'To be approved' })).toBeVisible();
  await page.goto(`/admin/orderdetails/${order._id}`);
  await expect(main.getByText('This is a large first order from a new account.')).toBeVisible();
  await expect(main.getByRole('button', { name: 'Start packing' })).toHaveCount(0);
  await expect(main.getByRole('button', { name: 'Mark as delivered' })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Print packing slip' })).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(main.getByText('Not approved: do not send')).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await expectFit(page);
  await main.getByRole('button', { name: 'Approve the order' }).click();
  await expect(main.getByRole('button', { name: 'Print packing slip' })).toBeVisible();
  await main.getByRole('button', { name: 'Start packing' }).click();
  await expect(main.getByText('Being packed', { exact: true })).toBeVisible();
});

test('selected orders are approved and tagged together; one that refuses is named and stays selected', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/409/);
  const product = await shop.aProduct({ price: '950000' });
  const orders = [];
  for (const name of ['Una', 'Vera', 'Wanda']) orders.push(await anOrder(shop, { buyer: await shop.aCustomer(`${name} Wait`), product }));
  await logInAs(await shop.admin());
  const main = page.locator('#main');
  await page.goto('/admin/orderlist?queue=approve&search=Wait');
  await page.getByLabel('Select all on this page').check();
  await main.getByRole('button', { name: 'Add a tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tag' });
  await dialog.getByRole('button', { name: 'Tag 3 orders' }).click();
  await expect(dialog.getByLabel('New tag')).toHaveAccessibleDescription(/.+/);
  await dialog.getByLabel('New tag').fill('Ring first');
  await expectFit(page);
  await page.keyboard.press('Enter');
  await expect(main.getByText('3 orders tagged “Ring first”.')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Ring first' })).toHaveCount(3);

  await page.getByLabel('Select all on this page').check();
  await main.getByRole('button', { name: 'Approve' }).click();
  await expect(main.getByText('3 orders approved.')).toBeVisible();
  await page.goto('/admin/orderlist?queue=pack&search=Wait');
  await expect(page.getByRole('row').filter({ hasText: 'Ring first' })).toHaveCount(3);

  const [full] = orders;
  const { token } = await shop.admin();
  for (let n = 1; n < 10; n += 1) await shop.call('POST', `/api/office/orders/${full?._id}/tags`, { token, body: { tag: `tag ${n}` } });
  await page.getByLabel('Select all on this page').check();
  await main.getByRole('button', { name: 'Add a tag' }).click();
  await dialog.getByLabel('New tag').fill('Sent by van');
  await page.keyboard.press('Enter');
  await expect(main.getByRole('alert')).toContainText(`2 orders tagged “Sent by van”. ${full?.reference}: `);
  await expect(main.getByText('1 selected')).toBeVisible();
});
