import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

test('an owner makes a key, which is shown once and works, and a webhook, whose test is listed with what came of it (§13.7, §24.1)', async ({
  page,
  shop,
  logInAs,
}) => {
  await logInAs(await shop.admin());
  await page.goto('/admin/settings?section=integrations');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await expect(page.getByRole('alert')).toContainText('Choose what the key may do');
  await page.getByLabel('What uses it').fill('Courier');
  await page.getByLabel('Last day').fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole('checkbox', { name: 'See orders' }).check();
  await page.getByRole('button', { name: 'Make a key' }).click();
  const key = await page.getByLabel('The new key').inputValue();
  await expect(page.getByRole('table', { name: 'API keys' })).toContainText('see orders');
  await shop.call('GET', '/api/orders', { token: key });
  await page.getByLabel('Address').fill('https://localhost/told');
  await page.getByRole('checkbox', { name: 'Stock: each movement' }).check();
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await expect(page.getByLabel('The secret of the new webhook')).toHaveValue(/^whsec_/);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByText('A test is on its way to https://localhost/told.')).toBeVisible();
  await expect(async () => {
    await page.getByRole('button', { name: 'Reload the list' }).click();
    await expect(page.getByText('localhost is not an address of the public internet.')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('https://localhost/told', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete the key Courier' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('The key Courier no longer works.')).toBeVisible();
});
