import { shopDay } from '../src/contract/market/shop-time.ts';
import { expect, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

const TODAY = shopDay(new Date().toISOString());

test('an order is packed, dispatched and not delivered on the administrator’s screen, and its customer reads each', {
  tag: '@phone',
}, async ({ page, shop, logInAs }) => {
  const buyer = await shop.aCustomer('Ida Inbetween');
  const order = await anOrder(shop, { buyer });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${order._id}`);
  const main = page.locator('#main');
  const press = async (button: string, state: string) => {
    await main.getByRole('button', { name: button, exact: true }).click();
    await expect(main.getByText(state, { exact: true })).toBeVisible();
    await expect(main.getByText('Update Succeed')).toBeVisible();
  };
  await expect(main.getByText('On the Way', { exact: true })).toBeVisible();
  await press('Start packing', 'Being packed');
  await press('Mark as dispatched', `Dispatched at: ${TODAY}`);
  await expectFit(page);
  await press('Delivery failed', 'Delivery failed');
  await page.goto(`/admin/orderlist/?search=${order._id}`);
  await expect(page.getByRole('cell', { name: 'Delivery failed' })).toBeVisible();
  await page.evaluate((info) => localStorage.setItem('userInfo', info), JSON.stringify(buyer));
  await page.goto('/orders');
  await expect(page.getByRole('article')).toContainText('Delivery failed');
  await page.goto(`/order/${order._id}`);
  await expect(main.getByText('Delivery failed', { exact: true })).toBeVisible();
});
