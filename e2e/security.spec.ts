import { expect, expectNoSidewaysScroll, test } from './fixtures.ts';

const HOSTILE = `"'><img src=x onerror="window.harmed=1"><svg onload="window.harmed=1"></script><script>window.harmed=1</script>`;

test('a script in any field that customers or administrators fill stays text on every screen, and as long as it is widens none', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const buyer = await shop.aCustomer(HOSTILE.slice(0, 100));
  const texts = {
    name: HOSTILE,
    description: HOSTILE,
    fit: HOSTILE.slice(0, 60),
    category: HOSTILE.slice(0, 60),
    brand: HOSTILE.slice(0, 60),
  };
  const size = HOSTILE.slice(0, 60);
  const sizes = JSON.stringify([{ size, quantity: 5, price: 49999, measurements: [{ name: size, value: '1' }] }]);
  const product = await shop.aProduct({ ...texts, sizes });
  const address = {
    line1: HOSTILE.slice(0, 100),
    line2: HOSTILE.slice(0, 100),
    city: HOSTILE.slice(0, 60),
    state: HOSTILE.slice(0, 60),
    postalCode: 'LS1 4AP',
    country: 'United Kingdom',
  };
  const { _id, name, price } = product;
  const order = await shop.call<{ _id: string }>('POST', '/api/orders', {
    token: buyer.token,
    body: {
      orderItems: [{ _id, name, price, image: '', qty: 1, size }],
      shippingAddress: address,
      phone: '07700900123',
      paymentMethod: 'Online Payment',
      orderPaymentID: HOSTILE.slice(0, 100),
    },
  });

  await logInAs(buyer);
  const list = `query=${encodeURIComponent(texts.category)}`;
  for (const path of [
    // Without a category, products that other tests recommend could take the product's place.
    `/?${list}`,
    `/product/${_id}`,
    `/shop?${list}`,
    '/orders',
    `/order/${order._id}`,
    '/profile',
  ]) {
    await page.goto(path);
    await expect(page.locator('main')).toContainText(path === '/profile' ? 'Update' : 'onerror=');
    expect([path, await page.evaluate(() => 'harmed' in window)]).toEqual([path, false]);
    await expectNoSidewaysScroll(page);
  }
  await logInAs(await shop.admin());
  for (const path of [
    '/admin/userlist',
    '/admin/productlist/',
    '/admin/orderlist/',
    `/admin/orderdetails/${order._id}`,
    `/admin/editproduct/${_id}`,
    `/admin/editUser/${buyer._id}`,
  ]) {
    await page.goto(path);
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect([path, await page.evaluate(() => 'harmed' in window)]).toEqual([path, false]);
  }
});
