import { aCardOrder } from './buyer.ts';
import { expect, panelOf, payWithCard, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

test('staff change size and number of a cash order and add a lamp; they see what it comes to first, and the customer owes the new sum (§20.14)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/409/);
  const sizes = JSON.stringify([
    { size: 'Two-seat', quantity: 9, price: 40_000 },
    { size: 'Three-seat', quantity: 9, price: 50_000 },
  ]);
  const sofa = await shop.aProduct({ name: 'Corrected Sofa', price: '40000', sizes });
  const lamp = await shop.aProduct({ name: 'Correcting Lamp', price: '5000' });
  const { _id } = await anOrder(shop, { product: { ...sofa, size: 'Two-seat' }, qty: 2 });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${_id}`);
  const panel = panelOf(page, 'Correct the order');
  await panel.getByRole('button', { name: 'Change the pieces' }).press('Enter');
  const back = panel.getByRole('checkbox', { name: 'Put back in stock' });
  await expect(back).toHaveCount(0);
  await panel.getByRole('button', { name: 'One fewer Corrected Sofa' }).press('Enter');
  await back.uncheck();
  await panel.getByLabel('Size').selectOption('Three-seat');
  await panel.getByLabel('Name or SKU of the product').fill('Correcting Lamp');
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Add Correcting Lamp, £50.00' }).press('Enter');
  await panel.getByRole('button', { name: 'See what it comes to' }).click();
  await expect(panel.getByText('Taken off: 2 × Corrected Sofa (Two-seat)')).toBeVisible();
  await expect(panel.getByText('The customer will have £250.00 less to pay.')).toBeVisible();
  await expectFit(page);
  // A price that changes meanwhile is shown before anything else happens.
  await shop.withDatabase(async (db) => void (await db.updateTable('products').set({ price: 6_000 }).where('id', '=', lamp._id).execute()));
  await panel.getByRole('button', { name: 'Change the order' }).press('Enter');
  await expect(panel.getByRole('alert')).toHaveText('This now means: £240.00 less. Please check again.');
  await panel.getByRole('button', { name: 'See what it comes to' }).press('Enter');
  await expect(panel.getByText('The customer will have £240.00 less to pay.')).toBeVisible();
  await panel.getByRole('button', { name: 'Change the order' }).press('Enter');
  await expect(
    page.getByText('not put back in stock. Added: 1 × Corrected Sofa (Three-seat), 1 × Correcting Lamp. £240.00 less'),
  ).toBeVisible();
  const summary = panelOf(page, 'Order Summary');
  await expect(summary).toContainText(/Cancelled−£800\.00.*Total.*560\.00/);
});

test('an order that was paid in cash costs more once the difference is recorded as more money, which the change uses (§20.15)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/409/);
  const customer = await shop.aCustomer();
  const { _id } = await anOrder(shop, { product: await shop.aProduct({ name: 'Paid Lamp', price: '5000' }), buyer: customer });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${_id}`);
  const main = page.locator('#main');
  await main.getByRole('button', { name: 'Record cash received' }).click();
  await expect(main.getByRole('button', { name: 'Undo cash received' })).toBeVisible();
  const panel = panelOf(page, 'Correct the order');
  const change = async () => {
    await panel.getByRole('button', { name: 'Change the pieces' }).click();
    await panel.getByRole('button', { name: 'One more Paid Lamp' }).click();
    await panel.getByRole('button', { name: 'See what it comes to' }).click();
  };
  await change();
  await expect(panel.getByRole('alert')).toHaveText(
    'This would cost £50.00 more, and the order is paid. Once the customer has paid £50.00, press “Record more money”, then change the order.',
  );
  await expectFit(page);
  await panel.getByRole('button', { name: 'Keep the order' }).click();
  await main.getByRole('button', { name: 'Record more money' }).click();
  await main.getByLabel('Money received, in pounds').fill('50');
  await main.getByLabel('How it was paid').selectOption('By transfer');
  await main.getByRole('button', { name: 'Record £50.00' }).click();
  await expect(main.getByText('£50.00 to pay back')).toBeVisible();
  await change();
  await expect(panel.getByText('£50.00 of what came in besides will pay for it.')).toBeVisible();
  await expectFit(page);
  await panel.getByRole('button', { name: 'Change the order' }).click();
  await expect(main.getByText('£50.00 used for the order')).toBeVisible();
  await expect(main.getByText('Not Paid')).toHaveCount(0);
  await expectFit(page);
  // An undo asks first while something is to be paid back.
  await shop.call('POST', `/api/orders/${_id}/cancel`, { token: customer.token, body: { lines: [0], reason: 'Another reason' } });
  await page.reload();
  await main.getByRole('button', { name: 'Undo cash received' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('£50.00 is then no longer to be paid back.');
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Undo cash received' }).click();
  await expect(main.getByText('Not Paid')).toBeVisible();
  // What came in before counts: the form asks for the rest.
  await expect(main.getByText('£50.00 counts towards what is due')).toBeVisible();
  await main.getByRole('button', { name: 'Record cash received' }).click();
  await expect(main.getByText(/^£50\.00 came in before\. £[\d.,]+ is due\. Enter all that came in now\.$/)).toBeVisible();
  await expectFit(page);
  await main.getByRole('button', { name: /^Record( £|$)/ }).click();
  await expect(main.getByText('Not Paid')).toHaveCount(0);
  await expect(main.getByText('£50.00 used for the order')).toBeVisible();
});

test('a card order that costs more waits for its customer, who pays the difference by the link; then it has changed (§20.15)', async ({
  page,
  shop,
  logInAs,
}) => {
  const { buyer, id } = await aCardOrder(shop, 'Lena Link');
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${id}`);
  const panel = panelOf(page, 'Correct the order');
  await panel.getByRole('button', { name: 'Change the pieces' }).click();
  await panel.getByRole('button', { name: 'One more Kept Lamp' }).click();
  await panel.getByRole('button', { name: 'See what it comes to' }).click();
  await expect(panel.getByText('The customer gets a link to pay £25.00 more within 48 hours.')).toBeVisible();
  await panel.getByRole('button', { name: 'Send the link' }).click();
  await expect(panel.getByText('The customer can pay £25.00 until')).toBeVisible();
  await expectFit(page);
  await logInAs(buyer);
  await page.goto(`/order/${id}`);
  await expect(page.getByText('To be added: 1 × Kept Lamp')).toBeVisible();
  await expectFit(page);
  await page.getByRole('button', { name: 'Pay £25.00' }).click();
  await expect(page.getByText(/^Change of order/)).toBeVisible();
  await expect(page.getByLabel('Postcode')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Pay £25.00' })).toBeVisible();
  // The page knows nobody: the mail's link leads to the same one.
  await page.getByLabel('Email').fill(buyer.email);
  await payWithCard(page);
  await expect(page).toHaveURL(`${shop.url}/order/${id}`);
  await expect(page.getByRole('heading', { name: 'Change of your order' })).toHaveCount(0);
  await expect(page.getByText('$375.00').first()).toBeVisible();
});
