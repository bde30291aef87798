import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

test('an order leaves in two parcels on the administrator’s screen, and its customer follows each (§20.8)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/400/);
  const buyer = await shop.aCustomer('Paula Parcels');
  const order = await anOrder(shop, { buyer, product: await shop.aProduct({ name: 'Parted Chair' }), qty: 3 });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${order._id}`);
  const main = page.locator('#main');
  await main.getByRole('button', { name: 'Mark as dispatched' }).click();
  await main.getByRole('button', { name: 'One fewer Parted Chair' }).click();
  await main.getByLabel('Carrier').selectOption('DPD');
  await main.getByLabel('Tracking number').fill('1550<1>');
  await expectFit(page);
  await main.getByRole('button', { name: 'Dispatch these pieces' }).click();
  await expect(main.getByRole('alert')).toContainText('A tracking number has letters, digits, spaces and hyphens only');
  await expect(main.getByLabel('Carrier')).toHaveValue('DPD');
  await main.getByLabel('Tracking number').fill('1550 1234');
  await main.getByRole('button', { name: 'Dispatch these pieces' }).click();
  await expect(main.getByText('Dispatched in part', { exact: true })).toBeVisible();
  await main.getByRole('button', { name: 'Dispatch the rest' }).click();
  await main.getByLabel('Carrier').selectOption('Our own van');
  await main.getByRole('button', { name: 'Dispatch', exact: true }).click();
  await expect(main.getByText(/^Dispatched at: /)).toBeVisible();
  await main.getByRole('button', { name: 'Change tracking' }).last().click();
  await main.getByLabel('Tracking link').fill('https://follow.example.org/7');
  await expectFit(page);
  await main.getByRole('button', { name: 'Save parcel' }).click();
  await expect(main.getByRole('link', { name: /Track the parcel/ })).toHaveCount(2);
  await logInAs(buyer);
  await page.goto(`/order/${order._id}`);
  const parcels = main.getByRole('listitem').filter({ hasText: 'Sent with' });
  await expect(parcels).toHaveText([/Sent with DPD.*2 × Parted Chair.*1550 1234/, /Sent with Our own van.*1 × Parted Chair/]);
  await expect(parcels.first().getByRole('link')).toHaveAttribute('href', 'https://www.dpd.co.uk/apps/tracking/?reference=15501234');
  await expect(parcels.last().getByRole('link')).toHaveAttribute('href', 'https://follow.example.org/7');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('all orders of a search are dispatched in one go, and that is undone after a reload (§20.10)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/409/);
  const buyer = await shop.aCustomer('Bertha Bulk');
  const first = await anOrder(shop, { buyer });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderlist?search=${encodeURIComponent(buyer.email)}`);
  await page.getByRole('button', { name: 'Dispatch all found' }).click();
  const dialog = page.getByRole('dialog', { name: 'Dispatch all' });
  await expect(dialog).toContainText(
    'If you carry this out, 1 order that this list finds, on all of its pages, will be marked as dispatched.',
  );
  await dialog.getByLabel('Carrier').selectOption('Evri');
  await expectAccessible(page);
  // An order that arrives meanwhile is shown before it is dispatched too.
  await anOrder(shop, { buyer });
  await dialog.getByRole('button', { name: 'Dispatch 1 order' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('There are now 2 orders, not 1. Please check again.');
  await dialog.getByRole('button', { name: 'Dispatch 2 orders' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator('td[data-label="Status"]').getByText('Dispatched', { exact: true })).toHaveCount(2);
  await page.reload();
  const note = page.locator('#main').getByText('dispatched 2 orders');
  await expect(note).toBeVisible();
  await expectFit(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('2 orders are no longer dispatched. No email was sent.')).toBeVisible();
  await expect(page.locator('td[data-label="Status"]').getByText('Being packed', { exact: true })).toHaveCount(2);
  await expect(note).toHaveCount(0);
  expect((await shop.mailsTo(buyer.email)).filter(({ subject }) => subject?.includes('is on its way'))).toEqual([]);
  await page.goto(`/admin/orderdetails/${first._id}`);
  await expect(page.getByText('dispatch taken back')).toBeVisible();
});

test('staff who record the cash of an order that has left in part are asked first, with what is due for the rest (§20.8)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/409/);
  const product = await shop.aProduct({ name: 'Shared Chair', price: '10000' });
  const order = await anOrder(shop, { product, qty: 3 });
  const { token } = await shop.admin();
  await shop.call('POST', `/api/office/orders/${order._id}/parcels`, { token, body: { lines: [{ line: 0, qty: 1 }] } });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${order._id}`);
  await page.getByRole('button', { name: 'Record cash received' }).click();
  const dialog = page.getByRole('dialog', { name: 'Have you received all £300.00?' });
  await expect(dialog).toContainText('£200.00 of it is due with what has not left yet.');
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Not Paid')).toBeVisible();
  const cancel = { reason: 'Another reason', pieces: [{ line: 0, qty: 1 }] };
  await shop.call('POST', `/api/office/orders/${order._id}/cancel`, { token, body: cancel });
  await page.getByRole('button', { name: 'Record cash received' }).click();
  await dialog.getByRole('button', { name: 'Record £300.00' }).click();
  await expect(page.getByText(`Order ${order.reference} has changed since you opened it.`)).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Record cash received' }).click();
  await page.getByRole('button', { name: 'Record £200.00' }).click();
  await expect(page.getByText('Paid at:')).toBeVisible();
});
