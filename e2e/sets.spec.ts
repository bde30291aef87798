import { UK_ADDRESS } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, type Shop, test } from './fixtures.ts';
import { expectFit } from './office.ts';

/** A table and a chair in two colours, named after a room. */
async function someParts(shop: Shop, room: string) {
  const table = await shop.aProduct({ name: `${room} Table`, price: '50000', countInStock: '3' }, ['demo/pictures/siena-side-table.webp']);
  const chair = await shop.aProduct(
    {
      name: `${room} Chair`,
      price: '12000',
      countInStock: '9',
      colors: JSON.stringify(['#b58a5a', '#000000'].map((code) => ({ colorName: code, hexCode: code }))),
    },
    ['demo/pictures/hythe-cord-chair.webp'],
  );
  return { table, chair };
}

/** A set at one price, of these parts. */
const aSet = (shop: Shop, room: string, setParts = '') =>
  shop.aProduct({ name: `${room} Dining Set`, price: '89900', countInStock: setParts ? '0' : '1', subCategory: 'Sets', setParts }, [
    'demo/pictures/hythe-cord-bench.webp',
  ]);

test('a set is made on the product form, and bought at one price as its parts (§19.6)', async ({ page, shop, logInAs }) => {
  const { table, chair } = await someParts(shop, 'Gallery');
  const set = await aSet(shop, 'Gallery');
  const main = page.locator('#main');

  await logInAs(await shop.admin());
  await page.goto(`/admin/editproduct/${set._id}`);
  await page.locator('summary', { hasText: /^Set/ }).click();
  const form = page.getByRole('group', { name: 'Set of' });
  for (const { name, price } of [table, chair]) {
    await form.getByLabel('Name or SKU of the part').fill(name);
    await form.getByRole('button', { name: 'Find part' }).click();
    await form.getByRole('button', { name: `Add ${name}, £${price / 100}.00` }).click();
    await expect(form.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  }
  for (const _ of [2, 3, 4]) await form.getByRole('button', { name: 'One more Gallery Chair' }).click();
  await form.getByLabel('Colour of Gallery Chair').selectOption('Ochre');
  await expect(page.getByLabel('Count In Stock')).toHaveJSProperty('readOnly', true);
  await expect(form.getByText('The piece that is in stock is taken off when you save')).toBeVisible();
  await expectFit(page);
  await page.getByRole('button', { name: 'Update Product' }).click();
  await expect(page.getByText('Update Succeed')).toBeVisible();
  await expect(page.getByLabel('Count In Stock')).toHaveValue('2');

  const buyer = await shop.aCustomer('Dina Dining');
  await logInAs(buyer);
  await page.goto(`/product/${set._id}`);
  const parts = page.getByRole('region', { name: 'In this set' });
  await expect(parts.getByRole('listitem')).toHaveText(['1 × Gallery Table£500.00', '4 × Gallery ChairOchre, £120.00 each']);
  await expect(parts.getByText('£980.00 one by one: you save £81.00.')).toBeVisible();
  await expect(main.getByText('Only 2 left')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await main.getByRole('button', { name: 'Add To Cart' }).click();
  await page.goto('/cart');
  await expect(main.getByText('1 × Gallery Table, 4 × Gallery Chair (Ochre)')).toBeVisible();
  await expect(main.getByText('£899.00').first()).toBeVisible();
  await expectAccessible(page);
  await main.getByRole('button', { name: 'Cash on delivery' }).click();
  await expect(main.getByText('1 × Gallery Table, 4 × Gallery Chair (Ochre)').first()).toBeVisible();
});

test('a set is packed by its parts, and one of them comes back for its share of the price (§19.6)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const { table, chair } = await someParts(shop, 'Lodge');
  const set = await aSet(shop, 'Lodge', `1 x ${table._id}; 4 x ${chair._id} | | #b58a5a`);
  const main = page.locator('#main');
  const buyer = await shop.aCustomer('Dina Dining');
  const body = { orderItems: [{ _id: set._id, name: set.name, image: '', price: 89_900, qty: 1 }], phone: UK_ADDRESS.Phone };
  const address = { line1: '1 High Street', line2: '', city: 'Leeds', state: '', postalCode: 'LS1 4AP', country: 'United Kingdom' };
  const { _id } = await shop.call<{ _id: string }>('POST', '/api/orders', {
    token: buyer.token,
    body: { ...body, shippingAddress: address, orderPaymentID: 'COD' },
  });

  const admin = await shop.admin();
  await logInAs(admin);
  await page.goto(`/admin/orderdetails/${_id}`);
  await expect(main.getByText('Lodge Dining Set: Lodge Table').first()).toBeVisible();
  await expectFit(page);
  await page.emulateMedia({ media: 'print' });
  const slip = page.getByRole('article', { name: 'Packing slip' });
  await expect(slip).toContainText('Lodge Dining Set: Lodge Table');
  await expect(slip).toContainText('Lodge Dining Set: Lodge Chair');
  await page.emulateMedia({ media: 'screen' });
  await shop.call('PUT', `/api/orders/${_id}/cash`, { token: admin.token, body: { isPaid: true } });
  await shop.call('PUT', `/api/orders/${_id}/deliver`, { token: admin.token, body: { isDelivered: true } });

  await logInAs(buyer);
  await page.goto(`/order/${_id}`);
  const returns = main.locator('section').filter({ has: page.getByRole('heading', { name: 'Returns', exact: true }) });
  await returns.getByRole('button', { name: 'Return pieces' }).click();
  await returns.getByRole('button', { name: /^One more Lodge Dining Set: Lodge Chair/ }).click();
  await returns.getByLabel('Reason').selectOption('It does not fit');
  await returns.getByRole('button', { name: 'Request a return' }).click();
  await expect(returns.getByRole('listitem').first()).toContainText('1 × Lodge Dining Set: Lodge Chair (Ochre)');
  await expectNoSidewaysScroll(page);

  // What was paid for the chair is its share of the set's price.
  const { returns: asked, orderItems } = await shop.call<{ returns: { _id: string }[]; orderItems: { price: number }[] }>(
    'GET',
    `/api/orders/${_id}`,
    {
      token: admin.token,
    },
  );
  await shop.call('POST', `/api/office/returns/${asked[0]?._id}/judge`, { token: admin.token, body: { isApproved: true } });
  const received = { lines: [{ line: 1, restocked: 1, spoiled: 0 }] };
  const back = await shop.call<{ refundedPrice: number }>('POST', `/api/office/returns/${asked[0]?._id}/received`, {
    token: admin.token,
    body: received,
  });
  expect(back.refundedPrice).toBe(orderItems[1]?.price);
  await page.reload();
  await expect(main.getByText(/£110\.08 (refund pending|refunded)$/)).toBeVisible();
  await page.goto(`/product/${set._id}`);
  await expect(main.getByText('Only 1 left')).toBeVisible();
});
