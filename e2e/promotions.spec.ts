import { PAYER } from '../src/sandbox/payer.ts';
import { fillCartWith, lineOf, paidOrderOf } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { expectFit } from './office.ts';

test('the owner makes a code and an automatic promotion; a customer types the code by keyboard, pays by card, and a cancelled line gives back what was paid for it', async ({
  page,
  shop,
  logInAs,
}) => {
  const names = { code: 'Friends', automatic: 'Lamp week' };
  const code = 'FRIENDS-10';
  const brand = 'Coded';
  const chair = await shop.aProduct({ name: 'Coded Chair', price: '3333', brand });
  const lamp = await shop.aProduct({ name: 'Coded Lamp', price: '1999', brand });
  const admin = await shop.admin();
  await logInAs(admin);
  await page.goto('/admin/promotions');
  const section = page.getByRole('region', { name: 'Codes and automatic promotions' });
  const create = async (fill: () => Promise<void>, name: string) => {
    await section.getByRole('button', { name: 'New code or promotion' }).click();
    await section.getByLabel('Name', { exact: true }).fill(name);
    const pieces = section.getByRole('group', { name: 'Only these pieces' });
    await pieces.getByLabel('Name, SKU or ID of the piece').fill(`${chair._id} ${lamp._id}`);
    await pieces.getByRole('button', { name: 'Find piece' }).click();
    await pieces.getByRole('button', { name: 'Add 2 pieces with these IDs' }).click();
    await expect(pieces.getByRole('listitem')).toContainText(['Coded Chair', 'Coded Lamp']);
    await fill();
    await section.getByRole('button', { name: 'Create the promotion' }).click();
  };
  await create(async () => {
    await section.getByLabel('Code', { exact: true }).fill('!');
    await section.getByRole('button', { name: 'Create the promotion' }).click();
    await expect(section.getByText('A code has 3 to 30 letters, digits and hyphens').first()).toBeVisible();
    await section.getByLabel('Code', { exact: true }).fill(code.toLowerCase());
    await section.getByLabel('Total uses').fill('1');
    await expectAccessible(page);
  }, names.code);
  await expect(section.getByText(`${names.code} is saved.`)).toBeVisible();
  await create(async () => {
    await section.getByLabel('How it applies').selectOption('Automatically');
    await section.getByLabel('What it does').selectOption('Amount off');
    await section.getByLabel('Amount (£)').fill('5.00');
    await section.getByLabel('Minimum spend (£)').fill('100');
  }, names.automatic);
  await expect(section.getByText(`${names.automatic} is saved.`)).toBeVisible();
  await create(async () => section.getByLabel('Code', { exact: true }).fill(`${code}-BRIEF`), 'A mistake');
  await section.getByRole('button', { name: 'Delete A mistake' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(section.getByText('A mistake was deleted.')).toBeVisible();
  await expect(section.getByRole('row', { name: 'A mistake' })).toHaveCount(0);
  const row = section.getByRole('row', { name: names.code });
  await expect(row).toContainText('10% off');
  await expect(row).toContainText('0 of 1');
  await expectAccessible(page);
  await expectFit(page);

  const buyer = await shop.aCustomer('Dora Discount');
  await logInAs(buyer);
  await fillCartWith(page, [lineOf(chair, 3), lineOf(lamp)]);
  await page.goto('/cart');
  const summary = page.getByRole('region', { name: 'Summary' });
  // £119.98, of which £5.00 go by themselves.
  await expect(summary.getByText(`Discount: ${names.automatic}`)).toBeVisible();
  await expect(summary.getByText('−£5.00')).toBeVisible();
  await expect(summary.getByText('£114.98')).toBeVisible();
  const field = summary.getByRole('textbox', { name: 'Discount code' });
  const unknown = 'We don’t know this code. Please check its spelling.';
  await summary.getByText('Discount code', { exact: true }).press('Enter');
  await field.fill('friend-10');
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription(unknown);
  await page.goto('/checkout');
  await expect(page.getByRole('region', { name: 'Cart summary' })).toContainText(`Code FRIEND-10 is not applied. ${unknown}`);
  await page.getByRole('link', { name: 'Change the code in your cart' }).press('Enter');
  await expect(field).toHaveValue('friend-10');
  await field.fill(' friends 10');
  await expect(field).toHaveAccessibleDescription('');
  await field.press('Enter');
  await expect(summary.getByText(`Code ${code} is applied.`)).toBeVisible();
  await expect(summary.getByText('−£11.50')).toBeVisible();
  await expect(summary.getByText('£103.48')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.reload();
  await expect(summary.getByText('£103.48')).toBeVisible();
  await page.goto('/checkout');
  await expect(page.getByRole('button', { name: 'Place order £103.48' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Cart summary' }).getByText('−£16.50')).toBeVisible();
  await page.goto('/cart');
  await expect(summary.getByText('£103.48')).toBeVisible();

  await summary.getByRole('button', { name: 'Checkout' }).click();
  await page.waitForURL(/\/pay\//);
  await expect(page.getByText(`${names.automatic}, ${names.code}`)).toBeVisible();
  await expect(page.getByText('-£16.50')).toBeVisible();
  await fetch(page.url(), { method: 'POST', body: new URLSearchParams(PAYER), redirect: 'manual' });
  const id = await paidOrderOf(shop, buyer);
  await page.goto(`${shop.url}/order/${id}`);
  const main = page.locator('#main');
  await expect(main.getByText(`Discount: ${names.code}`)).toBeVisible();
  await expect(main.getByText('−$11.50')).toBeVisible();
  await expect(main.getByText('$103.48')).toBeVisible();
  await main.getByRole('button', { name: 'Cancel order' }).click();
  await main.getByRole('checkbox', { name: '3 × Coded Chair' }).uncheck();
  await main.getByLabel('Reason').selectOption('I changed my mind');
  await main.getByRole('button', { name: 'Cancel the chosen pieces' }).click();
  // £19.99 less its part of both discounts: 84 and 192 pence.
  await expect(main.getByText(/£17\.23 (refund pending|refunded)$/)).toBeVisible();
  await expectAccessible(page);

  await logInAs(admin);
  await page.goto(`/admin/orderdetails/${id}`);
  await expect(main.getByText('−£11.50')).toBeVisible();
  await page.goto('/admin/promotions');
  await expect(row).toContainText('1 of 1');
  await expect(row).toContainText('Used up');
  for (const name of [names.code, names.automatic]) {
    await section.getByRole('button', { name: `Switch off ${name}` }).click();
    await expect(section.getByText(`${name} is switched off.`)).toBeVisible();
  }
});

test('the pieces of a sale are chosen by name; ending it asks first, and names the price that the piece has again', async ({
  page,
  shop,
  logInAs,
}) => {
  await shop.aProduct({ name: 'Callow Lamp', price: '8900' });
  await logInAs(await shop.admin());
  await page.goto('/admin/promotions');
  const sale = page.getByRole('region', { name: 'New sale' });
  await sale.getByLabel('Name, SKU or ID of the piece').fill('callow');
  await sale.getByLabel('Name, SKU or ID of the piece').press('Enter');
  await sale.getByRole('button', { name: 'Add Callow Lamp, £89.00' }).click();
  await sale.getByLabel('Reduction in per cent').fill('10');
  await sale.getByLabel('Until').fill(new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 16));
  await sale.getByRole('button', { name: 'Show the prices' }).click();
  await sale.getByRole('button', { name: 'Set the sale price of 1 piece' }).click();
  const sales = page.getByRole('region', { name: 'Pieces on sale' });
  const end = sales.getByRole('button', { name: 'End the sale of Callow Lamp' });
  await end.click();
  const dialog = page.getByRole('dialog', { name: 'End this sale now?' });
  await expect(dialog).toContainText('Callow Lamp costs £89.00 again.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(end).toBeVisible();
  await end.click();
  await dialog.getByRole('button', { name: 'End the sale' }).click();
  await expect(sales.getByText('The sale of Callow Lamp has ended.')).toBeVisible();
  await expect(end).toBeHidden();
});

test('a code that nobody made is sent once, and one that could not be checked is not refused', { tag: '@thorough' }, async ({
  page,
  shop,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/Failed to load resource: net::ERR_FAILED/);
  const lamp = await shop.aProduct({ name: 'Guessed Lamp', price: '5000' });
  await shop.aCode('GUESSED-10', lamp);
  const sent: string[] = [];
  page.on('request', (asked) => {
    if (asked.url().endsWith('/api/cart/discount')) sent.push((asked.postDataJSON() as { code: string }).code);
  });
  await fillCartWith(page, [lineOf(lamp)]);
  await page.goto('/cart');
  const summary = page.getByRole('region', { name: 'Summary' });
  const type = async (text: string) => {
    await summary.getByRole('textbox', { name: 'Discount code' }).fill(text);
    await summary.getByRole('button', { name: 'Apply' }).click();
  };
  await summary.getByText('Discount code', { exact: true }).click();
  await type('never-made');
  const unknown = summary.getByText('We don’t know this code. Please check its spelling.');
  await expect(unknown).toBeVisible();
  // As if the page were left before the answer.
  await page.route('**/api/cart/discount', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'One more Guessed Lamp' }).click();
  await expect(summary.getByText('£100.00').first()).toBeVisible();
  await page.reload();
  await expect(unknown).toBeVisible();
  await expect.poll(() => sent.at(-1)).toBe('');
  expect(sent.filter((code) => code === 'never-made')).toHaveLength(1);
  await summary.getByRole('button', { name: 'Remove the code' }).click();
  await expect(summary.getByText('Discount code', { exact: true })).toBeFocused();
  await page.keyboard.press('Enter');

  await page.route('**/api/cart/discount', (route) => route.abort());
  await type('guessed-10');
  await expect(summary.getByText('We can’t reach the shop. Please check your connection and try again.')).toBeVisible();
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('cartDiscount') ?? '{}') as object);
  expect(kept).toMatchObject({ code: 'guessed-10' });
  expect(kept).not.toHaveProperty('refusal');
  await page.unroute('**/api/cart/discount');
  await summary.getByRole('button', { name: 'Apply' }).click();
  await expect(summary.getByText('Code GUESSED-10 is applied.')).toBeVisible();
  await expect(summary.getByText('−£10.00')).toBeVisible();
});
