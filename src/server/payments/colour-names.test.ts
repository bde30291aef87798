import { expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { CheckedCart, Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { cardDesk } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';

const shop = await testShop();
const { app, db } = shop;
const MOSS = '#47503b';

test('a colour has one name wherever people meet it, and its code is read nowhere: product, cart, order, mail, payment page, export (§3.2)', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const sofa = await aProduct(db, { name: 'Wren', colors: [MOSS, '#934f38'] });
  const line = aLine(sofa, { color: MOSS });
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers: buyer.headers, payload });

  const product = (await app.inject({ url: `/api/products/${sofa._id}` })).json<Product>();
  expect(product.colors).toEqual([
    { colorName: MOSS, hexCode: MOSS, name: 'Moss' },
    { colorName: '#934f38', hexCode: '#934f38', name: 'Russet' },
  ]);
  expect((await post('/api/cart/check', { orderItems: [line, aLine(sofa)] })).json<CheckedCart>().lines).toMatchObject([
    { colourName: 'Moss' },
    { colourName: null },
  ]);
  const order = (await post('/api/orders', aPayload([line]))).json<Order>();
  expect(order.orderItems).toMatchObject([{ color: MOSS, colourName: 'Moss' }]);

  await runJobs(shop.services);
  const [mail] = await mailsOf(shop.dataDir, buyer.email);
  for (const body of [mail?.text, mail?.html]) {
    expect(body).toContain('Wren');
    expect(body).toContain('Colour: Moss');
    expect(body).not.toContain(MOSS);
  }
  const { url } = await cardDesk(shop).checkout(buyer, [line]);
  const page = await (await fetch(url)).text();
  expect(page).toContain('Moss');
  expect(page).not.toContain(MOSS);
  const csv = await app.inject({ url: `/api/orders/export?search=${order._id}`, headers: admin.headers });
  expect(csv.body).toContain('1 x Wren, Moss');
  expect(csv.body).not.toContain(MOSS);
});

test('a colour that was entered in words is called by them', async () => {
  const sofa = await aProduct(db, { colors: ['Dark oak'] });
  expect((await app.inject({ url: `/api/products/${sofa._id}` })).json<Product>().colors[0]?.name).toBe('Dark oak');
});
