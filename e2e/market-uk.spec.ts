import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { fillCart } from './buyer.ts';
import { expect, expectAccessible, holdBack, payByCard, test } from './fixtures.ts';

test.use({ market: 'uk' });
// One worker and its shop for all: each market takes a shop of its own.
test.describe.configure({ mode: 'default' });

test('delivery costs £49 below £500, nothing from there on, and £99 express; product, cart and policy say so (§10.4, U29)', async ({
  page,
  shop,
  logInAs,
}) => {
  const cheap = await shop.aProduct({ name: 'Cheap Lamp', price: '49999' });
  const dear = await shop.aProduct({ name: 'Dear Sofa', price: '50000' });
  await logInAs(await shop.aCustomer());
  await page.goto(`/product/${cheap._id}`);
  await expect(page.getByText(/^Arrives .*, £49\.00$/)).toBeVisible();
  await page.locator('summary').filter({ hasText: 'Delivery & returns' }).click();
  await expect(page.getByText(/^Express delivery, £99\.00: /)).toBeVisible();
  await expect(
    page.getByText(/Free standard delivery from £500 \(5-7 business days\), £49 below\. Express in 2-3 days, £99\./),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await expect(page.locator('.Toastify').getByText('£0.01 to free delivery')).toBeVisible();
  await page.goto('/cart');
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary.getByRole('radio', { name: /^Standard delivery, £49\.00/ })).toBeChecked();
  await expect(summary).toContainText('Delivery£49.00Total£548.99');
  await summary.getByRole('radio', { name: /^Express delivery, £99\.00/ }).check();
  await expect(summary).toContainText('Delivery£99.00Total£598.99');
  await page.reload();
  await expect(summary.getByRole('radio', { name: /^Express delivery/ })).toBeChecked();
  await expect(summary).toContainText('Delivery£99.00Total£598.99');
  await expect(summary.getByText('£0.01 to free delivery')).toBeVisible();
  const reaching = page.getByRole('list', { name: 'Pieces that get you to free delivery' });
  // Loaded when it comes near.
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(reaching).toBeVisible({ timeout: 500 });
  }).toPass();
  await reaching.scrollIntoViewIfNeeded();
  await expect(reaching.getByRole('link')).toHaveCount(8);
  await expectAccessible(page);
  await page.goto(`/product/${dear._id}`);
  await expect(page.getByText(/^Arrives .*, free$/)).toBeVisible();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Remove Cheap Lamp' }).click();
  await summary.getByRole('radio', { name: /^Standard delivery, free/ }).check();
  await expect(summary).toContainText('DeliveryFreeTotal£500.00');
  await expect(page.getByText(/to free delivery/)).toHaveCount(0);
  await page.goto('/shipping-policy');
  await expect(page.getByText(/with our compliments/)).toHaveCount(0);
});

test('a cart with free delivery by a promotion is not told what is missing to it', { tag: '@thorough' }, async ({ page, shop }) => {
  const lamp = await shop.aProduct({ name: 'Freely Sent Lamp', price: '40000' });
  await shop.aCode('SENT-FREE', lamp, { kind: 'free_delivery', value: 0 });
  await fillCart(page, lamp);
  await page.goto('/cart');
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary.getByText('£100.00 to free delivery')).toBeVisible();
  await summary.getByText('Discount code', { exact: true }).click();
  await summary.getByRole('textbox', { name: 'Discount code' }).fill('sent-free');
  await summary.getByRole('button', { name: 'Apply' }).click();
  await expect(summary).toContainText('DeliveryFreeTotal£400.00');
  await expect(summary.getByText('Promotion SENT-FREE (SENT-FREE)')).toBeVisible();
  await expect(page.getByText(/to free delivery/)).toHaveCount(0);
  await summary.getByRole('radio', { name: /^Express/ }).check();
  await expect(summary.getByText('With code SENT-FREE, Standard delivery is free.')).toBeVisible();
  await page.goto(`/product/${lamp._id}`);
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  const toast = page.locator('.Toastify__toast');
  await expect(toast).toContainText('Subtotal £400.00');
  await expect(toast).not.toContainText('to free delivery');
});

test('a card payment charges the delivery that was chosen, and the provider’s page and the order show it (§10.4)', async ({
  page,
  shop,
  logInAs,
}) => {
  await logInAs(await shop.aCustomer());
  await fillCart(page, await shop.aProduct({ name: 'Carded Lamp', price: '20000' }));
  await page.goto('/cart');
  await page.getByRole('radio', { name: /^Express delivery/ }).check();
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page.getByText('Payment sandbox')).toBeVisible();
  await expect(page.locator('body')).toContainText('£99.00');
  await expect(page.locator('body')).toContainText('£299.00');
  await payByCard(page);
  await expect(page.getByText('Order Placed, thanks!!')).toBeVisible();
  await page.goto('/orders');
  await expect(page.getByText('£299.00')).toBeVisible();
  await page.getByRole('link', { name: /^Order Details/ }).click();
  await expect(page.locator('dl').filter({ hasText: 'Subtotal' })).toContainText('Subtotal£200.00Shipping£99.00Tax£0.00Total£299.00');
  await expect(page.locator('dl').filter({ hasText: 'Net' })).toContainText('Net£249.17VAT at 20%£49.83');
});

test('an order in cash wants a UK phone number and postcode, carries the delivery from the cart, and shows pounds (§10.4)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const customer = await shop.aCustomer();
  await logInAs(customer);
  await fillCart(page, await shop.aProduct({ name: 'Cash Lamp', price: '20000' }));
  await page.goto('/cart');
  await page.getByRole('radio', { name: /^Express delivery/ }).check();
  // A draft from before, with a country that this market does not have.
  await page.evaluate(() => sessionStorage.setItem('checkoutDraft', JSON.stringify({ country: 'Pakistan' })));
  await page.getByRole('button', { name: 'Cash on delivery' }).click();
  await expect(page.getByRole('radio', { name: /^Express delivery/ })).toBeChecked();
  await expect(page.getByLabel('Country').locator('option')).toHaveText(['United Kingdom']);
  await expect(page.getByLabel('Country')).toHaveValue('United Kingdom');
  await page.getByLabel('Phone').fill('12345678901');
  await page.getByLabel('Postcode').fill('54000');
  await page.getByRole('button', { name: 'Place order' }).click();
  const alert = page.locator('#main').getByRole('alert');
  await expect(alert.getByRole('link')).toHaveText([
    'Enter a UK phone number, such as 07700 900123',
    'Address line 1 is required',
    'City is required',
    'Enter a UK postcode, such as SW1A 1AA',
  ]);
  for (const [label, text] of [
    ['Phone', '+44 7700 900123'],
    ['Address line 1', '1 High Street'],
    ['City', 'Leeds'],
    ['County', 'West Yorkshire'],
    ['Postcode', 'ls1 4ap'],
  ] as const)
    await page.getByLabel(label).fill(text);
  const summary = page.getByRole('region', { name: 'Cart summary' });
  await expect(summary).toContainText('Shipping£99.00Total price£299.00');
  await page.getByRole('radio', { name: /^Standard delivery/ }).check();
  await expect(summary).toContainText('Shipping£49.00Total price£249.00');
  await page.getByRole('button', { name: 'Place order' }).click();
  await expect(page).toHaveURL(`${shop.url}/`);
  const shippingAddress = { country: 'United Kingdom' };
  expect(await shop.ordersOf(customer)).toMatchObject([
    { shippingPrice: 4_900, totalPrice: 24_900, shippingMethod: 'standard', shippingAddress },
  ]);
  await page.goto('/orders');
  await expect(page.getByText('£249.00')).toBeVisible();
});

test('the owner pastes an area, tries its postcode and saves; product and cart ask for the postcode and show what it costs there', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const lamp = await shop.aProduct({ name: 'Far Lamp', price: '10000' });
  const table = await shop.aProduct({ name: 'Near Table', price: '5000' });
  await logInAs(await shop.admin());
  await page.goto('/admin/settings?section=delivery');
  await page.getByText('As CSV', { exact: true }).click();
  const csv = 'Postcodes,Surcharge,Longer by,Not by,We do not deliver there\n"IV, HS",30,3,Express delivery,\n';
  await page.getByLabel('Areas as CSV').fill(csv);
  await page.getByRole('button', { name: 'Use these rows' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByLabel('Postcode').fill('IV1 1AA');
  await preview.getByLabel('Products for (£)').fill('100');
  await expect(preview.getByRole('status')).toContainText(/In the area IV, HS:Standard delivery, £79\.00, /);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. Customers see it now.')).toBeVisible();

  await page.goto(`/product/${lamp._id}`);
  await expect(page.getByText('Some postcodes cost more or take longer: up to £30.00 more and up to 3 days longer.')).toBeVisible();
  await page.getByLabel('Your postcode').fill('Inverness');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Enter a UK postcode' })).toBeVisible();
  await page.getByLabel('Your postcode').fill('iv1 1aa');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText(/^Arrives .*, £79\.00$/)).toBeVisible();
  for (const { _id } of [lamp, table]) {
    await page.goto(`/product/${_id}`);
    await page.getByRole('button', { name: 'Add To Cart' }).click();
  }
  await page.goto('/cart');
  const summary = page.getByRole('region', { name: 'Summary' });
  await expect(summary).toContainText('Delivery to IV1 1AA.');
  await expect(summary).toContainText('Delivery£79.00');
  await expectAccessible(page);
  // While the days of another cart are on their way, the postcode's price stays.
  const release = await holdBack(page, '**/api/delivery?*');
  await page.getByRole('button', { name: 'Remove Near Table' }).click();
  await expect(summary).toContainText('Total Items1');
  expect(await summary.textContent()).toContain('Delivery£79.00');
  release();
  await summary.getByRole('button', { name: 'Change' }).click();
  await summary.getByLabel('Your postcode').fill('LS1');
  await summary.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(summary).toContainText('Delivery£49.00');
  const { token } = await shop.admin();
  const { version, values } = await shop.call<SettingsSection>('GET', '/api/settings/delivery', { token });
  await shop.call('PUT', '/api/settings/delivery', { token, body: { version, values: { ...values, areas: [] } } });
});
