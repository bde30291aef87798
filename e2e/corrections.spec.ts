import { expect, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

test('staff change size and number of a cash order and add a lamp; they see what it comes to first, and the customer owes the new sum (§20.14) @phone', async ({
  page,
  shop,
  logInAs,
}) => {
  const sizes = JSON.stringify([
    { size: 'Two-seat', quantity: 9, price: 40_000 },
    { size: 'Three-seat', quantity: 9, price: 50_000 },
  ]);
  const sofa = await shop.aProduct({ name: 'Corrected Sofa', price: '40000', sizes });
  await shop.aProduct({ name: 'Correcting Lamp', price: '5000' });
  const { _id } = await anOrder(shop, { product: { ...sofa, size: 'Two-seat' }, qty: 2 });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${_id}`);
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Correct the order' }) });
  await panel.getByRole('button', { name: 'Change the pieces' }).press('Enter');
  await panel.getByRole('button', { name: 'One fewer Corrected Sofa' }).press('Enter');
  await panel.getByLabel('Size').selectOption('Three-seat');
  await panel.getByLabel('Name of the product').fill('Correcting Lamp');
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Add Correcting Lamp, £50.00' }).press('Enter');
  await panel.getByRole('button', { name: 'See what it comes to' }).click();
  await expect(panel.getByText('Taken off: 2 × Corrected Sofa (Two-seat)')).toBeVisible();
  await expect(panel.getByText('The customer will have £250.00 less to pay.')).toBeVisible();
  await expectFit(page);
  await panel.getByRole('button', { name: 'Change the order' }).press('Enter');
  await expect(page.getByText('Added: 1 × Corrected Sofa (Three-seat), 1 × Correcting Lamp. £250.00 less')).toBeVisible();
  const summary = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Order Summary' }) });
  await expect(summary).toContainText(/Cancelled.*800\.00.*Left to pay.*550\.00/);
});
