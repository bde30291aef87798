import { readFile } from 'node:fs/promises';
import type { Order } from '../src/contract/orders/orders.ts';
import { fillCart, fillCheckout, UK_ADDRESS } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, logOut, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

// The shop of this market is registered for VAT.
test.use({ market: 'uk' });
// One worker and its shop for all: each market takes a shop of its own.
test.describe.configure({ mode: 'default' });

test('a customer reads the VAT of an order, has its pro forma until it is paid, then opens its invoice, prints it and has it as a PDF (§22.4, §22.9)', async ({
  page,
  shop,
  logInAs,
}) => {
  const buyer = await shop.aCustomer('Inga Invoiced');
  const { _id, reference } = await anOrder(shop, { buyer, product: await shop.aProduct({ name: 'Invoiced Sofa', price: '60000' }) });
  await logInAs(buyer);
  await page.goto(`/order/${_id}`);
  const main = page.locator('#main');
  await expect(main.getByText('VAT at 20%')).toBeVisible();
  await expect(main.getByText('£100.00', { exact: true })).toBeVisible();
  await expect(main.getByText('The invoice follows once the order is paid or sent.')).toBeVisible();
  await expectAccessible(page);
  await main.getByRole('link', { name: `Pro forma invoice ${reference}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Pro forma invoice ${reference}`);
  await expect(main.getByText(/^This is not a VAT invoice\. .* Prices and amounts include VAT at 20%/)).toBeVisible();
  await shop.call('PUT', `/api/orders/${_id}/cash`, { token: (await shop.admin()).token, body: { isPaid: true } });
  await main.getByRole('link', { name: 'Back to the order' }).click();
  await page.reload();
  await main.getByRole('link', { name: /^VAT invoice INV-\d{6}$/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^VAT invoice INV-\d{6}$/);
  for (const text of ['Hearth & Oak Ltd', 'VAT number GB123456789', 'Inga Invoiced', 'Invoiced Sofa', '£500.00', '£100.00', '£600.00'])
    await expect(main.getByText(text).first()).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const [file] = await Promise.all([page.waitForEvent('download'), main.getByRole('button', { name: 'Download PDF' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^INV-\d{6}\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
  await page.emulateMedia({ media: 'print' });
  await expect(main.getByText('Invoiced Sofa')).toBeVisible();
  for (const gone of ['Print', 'Download PDF', 'Back to the order', 'Terms of use'])
    await expect(page.getByText(gone).first()).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await main.getByRole('link', { name: 'Back to the order' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order ${reference}`);
});

test('an administrator opens the credit note of what was cancelled, and exports the quarter for the books (§22.4)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const buyer = await shop.aCustomer('Cleo Credited');
  const { _id, reference } = await anOrder(shop, {
    buyer,
    qty: 2,
    product: await shop.aProduct({ name: 'Credited Chair', price: '30000' }),
  });
  const admin = await shop.admin();
  for (const isPaid of [true, false]) await shop.call('PUT', `/api/orders/${_id}/cash`, { token: admin.token, body: { isPaid } });
  await shop.call<Order>('POST', `/api/orders/${_id}/cancel`, { token: buyer.token, body: { reason: 'Another reason' } });
  await logInAs(admin);
  await page.goto(`/admin/orderdetails/${_id}`);
  const main = page.locator('#main');
  await expectFit(page);
  await main.getByRole('link', { name: /^Credit note CN-\d{6}$/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Credit note CN-\d{6}$/);
  await expect(main.getByText(/^INV-\d{6} of /)).toBeVisible();
  await expect(main.getByText('2 × Credited Chair')).toBeVisible();
  await expectFit(page);
  await page.goto('/admin/orderlist/');
  const [file] = await Promise.all([page.waitForEvent('download'), main.getByRole('button', { name: 'Export VAT and sales' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^vat-\d{4}-Q[1-4]\.csv$/);
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n').filter((line) => line.includes(reference));
  expect(lines).toEqual([expect.stringContaining('20%,50000,10000,60000'), expect.stringContaining('20%,-50000,-10000,-60000')]);
});

test('a business types its name, VAT number and order number in the cart, and has them on its invoice (§22.8)', async ({
  page,
  shop,
  logInAs,
}) => {
  await logInAs(await shop.aCustomer('Bea Buyer'));
  await fillCart(page, await shop.aProduct({ name: 'Business Lamp', price: '20000' }));
  await page.goto('/cart');
  await page.getByText('Buying for a business?').click();
  await page.getByLabel('Company name').fill('Acme Studios Ltd');
  await page.getByLabel('VAT number').fill('GB<1');
  await expect(page.getByText('Write the VAT number with letters and digits')).toBeVisible();
  await page.getByLabel('VAT number').fill('GB 987 6543 21');
  await page.getByLabel('Your order number').fill('PO-17');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Cash on delivery' }).click();
  await fillCheckout(page, UK_ADDRESS);
  await page.getByRole('button', { name: /^Place order/ }).click();
  await page.getByRole('link', { name: 'See your order' }).click();
  await expect(page.getByText('For a business: Acme Studios Ltd, VAT number GB 987 6543 21, order number PO-17')).toBeVisible();
  await page.getByRole('link', { name: /^Pro forma invoice / }).click();
  for (const text of ['Acme Studios Ltd', 'VAT number GB 987 6543 21', 'PO-17'])
    await expect(page.locator('#main').getByText(text, { exact: true })).toBeVisible();
  await logOut(page);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Acme');
});
