import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures.ts';
import { anOrder, expectFit, rowOf } from './office.ts';

const choose = (page: Page, csv: string | Buffer) =>
  page.getByLabel('CSV file').setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
const doImport = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true });

test('products are exported as CSV, and importing that file again would change nothing', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const { total } = await shop.call<{ total: number }>('GET', '/api/products');
  await logInAs(await shop.admin());
  await page.goto('/admin/productlist/');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
  expect(file.suggestedFilename()).toBe('products.csv');
  const csv = await readFile(await file.path());
  expect(csv.toString()).toContain('Oslo Sofa');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await choose(page, csv);
  const dialog = page.getByRole('dialog', { name: 'Import products' });
  await expect(
    dialog.getByText(`This import would make: 0 new, 0 changed, ${total} unchanged. Nothing has been changed yet.`),
  ).toBeVisible();
  await expect(doImport(page)).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('an import is checked first, shows what it would change, and changes exactly that', async ({ page, shop, logInAs }) => {
  const stool = await shop.aProduct({ name: 'Imported Stool', price: '1000' });
  await logInAs(await shop.admin());
  await page.goto(`/admin/productlist/?search=${stool._id}`);
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await choose(page, `ID;Price (£)\n${stool._id};£25.99\n`);
  const dialog = page.getByRole('dialog', { name: 'Import products' });
  await expect(dialog.getByText('This import would make: 0 new, 1 changed, 0 unchanged.')).toBeVisible();
  await expect(dialog.getByRole('table', { name: 'Changes' }).getByRole('cell')).toHaveText([
    '2',
    'Imported Stool',
    'price from £10.00 to £25.99',
  ]);
  expect((await shop.call<{ price: number }>('GET', `/api/products/${stool._id}`)).price).toBe(1_000);
  await expectFit(page);
  await doImport(page).click();
  await expect(dialog.getByText('Imported: 0 new, 1 changed, 0 unchanged.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(rowOf(page, stool._id)).toContainText('£25.99');
  await page.goto(`/admin/editproduct/${stool._id}`);
  await expect(page.getByText('Ada Admin: Changed by import: price')).toBeVisible();
});

test('a file that was exported before a sale, and edited, shows the stock as a difference and keeps the sale', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const stool = await shop.aProduct({ name: 'Counted Stool', countInStock: '20' });
  await logInAs(await shop.admin());
  await page.goto('/admin/productlist/');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
  const lines = (await readFile(await file.path())).toString().split('\r\n');
  const row = lines.find((line) => line.startsWith(stool._id)) ?? '';
  await anOrder(shop, { product: stool, qty: 3 });
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await choose(page, `${lines[0]}\r\n${row.replace(',499.99,20,', ',499.99,25,')}\r\n`);
  const dialog = page.getByRole('dialog', { name: 'Import products' });
  await expect(dialog.getByRole('table', { name: 'Changes' }).getByRole('cell').last()).toHaveText('stock from 17 to 22');
  await doImport(page).click();
  await expect(dialog.getByText('Imported: 0 new, 1 changed, 0 unchanged.')).toBeVisible();
  expect((await shop.call<{ countInStock: number }>('GET', `/api/products/${stool._id}`)).countInStock).toBe(22);
});

test('an import with errors names each row and heading, says what to write, and imports the others', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const stool = await shop.aProduct({ name: 'Spared Stool', price: '1000' });
  const other = await shop.aProduct({ name: 'Other Stool', price: '1000' });
  await logInAs(await shop.admin());
  await page.goto('/admin/productlist/');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await choose(page, `ID,Price,Count in stock\n${stool._id},cheap,1\nnobody,1,1\n${other._id},12.50,1\n`);
  const table = page.getByRole('table', { name: 'Errors' });
  await expect(table.getByRole('cell')).toHaveText([
    '2',
    'Price',
    'Write pounds, such as 1299.00.',
    '3',
    'ID',
    'No product has this id. Leave the cell empty for a new product.',
  ]);
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    '2 products are left out: correct them and choose the file again, or import the others.',
  );
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import the others' }).click();
  await expect(page.getByText('Imported: 0 new, 1 changed, 0 unchanged.')).toBeVisible();
  expect((await shop.call<{ price: number }>('GET', `/api/products/${other._id}`)).price).toBe(1_250);
  expect((await shop.call<{ price: number }>('GET', `/api/products/${stool._id}`)).price).toBe(1_000);
});

test('low and sold-out products can be picked out of the list, and it can begin with what is scarcest', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const [low, gone] = [
    await shop.aProduct({ name: 'Scarce Shelf', countInStock: '5' }),
    await shop.aProduct({ name: 'Gone Shelf', countInStock: '0' }),
  ];
  await logInAs(await shop.admin());
  await page.goto('/admin/productlist/?search=shelf');
  await page.getByLabel('Stock').selectOption('Low');
  await expect(page).toHaveURL(/stock=low/);
  await expect(rowOf(page, low._id)).toContainText('Low: 5');
  await expect(rowOf(page, gone._id)).toHaveCount(0);
  await page.getByLabel('Stock').selectOption('Sold out');
  await expect(rowOf(page, gone._id)).toContainText('Sold out');
  await page.getByLabel('Stock').selectOption('All');
  await page.getByLabel('Sort').selectOption('Least in stock');
  await expect(page).toHaveURL(/sortBy=stock/);
  await expect(page.getByRole('row').nth(1)).toContainText('Gone Shelf');
});

test('the address of a deleted product leads to the successor that is chosen in the list', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/410|404/);
  const [old, next] = [await shop.aProduct({ name: 'Forgotten Stool' }), await shop.aProduct({ name: 'Following Stool' })];
  await logInAs(await shop.admin());
  await page.goto(`/admin/productlist/?search=${old._id}`);
  await page.getByRole('button', { name: 'Delete Forgotten Stool' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Forgotten Stool was deleted.')).toBeVisible();
  await page.goto(`/product/${old._id}`);
  await expect(page.getByRole('heading', { name: 'Sorry, Page not Found' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'More of the same kind' })).toBeVisible();
  await page.goto(`/admin/productlist/?search=${old._id}&state=deleted`);
  await page.getByRole('button', { name: 'Successor of Forgotten Stool' }).click();
  await page.getByLabel('Address of the other product’s page').fill(`${shop.url}/product/${next._id}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The address of Forgotten Stool redirects to Following Stool.')).toBeVisible();
  await expect(rowOf(page, old._id)).toContainText('Its address redirects to Following Stool');
  await page.goto(`/product/${old._id}`);
  await expect(page).toHaveURL(new RegExp(`/product/${next._id}$`));
  // Within the shop too, without a document from the server; going back leads to where one came from.
  await page.goto('/contact');
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/product/${old._id}`);
  await expect(page.getByRole('heading', { name: 'Following Stool' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/product/${next._id}$`));
});
