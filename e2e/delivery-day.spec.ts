import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { fillCart, fillCheckout, UK_ADDRESS } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

test.use({ market: 'uk' });

test('where the owner allows it a day is chosen in the cart, can be changed at the checkout, and one that is lost meanwhile loses nothing else (§23.7)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/409/);
  const { token } = await shop.admin();
  const path = '/api/settings/delivery';
  const change = async (changes: object) => {
    const { version, values } = await shop.call<SettingsSection>('GET', path, { token });
    await shop.call('PUT', path, { token, body: { version, values: { ...values, ...changes } } });
  };
  await logInAs(await shop.admin());
  await page.goto('/admin/settings?section=delivery');
  await page.getByLabel('Customers choose from (days)').first().fill('10');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. Customers see it now.')).toBeVisible();

  const customer = await shop.aCustomer();
  await logInAs(customer);
  await fillCart(page, await shop.aProduct({ name: 'Timely Lamp', price: '20000' }));
  await page.goto('/cart');
  const day = page.getByLabel('Day of delivery (optional)');
  await expect(day).toHaveValue('');
  await expect(day.locator('option')).toHaveCount(11);
  const texts = await day.locator('option').allTextContents();
  await day.selectOption({ index: 3 });
  await page.getByRole('button', { name: 'Cash on delivery' }).click();
  await expect(day.locator('option:checked')).toHaveText(texts[3] ?? '');
  const summary = page.getByRole('region', { name: 'Cart summary' });
  await expect(summary).toContainText(`Arrives${texts[3]}Shipping`);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await fillCheckout(page, UK_ADDRESS);

  const { options } = await shop.call<{ options: { days: string[] }[] }>('GET', '/api/delivery');
  const lost = options[0]?.days[2] ?? '';
  await change({ calendar: [{ from: lost, to: lost, what: 'closed', note: '' }] });
  await page.getByRole('button', { name: 'Place order' }).click();
  await expect(page.locator('#main').getByRole('alert')).toContainText('We can no longer deliver on');
  await expect(day).toHaveAccessibleDescription(/^We can no longer deliver on .* Please choose again\.$/);
  await expect(page.getByLabel('Address line 1')).toHaveValue('1 High Street');
  await day.selectOption({ index: 2 });
  await expect(day).toHaveAccessibleDescription('');
  await page.getByRole('button', { name: 'Place order' }).click();
  await expect(page).toHaveURL(`${shop.url}/`);
  await page.getByRole('link', { name: 'See your order' }).click();
  await expect(page.getByText(`It should arrive ${texts[2]}, the day that you chose, by standard delivery.`)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('deliveryDay'))).toBeNull();

  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist');
  await expect(page.getByText(`for ${texts[2]}`).first()).toBeVisible();
  await page.getByRole('link', { name: `Details of the order of ${customer.name}` }).click();
  await expect(page.getByText(`Standard delivery, chosen for ${texts[2]}`).first()).toBeVisible();
});
