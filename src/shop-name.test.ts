import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { render } from '#web/entry-server.tsx';

/** A shop under another name, which says nothing of the demo's. */
const DEMO = /hearth|tannery|01632 960148|11:00 to 16:00|00000000/i;
const env = { SHOP_NAME: 'Brook & Stone', COMPANY_NAME: 'Brook Ltd', SHOWROOM: '2 Mill Lane, York YO1 7AA' };
const shop = await testShop({ render, env });
const { app, db, services } = shop;
const product = await aProduct(db);
const page = async (path: string) => (await app.inject({ url: path })).body;

test.each([
  ...['/', '/newarrivals', '/shop', '/shop?query=Sofa', '/shop?search=sofa', '/cart', '/checkout', '/successPayment'],
  ...['/login', '/register', '/forget-password', '/verify-otp', '/change-password', '/profile', '/orders', '/nowhere'],
  ...['/privacy', '/legal', '/refund-policy', '/shipping-policy', '/contact', '/admin/orderlist', '/product/{id}'],
])('under another name %s says that name, and nothing of the demo’s company', async (path) => {
  const html = await page(path.replace('{id}', product._id));
  expect(DEMO.exec(html)?.[0]).toBeUndefined();
  expect(html).toContain('Brook &amp; Stone');
});

test('the contact page has the sections that the settings fill, and no others', async () => {
  const html = await page('/contact');
  expect(html).toContain('2 Mill Lane');
  expect([...html.matchAll(/<h2[^>]*>([^<]*)</g)].map(([, heading]) => heading)).toEqual(['Showroom', 'Company']);
  expect(html).toContain('Brook &amp; Stone is a trading name of Brook Ltd.');
});

test('under another name no mail says anything of the demo’s company', async () => {
  const [buyer, admin] = [await aCustomer(db), await anAdmin(db)];
  const call = (who: typeof buyer, method: 'POST' | 'PUT', url: string, payload: object) =>
    app.inject({ method, url, headers: who.headers, payload });
  const order = (await call(buyer, 'POST', '/api/orders', aPayload([aLine(product), aLine(await aProduct(db))]))).json<Order>();
  await call(buyer, 'POST', `/api/orders/${order._id}/cancel`, { lines: [1], reason: 'Another reason' });
  await call(admin, 'PUT', `/api/orders/${order._id}/cash`, { isPaid: true });
  await call(admin, 'PUT', `/api/orders/${order._id}/deliver`, { isDelivered: true });
  await call(buyer, 'POST', `/api/orders/${order._id}/returns`, { lines: [{ line: 0, qty: 1 }], reason: 'Wrong piece' });
  await call(buyer, 'POST', '/api/users/forgot-password', { email: buyer.email });
  await call(buyer, 'POST', `/api/products/${(await aProduct(db, { stock: 0 }))._id}/alerts`, { email: buyer.email, consent: true });
  await runJobs(services);
  const mails = await mailsOf(shop.dataDir, buyer.email);
  expect(mails.length).toBeGreaterThanOrEqual(6);
  for (const { from, subject, text, html } of mails) {
    expect(DEMO.exec(`${JSON.stringify(from)}${subject}${text}${html}`)?.[0]).toBeUndefined();
    expect([from?.name, text, html]).toEqual([
      'Brook & Stone',
      expect.stringContaining('Brook & Stone'),
      expect.stringContaining('Brook &#38; Stone'),
    ]);
  }
});
