import { expect, test } from './fixtures.ts';

test('where the pieces of the sizes are not those in stock, the form says how many they are', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  await logInAs(await shop.admin());
  await page.goto('/admin/createproduct/');
  const stock = page.getByLabel('Count In Stock');
  await stock.fill('4');
  await expect(stock).not.toHaveAccessibleDescription(/sizes/);
  await page.getByRole('button', { name: 'Add size' }).click();
  await page.getByLabel('Quantity').fill('7');
  await expect(stock).toHaveAccessibleDescription('The sizes add up to 7.');
  await page.getByRole('button', { name: 'Use the sum' }).click();
  await expect(stock).toHaveValue('7');
  await expect(stock).not.toHaveAccessibleDescription(/sizes/);
});
