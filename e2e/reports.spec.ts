import { readFile } from 'node:fs/promises';
import { expect, panelOf, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

test('the reports show a period beside the one before; its days are chosen by key, and each chart has a table and a file', async ({
  page,
  shop,
  logInAs,
}) => {
  const product = await shop.aProduct({ name: 'Reported Lamp', brand: 'Report & Sons' });
  await anOrder(shop, { product, qty: 2 });
  await logInAs(await shop.admin());
  await page.goto('/admin/today');
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Reports' }).click();
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
  await expect(page.getByText('Orders of returning customers')).toBeVisible();
  await expectFit(page);
  const brands = panelOf(page, 'Brands');
  await brands.getByText('Show as a table').focus();
  await page.keyboard.press('Enter');
  await expect(brands.locator('table').getByText('Report & Sons')).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), brands.getByRole('button', { name: 'Brands (CSV)' }).click()]);
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^\ufeffBrand,Pieces,Amount \(£\),.*\r\n[\s\S]*Report & Sons,2,/);
  await page.getByLabel('Period').selectOption('Last month');
  await expect(page).toHaveURL(/from=\d{4}-\d\d-01&to=/);
  await expect(brands.getByText('Report & Sons')).toHaveCount(0);
  await page.goBack();
  await expect(page.getByLabel('Period')).toHaveValue('days');
});
