import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

test('what is counted is typed into the list, with a reason, and stands in the ledger of the product (§11.6)', async ({
  page,
  shop,
  logInAs,
}) => {
  const admin = await shop.admin();
  const { _id, name } = await shop.aProduct({ countInStock: '5' });
  await logInAs(admin);
  await page.goto('/admin/productlist/');
  await page
    .getByRole('navigation', { name: 'Office' })
    .getByRole('link', { name: /^Stock/ })
    .click();
  // The list of products, which is left, has a search of the same name.
  await expect(page.getByRole('heading', { name: 'Stock', level: 1 })).toBeVisible();
  await page.getByLabel('Find by id').fill(_id);
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByRole('status').filter({ hasText: '1 product' })).toBeVisible();
  const counted = page.getByLabel(`Counted of ${name}`);
  const enter = page.getByRole('button', { name: /Enter this count/ });
  await expect(enter).toBeDisabled();
  await counted.fill('three');
  await expect(page.getByText('A whole number, please')).toBeVisible();
  await counted.fill('3');
  await page.getByLabel(`Reason for the difference of ${name}`).selectOption('Damaged');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await enter.click();
  await expect(page.getByText('Entered: 0 as expected, 1 different.')).toBeVisible();
  await expect(counted).toHaveValue('');
  await page.getByRole('link', { name, exact: true }).click();
  const ledger = page.getByRole('table', { name: 'Stock movements' });
  await expect(ledger).toContainText('Damaged');
  await expect(ledger).toContainText('−2 → 3');
});
