import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { fillCartWith, fillCheckout, lineOf, UK_ADDRESS } from './buyer.ts';
import { expect, test } from './fixtures.ts';

test.use({ market: 'uk' });

test('the owner sends small pieces by letter post; the cart goes by it until a sofa joins (§9.9)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const { token } = await shop.admin();
  const path = '/api/settings/delivery';
  const before = await shop.call<SettingsSection>('GET', path, { token });
  const [standard] = before.values.methods as object[];
  const letter = { ...standard, name: 'Letter post', price: 1.5, freeFrom: null };
  await shop.call('PUT', path, { token, body: { version: before.version, values: { ...before.values, methods: [letter, standard] } } });

  await logInAs(await shop.admin());
  await page.goto('/admin/settings?section=delivery');
  await page.getByLabel('Takes').first().selectOption('small pieces');
  await expect(page.getByText('Letter post for small pieces: 5-7 business days: £1.50')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. Customers see it now.')).toBeVisible();

  await logInAs(await shop.aCustomer());
  const swatch = await shop.aProduct({ name: 'Wool Swatch', price: '200', deliveryClass: 'small' });
  const sofa = await shop.aProduct({ name: 'Slate Sofa', price: '30000', deliveryClass: 'two-person' });
  await page.goto(`/product/${sofa._id}`);
  await expect(page.locator('#main')).toContainText(', £49.00');
  await fillCartWith(page, [lineOf(swatch), lineOf(sofa)]);
  await page.goto('/cart');
  const summary = page.getByRole('region', { name: 'Summary', exact: true });
  await expect(summary).toContainText('Delivery£49.00');
  await expect(summary).toContainText('£198.00 to free delivery');
  await expect(summary).not.toContainText('Letter post');
  await page.getByRole('button', { name: 'Remove Slate Sofa' }).click();
  await expect(summary.getByRole('radio', { name: /^Letter post, £1\.50/ })).toBeChecked();
  await expect(summary).toContainText('Total£3.50');
  await page.getByRole('button', { name: 'Cash on delivery' }).click();
  await fillCheckout(page, UK_ADDRESS);
  await page.getByRole('button', { name: 'Place order' }).click();
  await page.getByRole('link', { name: 'See your order' }).click();
  await expect(page.getByText(/^It should arrive .*, by letter post\.$/)).toBeVisible();

  const { version } = await shop.call<SettingsSection>('GET', path, { token });
  await shop.call('PUT', path, { token, body: { version, values: before.values } });
});
