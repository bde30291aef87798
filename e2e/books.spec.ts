import { readFile } from 'node:fs/promises';
import { aCardOrder } from './buyer.ts';
import { expect, test } from './fixtures.ts';

// The shop of this market is registered for VAT.
test.use({ market: 'uk' });

test('one line of a card order is cancelled, the other comes back: invoice, credit notes, the books and the provider agree', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const { buyer, id, payment } = await aCardOrder(shop, 'Wanda Whole');
  const { reference } = await shop.call<{ reference: string }>('GET', `/api/orders/${id}`, { token: buyer.token });
  const main = page.locator('#main');
  const sectionOf = (heading: string) => main.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) });
  const press = (name: string) => main.getByRole('button', { name, exact: true }).click();

  await logInAs(buyer);
  await page.goto(`/order/${id}`);
  await press('Cancel order');
  await main.getByRole('checkbox', { name: '2 × Kept Lamp' }).uncheck();
  await main.getByLabel('Reason').selectOption('I changed my mind');
  await press('Cancel the chosen pieces');
  await expect(main.getByText('Part of your order is cancelled.')).toBeVisible();

  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${id}`);
  await press('Mark as dispatched');
  await main.getByLabel('Carrier').selectOption('DPD');
  await main.getByLabel('Tracking number').fill('1550 1234');
  await press('Dispatch');
  await expect(main.getByText(/^Dispatched at: /)).toBeVisible();
  await press('Mark as delivered');
  await expect(main.getByText(/^Delivered at: /)).toBeVisible();

  await logInAs(buyer);
  await page.goto(`/order/${id}`);
  await press('Return pieces');
  for (const _ of [1, 2]) await press('One more Kept Lamp');
  await main.getByLabel('Reason').selectOption('It does not fit');
  await press('Request a return');
  await expect(main.getByText('We have your request and will reply by the next working day.')).toBeVisible();

  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${id}`);
  await press('Answer the return');
  await main.getByRole('radio', { name: 'Yes' }).check();
  await press('Approve the return');
  await press('Record what came back');
  await main.getByRole('button', { name: /^Record the return and refund £/ }).click();
  await expect(sectionOf('Returns').getByText(/^Received: /)).toBeVisible();
  // The provider is asked by a job.
  await expect(async () => {
    await page.reload();
    await expect(sectionOf('Refunds').getByRole('listitem').filter({ hasText: 'done' })).toHaveCount(2, { timeout: 1_000 });
  }).toPass();
  // The delivery of £49.00 goes back with the last pieces.
  await expect(sectionOf('Invoice').getByRole('link')).toHaveText([/^VAT invoice INV-/, /^Credit note CN-/, /^Credit note CN-/]);
  await page.goto('/admin/orderlist');
  const [file] = await Promise.all([page.waitForEvent('download'), press('Export VAT and sales')]);
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n').filter((line) => line.includes(reference));
  expect(lines.map((line) => line.split('20%,')[1])).toEqual(['33250,6650,39900', '-25000,-5000,-30000', '-8250,-1650,-9900']);

  await page.goto(payment);
  await expect(page.getByRole('listitem')).toHaveText([/£300\.00refunded/, /£99\.00refunded/]);
  await expect(page.getByText('Everything was refunded.')).toBeVisible();

  await logInAs(buyer);
  await page.goto(`/order/${id}`);
  await expect(sectionOf('Refunds').getByRole('listitem')).toContainText(['£300.00 refunded', '£99.00 refunded']);
});
