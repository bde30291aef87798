import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

test('a large first order waits for an administrator, and its customer reads that calmly', async ({ page, shop, logInAs }) => {
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
  await expect(main.getByText('This is a large first order of a new account.')).toBeVisible();
  await expect(main.getByRole('button', { name: 'Start packing' })).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(main.getByText('Not approved: do not send')).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await expectFit(page);
  await main.getByRole('button', { name: 'Approve the order' }).click();
  await main.getByRole('button', { name: 'Start packing' }).click();
  await expect(main.getByText('Being packed', { exact: true })).toBeVisible();
});
