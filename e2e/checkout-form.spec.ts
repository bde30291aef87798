import type { Page } from '@playwright/test';
import { fillCart } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, type Shop, test } from './fixtures.ts';

/** The checkout of a customer with one piece in the cart. */
async function openCheckout(page: Page, shop: Shop, logInAs: (account: Awaited<ReturnType<Shop['aCustomer']>>) => Promise<void>) {
  const sofa = await shop.aProduct({ name: 'Form Sofa', countInStock: '5' });
  const customer = await shop.aCustomer();
  await logInAs(customer);
  await fillCart(page, sofa);
  await page.goto('/checkout');
  return { sofa, customer };
}

const alert = (page: Page) => page.locator('#main').getByRole('alert');

test('what is bought stands above the form on a phone and beside it elsewhere, what is required is marked, and the button says the amount (§2.9.1, U31, U39)', {
  tag: '@phone',
}, async ({ page, shop, logInAs, isMobile }) => {
  await openCheckout(page, shop, logInAs);
  const summary = page.getByRole('region', { name: 'Cart summary' });
  await expect(summary).toContainText(/Arrives\w{3}\s\d+\s\w{3} – \w{3}\s\d+\s\w{3}ShippingFreeTotal price£499\.99/);
  const [above, form] = [await summary.boundingBox(), await page.locator('main form').boundingBox()];
  if (!above || !form) throw new Error('Nothing is shown.');
  if (isMobile) expect(above.y + above.height).toBeLessThanOrEqual(form.y);
  else expect(above.x).toBeGreaterThanOrEqual(form.x + form.width);
  await expect(page.getByText('Fields marked * are required.')).toBeVisible();
  const markOf = (label: string) =>
    page.locator('label', { hasText: label }).evaluate((element) => getComputedStyle(element, '::after').content);
  expect(await markOf('City')).toContain('*');
  expect(await markOf('Address line 2 (optional)')).toBe('none');
  await expect(page.getByRole('textbox', { name: 'City', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Place order £499.99' })).toBeVisible();
  await expect(page.getByText('Nothing is charged now. You pay £499.99 in cash when your order arrives.')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('the ZIP code is judged again when the country changes, and what is corrected is no longer said (§2.9.1, U34)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  await openCheckout(page, shop, logInAs);
  const [zip, country] = [page.getByLabel('ZIP code'), page.getByLabel('Country')];
  const hint = 'For a UK address, choose United Kingdom.';
  await zip.focus();
  await zip.press('Tab');
  await expect(zip).toHaveAccessibleDescription(hint);
  await zip.fill('LS1 4AP');
  await expect(zip).toHaveAccessibleDescription(hint);
  await zip.press('Tab');
  await expect(zip).toHaveAccessibleDescription(`ZIP code must be 5 digits ${hint}`);
  await country.selectOption('United Kingdom');
  await expect(zip).toHaveAccessibleDescription('Your postcode, such as LS1 4AP.');
  await expect(zip).not.toHaveAttribute('aria-invalid');
  await expect(page.getByLabel('State (optional)')).toBeVisible();
  await country.selectOption('Pakistan');
  await expect(zip).toHaveAccessibleDescription(`ZIP code must be 5 digits ${hint}`);
  await country.press('Tab');
  await expect(zip).toBeFocused();

  await page.getByLabel('Payment method').selectOption('Online Payment');
  await expect(page.getByLabel('Payment ID')).toHaveValue('');
  await page.getByRole('button', { name: 'Place order' }).click();
  const links = alert(page).getByRole('link');
  await expect(links).toContainText(['City is required', 'State is required', 'ZIP code must be 5 digits', 'Payment ID is required']);
  await page.getByLabel('Payment method').selectOption('Cash on Delivery');
  await expect(links.filter({ hasText: 'Payment ID' })).toHaveCount(0);
  await page.getByLabel('City').fill('Leeds');
  await expect(links.filter({ hasText: 'City' })).toHaveCount(0);
  await expect(page.getByLabel('City')).not.toHaveAttribute('aria-invalid');
  await expect(links.filter({ hasText: 'State' })).toHaveCount(1);
});
