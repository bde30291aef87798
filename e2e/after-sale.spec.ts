import { shopDay } from '../src/contract/market/shop-time.ts';
import { aCardOrder } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

const TODAY = shopDay(new Date().toISOString());

test('an order is packed, dispatched and not delivered on the administrator’s screen, and its customer reads each (§20.1)', {
  tag: '@thorough',
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
  await main.getByRole('button', { name: 'Mark as dispatched' }).click();
  await main.getByRole('button', { name: 'Dispatch', exact: true }).click();
  await expect(main.getByText(`Dispatched at: ${TODAY}`, { exact: true })).toBeVisible();
  await expectFit(page);
  await press('Delivery failed', 'Delivery failed');
  await page.goto(`/admin/orderlist/?search=${order._id}`);
  await expect(page.getByRole('cell', { name: 'Delivery failed' }).first()).toBeVisible();
  await logInAs(buyer);
  await page.goto('/orders');
  await expect(page.getByRole('article')).toContainText('Delivery failed');
  await page.goto(`/order/${order._id}`);
  await expect(main.getByText('Delivery failed', { exact: true })).toBeVisible();
});

test('a customer cancels a line of a paid order and then the rest, says why, and reads what goes back (§20.3)', async ({
  page,
  shop,
  logInAs,
}) => {
  const { buyer, id } = await aCardOrder(shop, 'Cora Cancelling');
  await logInAs(buyer);
  await page.goto(`/order/${id}`);
  const main = page.locator('#main');
  await main.getByRole('button', { name: 'Cancel order' }).press('Enter');
  await expect(main.getByRole('checkbox', { name: '1 × Cancelled Sofa' })).toBeFocused();
  await main.getByRole('button', { name: 'Keep the order' }).press('Enter');
  await expect(main.getByRole('heading', { name: 'Cancel', exact: true })).toBeFocused();
  await main.getByRole('button', { name: 'Cancel order' }).click();
  await expect(main.getByText('We’ll refund £350.00 to your card.')).toBeVisible();
  await main.getByRole('checkbox', { name: '2 × Kept Lamp' }).uncheck();
  await expect(main.getByText('We’ll refund £300.00 to your card.')).toBeVisible();
  await main.getByRole('button', { name: 'Cancel the chosen pieces' }).click();
  await expect(main.getByRole('alert')).toHaveText('Choose a reason.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await main.getByLabel('Reason').selectOption('I changed my mind');
  await main.getByRole('button', { name: 'Cancel the chosen pieces' }).click();
  await expect(main.getByText('Part of your order is cancelled.')).toBeVisible();
  await expect(main.getByRole('listitem').filter({ hasText: 'Cancelled Sofa' }).first()).toContainText('Cancelled');
  await expect(main.getByText(/£300\.00 (refund pending|refunded)$/)).toBeVisible();
  await main.getByRole('button', { name: 'Cancel order' }).click();
  await main.getByLabel('Reason').selectOption('Another reason');
  await main.getByRole('button', { name: 'Cancel the order' }).click();
  await expect(main.getByRole('paragraph').filter({ hasText: 'Your order is cancelled.' })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Cancel order' })).toHaveCount(0);
  await expect(main.getByText(/£50\.00 (refund pending|refunded)$/)).toBeVisible();
  await expectAccessible(page);
  await page.goto('/orders');
  await expect(page.getByRole('article')).toContainText('Cancelled');
});

test('the form of a cancellation takes off what the bank holds of the payment, and says so (§20.7)', async ({ page, shop, logInAs }) => {
  const { buyer, id } = await aCardOrder(shop, 'Dora Disputing');
  await shop.withDatabase(async (db) => {
    const dispute = { id: `dp_${id}`, orderId: id, disputedPaymentId: 'pi_dora', status: 'open', amount: 20_000, reason: 'general' };
    await db.insertInto('orderDisputes').values(dispute).execute();
  });
  await logInAs(buyer);
  await page.goto(`/order/${id}`);
  const main = page.locator('#main');
  await main.getByRole('button', { name: 'Cancel order' }).click();
  await expect(main.getByText('The bank holds £200.00 of the payment, or has given it back; that comes off first.')).toBeVisible();
  await main.getByRole('checkbox', { name: '2 × Kept Lamp' }).uncheck();
  await expect(main.getByText('We’ll refund £100.00 to your card.')).toBeVisible();
});

test('the form of a refund begins with what the order owes, and proposes it for pieces that left as well (§20.5)', async ({
  page,
  shop,
  logInAs,
}) => {
  const { id } = await aCardOrder(shop, 'Olga Owed');
  const dispute = { id: `dp_${id}`, orderId: id, disputedPaymentId: 'pi_olga', status: 'open', amount: 20_000, reason: 'general' };
  await shop.withDatabase(async (db) => {
    await db.insertInto('orderDisputes').values(dispute).execute();
  });
  const admin = await shop.admin();
  const wish = { pieces: [{ line: 0, qty: 1 }], reason: 'Another reason' };
  await shop.call('POST', `/api/office/orders/${id}/cancel`, { token: admin.token, body: wish });
  await shop.withDatabase(async (db) => {
    await db.updateTable('orderDisputes').set({ status: 'won' }).where('orderId', '=', id).execute();
  });
  await logInAs(admin);
  await page.goto(`/admin/orderdetails/${id}`);
  const main = page.locator('#main');
  await main.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(main.getByLabel('Amount in pounds')).toHaveValue('200.00');
  await expect(main.getByText('£200.00 will be refunded to the customer.')).toBeVisible();
  await main
    .getByRole('button', { name: /^One more / })
    .first()
    .click();
  await expect(main.getByLabel('Amount in pounds')).toHaveValue('');
  await expect(main.getByText('£200.00 will be refunded to the customer.')).toBeVisible();
});

test('a customer who ordered one sofa in two sizes sees which of them is cancelled (§20.3)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const sizes = JSON.stringify([
    { size: 'Two-seat', quantity: 9, price: 40_000 },
    { size: 'Three-seat', quantity: 9, price: 50_000 },
  ]);
  const sofa = await shop.aProduct({ name: 'Twin Sofa', price: '40000', sizes });
  const buyer = await shop.aCustomer();
  const [product, other] = [
    { ...sofa, size: 'Two-seat' },
    { ...sofa, size: 'Three-seat', price: 50_000 },
  ];
  const { _id } = await anOrder(shop, { buyer, product, other });
  await logInAs(buyer);
  await page.goto(`/order/${_id}`);
  const main = page.locator('#main');
  await main.getByRole('button', { name: 'Cancel order' }).click();
  await main.getByRole('checkbox', { name: '1 × Twin Sofa (Two-seat)' }).uncheck();
  await expect(main.getByRole('checkbox', { name: '1 × Twin Sofa (Three-seat)' })).toBeChecked();
});

test('an administrator cancels a line, and the slip says what is left to send and to collect (§20.3)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const [product, other] = [await shop.aProduct({ price: '10950' }), await shop.aProduct({ name: 'Kept Lamp', price: '5000' })];
  const { _id } = await anOrder(shop, { qty: 2, product, other });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${_id}`);
  const main = page.locator('#main');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('Collect £269.00')).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  const summary = main.locator('section').filter({ has: page.getByRole('heading', { name: 'Order Summary' }) });
  await expect(summary).not.toContainText('Cancelled');
  await main.getByRole('button', { name: 'Cancel order' }).click();
  await main.getByRole('button', { name: 'One fewer Kept Lamp' }).click();
  const back = main.getByRole('checkbox', { name: 'Put back in stock' });
  await expect(back).toBeChecked();
  await main.getByLabel('Reason').selectOption('Not in stock');
  await expect(back).not.toBeChecked();
  await expect(back).toHaveAccessibleDescription(/^Leave this unticked for pieces that are missing or damaged/);
  await main.getByRole('button', { name: 'Cancel the chosen pieces' }).click();
  await expect(summary.getByRole('definition').last()).toContainText('50.00');
  await expect(summary).toContainText(/Subtotal.*269\.00.*Cancelled−£219\.00.*Total.*50\.00/);
  await expect(main.getByText(/· £50\.00 \(£219\.00 cancelled\)/)).toBeVisible();
  await expect(main.getByText('Not in stock. Not put back in stock')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('Collect £50.00')).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await main.getByRole('button', { name: 'Cancel order' }).click();
  await main.getByLabel('Reason').selectOption('Not in stock');
  await back.check();
  await expectFit(page);
  await main.getByRole('button', { name: 'Cancel the order' }).click();
  await expect(main.getByText('Nothing to pay')).toBeVisible();
  await expect(main.getByText('Not put back in stock')).toHaveCount(1);
  await expect(main.getByRole('button', { name: /Mark as/ })).toHaveCount(0);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('Cancelled: do not send')).toBeVisible();
});

test('a refund goes through the provider; one that fails says why and is tried again (§20.5)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/409/);
  const { id, payment } = await aCardOrder(shop, 'Rhea Refunded');
  await logInAs(await shop.admin());
  const main = page.locator('#main');
  const refunds = main.locator('section').filter({ has: page.getByRole('heading', { name: 'Refunds' }) });
  await page.goto(`/admin/orderdetails/${id}`);
  await main.getByRole('button', { name: 'Refund', exact: true }).click();
  await main.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(main.getByRole('alert')).toContainText('Enter an amount, or choose pieces to refund.');
  await expect(main.getByRole('alert')).toContainText('Choose a reason.');
  await main.getByLabel('Amount in pounds').fill('400');
  await main.getByLabel('Reason').selectOption('Goodwill');
  await expect(main.getByText('goes back to the customer')).toBeHidden();
  await main.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(main.getByRole('alert')).toContainText('At most £350.00 of this order can still be refunded.');
  await expect(main.getByLabel('Amount in pounds')).toHaveValue('400');
  await main.getByLabel('Amount in pounds').fill('');
  await main
    .getByRole('button', { name: /^One more / })
    .first()
    .click();
  await expect(main.getByRole('status').filter({ hasText: /^£\d+\.\d\d will be refunded to the customer\.$/ })).toBeVisible();
  await main
    .getByRole('button', { name: /^One fewer / })
    .first()
    .click();
  await main.getByLabel('Amount in pounds').fill('£10.50');
  await expect(main.getByText('£10.50 will be refunded to the customer.')).toBeVisible();
  await expectFit(page);
  await main.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(refunds.getByRole('listitem')).toContainText('done');
  await page.goto(payment);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Let it fail the refund of £10.50' }).click();
  await expect(page.getByText('failed')).toBeVisible();
  // The provider's notice takes a moment to arrive.
  await expect(async () => {
    await page.goto(`/admin/orderdetails/${id}`);
    await expect(refunds).toContainText('The payment provider says: lost or stolen card', { timeout: 1_000 });
  }).toPass();
  await expectFit(page);
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(refunds.getByRole('listitem')).toContainText('done');
  await page.goto(payment);
  await page.getByLabel('Amount in pounds').fill('39.50');
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(page.getByText('£39.50')).toBeVisible();
  await page.goto(`/admin/orderlist/?search=${id}`);
  await expect(page.getByRole('cell', { name: 'Partly refunded', exact: true })).toBeVisible();
});

test('cash that the driver hands in after the return is recorded whole and paid back, and what will not come is written off (§20.5)', async ({
  page,
  shop,
  logInAs,
}) => {
  const [product, other] = [
    await shop.aProduct({ name: 'Late Sofa', price: '60000' }),
    await shop.aProduct({ name: 'Late Lamp', price: '5000' }),
  ];
  const order = await anOrder(shop, { product, other });
  const { token } = await shop.admin();
  const call = <T>(method: 'POST' | 'PUT', path: string, body: object) => shop.call<T>(method, path, { token, body });
  await call('POST', `/api/office/orders/${order._id}/parcels`, {});
  await call('PUT', `/api/orders/${order._id}/deliver`, { isDelivered: true });
  const wish = { lines: [{ line: 0, qty: 1 }], reason: 'It does not fit', answer: '' };
  await call('POST', `/api/office/orders/${order._id}/returns`, wish);
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${order._id}`);
  const main = page.locator('#main');
  await main.getByRole('button', { name: 'Record what came back' }).click();
  await expect(main.getByText('If the driver has collected the £650.00, record the cash once you have it, even after this.')).toBeVisible();
  await main.getByRole('button', { name: 'Record the return' }).click();
  await expect(main.getByText('Drivers were to collect £650.00, and only £50.00 of it is due now.')).toBeVisible();
  await main.getByRole('button', { name: 'Record cash received' }).click();
  await expect(main.getByLabel('Cash received, in pounds')).toHaveValue('650.00');
  await expect(main.getByText('£600.00 will be left for you to pay back.')).toBeVisible();
  await expectFit(page);
  await main.getByRole('button', { name: 'Record £650.00' }).click();
  await expect(main.getByText('Refund pending')).toBeVisible();
  await expect(main.getByRole('button', { name: 'Paid back in cash' })).toBeVisible();
  await main.getByRole('button', { name: 'Undo cash received' }).click();
  await expect(main.getByText('Not Paid')).toBeVisible();
  await main.getByRole('button', { name: 'Write off' }).click();
  await main.getByLabel('Reason').selectOption('Cannot be collected');
  await expectFit(page);
  await main.getByRole('button', { name: 'Write off £50.00' }).click();
  await expect(main.getByText('Nothing to pay')).toBeVisible();
  await expect(main.getByText('£50.00. Cannot be collected')).toBeVisible();
  await expect(main.getByText('Drivers were to collect £600.00, and nothing of it is due now.')).toBeVisible();
  await main.getByRole('button', { name: 'Record more money' }).click();
  await expect(main.getByLabel('Money received, in pounds')).toHaveValue('600.00');
  await main.getByLabel('Money received, in pounds').fill('580');
  await expect(main.getByLabel('How it was paid')).toHaveValue('In cash');
  await expectFit(page);
  await main.getByRole('button', { name: 'Record £580.00' }).click();
  await expect(main.getByText('£580.00 to pay back')).toBeVisible();
  await expectFit(page);
  await main.getByRole('button', { name: 'Undo £580.00' }).click();
  await expect(main.getByText('£580.00 undone')).toBeVisible();
  await main.getByRole('button', { name: 'Nothing was collected' }).click();
  const dialog = page.getByRole('dialog', { name: 'Have the drivers collected nothing of £600.00?' });
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Nothing was collected' }).click();
  await expect(main.getByText('Drivers were to collect £600.00')).toBeHidden();
  await expect(main.getByText('nothing collected')).toBeVisible();
});
