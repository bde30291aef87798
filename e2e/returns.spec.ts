import { sql } from 'kysely';
import { expect, expectAccessible, expectNoSidewaysScroll, type Shop, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

/** A cash order of some lamps that was paid and delivered. */
async function aDelivered(shop: Shop, name: string) {
  const buyer = await shop.aCustomer(name);
  const { _id } = await anOrder(shop, { buyer, product: await shop.aProduct({ name: 'Tall Lamp', price: '2500' }), qty: 2 });
  const { token } = await shop.admin();
  await shop.call('PUT', `/api/orders/${_id}/cash`, { token, body: { isPaid: true } });
  await shop.call('PUT', `/api/orders/${_id}/deliver`, { token, body: { isDelivered: true } });
  return { buyer, _id };
}

test('a customer asks for a return on the order page; an administrator agrees and records what came back; the refund follows (§20.9)', async ({
  page,
  shop,
  logInAs,
}) => {
  const { buyer, _id } = await aDelivered(shop, 'Rita Returning');
  await logInAs(buyer);
  await page.goto(`/order/${_id}`);
  const main = page.locator('#main');
  const returns = main.locator('section').filter({ has: page.getByRole('heading', { name: 'Returns', exact: true }) });
  await expect(returns).toContainText('you post it back within 14 days, at your own cost');
  await returns.getByRole('button', { name: 'Return pieces' }).click();
  await returns.getByRole('button', { name: 'Request a return' }).click();
  await expect(returns.getByRole('alert')).toContainText('Choose at least one piece.');
  await expect(returns.getByRole('alert')).toContainText('Choose a reason.');
  await returns.getByRole('button', { name: 'One more Tall Lamp' }).click();
  await expect(returns.getByText('Choose at least one piece.')).toHaveCount(0);
  await returns.getByLabel('Reason').selectOption('Wrong piece');
  await expect(returns.getByText('You post it back within 14 days, and we pay for the postage.', { exact: true })).toBeVisible();
  await returns.getByLabel('Reason').selectOption('It does not fit');
  await expect(returns.getByText('You post it back within 14 days, at your own cost.', { exact: true })).toBeVisible();
  await returns.getByLabel('What else should we know?').fill('It is too tall.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await returns.getByRole('button', { name: 'Request a return' }).click();
  await expect(returns.getByText('We have your request and will reply by the next working day.')).toBeVisible();
  await expect(returns.getByRole('listitem').first()).toContainText('1 × Tall LampWaiting for a reply');
  await expect(returns.getByRole('listitem').first()).toContainText('You post it back within 14 days, at your own cost.');
  await expect(returns.getByRole('button', { name: 'Cancel this return' })).toBeVisible();
  // What can still be returned is named, since the other is on its way back.
  await expect(returns.getByText('Tall Lamp: you post it back within 14 days, at your own cost.', { exact: true })).toBeVisible();

  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist/?queue=returns');
  await expect(page.getByRole('row').filter({ hasText: _id })).toBeVisible();
  // Its orders have left long since.
  await expect(page.getByRole('button', { name: 'Dispatch all found' })).toHaveCount(0);
  await page.goto(`/admin/orderdetails/${_id}`);
  await returns.getByRole('button', { name: 'Answer the return' }).click();
  await returns.getByRole('radio', { name: 'No' }).check();
  await returns.getByRole('button', { name: 'Refuse the return' }).click();
  await expect(returns.getByRole('alert')).toHaveText('Tell the customer why.');
  await returns.getByRole('radio', { name: 'Yes' }).check();
  await expectFit(page);
  await returns.getByRole('button', { name: 'Approve the return' }).click();
  await expect(returns.getByRole('button', { name: 'Record what came back' })).toBeVisible();
  // The list names the day and the return, and stays within a tablet's width.
  await page.goto('/admin/orderlist');
  await expect(
    page
      .getByRole('cell')
      .filter({ hasText: /^Return approved\d{4}-\d\d-\d\d$/ })
      .first(),
  ).toBeVisible();
  await expectFit(page);
  await page.goto(`/admin/orderdetails/${_id}`);
  await returns.getByRole('button', { name: 'Record what came back' }).click();
  await returns.getByRole('button', { name: 'One more Tall Lamp, unsaleable' }).click();
  await expectFit(page);
  await expect(returns.getByText('£25.00 will be left for you to pay back, in cash or by transfer.')).toBeVisible();
  await returns.getByLabel('Amount in pounds').fill('0');
  await expect(returns.getByText('Nothing will be refunded.')).toBeVisible();
  await returns.getByLabel('Amount in pounds').fill('');
  await returns.getByRole('button', { name: 'Record the return, £25.00 to pay back' }).click();
  await expect(returns.getByText(/^Received: /)).toBeVisible();
  const refunds = main.locator('section').filter({ has: page.getByRole('heading', { name: 'Refunds', exact: true }) });
  await expect(refunds.getByRole('listitem')).toContainText('pending, by hand');
  await expect(refunds.getByRole('listitem')).toContainText('Returned, 1 × Tall Lamp');

  await logInAs(buyer);
  await page.goto(`/order/${_id}`);
  await expect(main.getByText('Returned: 1 of 2')).toBeVisible();
  await expect(main.getByText(/£25\.00 (refund pending|refunded)$/)).toBeVisible();

  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist/?queue=refunds');
  await page.getByRole('row').filter({ hasText: _id }).getByRole('link').first().click();
  await refunds.getByRole('button', { name: 'Paid back by transfer' }).click();
  await expect(refunds.getByRole('listitem')).toContainText('done, by transfer');
});

test('once the window is over the page says so and names the rights for faulty goods (§20.9)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const { buyer, _id } = await aDelivered(shop, 'Lara Late');
  await shop.withDatabase(async (db) => {
    await sql`update orders set delivered_at = delivered_at - interval '16 days' where id = ${_id}`.execute(db);
  });
  await logInAs(buyer);
  await page.goto(`/order/${_id}`);
  const main = page.locator('#main');
  await expect(main.getByText('Your order has arrived.', { exact: true })).toBeVisible();
  await expect(main.getByText(/^The 14 days in which you could change your mind ended on /)).toBeVisible();
  await expect(main.getByRole('button', { name: 'Return pieces' })).toHaveCount(0);
  await main.getByText('If something is faulty or not as described').click();
  await expect(main.getByText(/Under the Consumer Rights Act 2015/)).toBeVisible();
  await expect(main.getByText('reject it within 30 days of receiving it, for a full refund;')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});
