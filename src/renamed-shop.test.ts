import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import type { CheckoutSession, Order } from '#contract/orders/orders.ts';
import { MAIL_NAMES } from '#contract/settings/mail-texts.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { signed } from '#server/gateways/mail-signature.ts';
import { SAMPLES } from '#server/mail/samples.ts';
import { staffMail } from '#server/mail/staff-mails.ts';
import { ROOT } from '#server/platform/root.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { OF_THE_DEMO } from '#server/testing/of-the-demo.ts';
import { render } from '#web/entry-server.tsx';
import { officePages } from '#web/office-routes.ts';
import { routesWith } from '#web/routes.tsx';

const NAME = 'Oakwell Interiors';
const OWN = {
  shop: { name: NAME, strapline: 'Made in Bristol.', social: [] },
  company: { name: 'Oakwell Ltd', number: 'SC654321', office: '5 Dock Road, Bristol BS1 4XY', vatNumber: 'GB 987 654 321' },
  contact: {
    email: 'hello@oakwell.example',
    phone: '0117 496 0000',
    hours: '',
    showroom: '',
    openingHours: [],
    mailFrom: 'shop@oakwell.example',
  },
};

const shop = await testShop({ render });
const { app, db, services } = shop;
const { config } = services;
const [admin, buyer, product] = [await anAdmin(db), await aCustomer(db), await aProduct(db)];
for (const [section, changes] of Object.entries(OWN)) {
  const url = `/api/settings/${section}`;
  const { version, values } = (await app.inject({ url, headers: admin.headers })).json<SettingsSection>();
  await app.inject({ method: 'PUT', url, headers: admin.headers, payload: { version, values: { ...values, ...changes } } });
}
const post = async <T>(url: string, payload: object, { headers } = buyer) =>
  (await app.inject({ method: 'POST', url, headers, payload })).json<T>();
const order = await post<Order>('/api/orders', aPayload([aLine(product)]));

const pathsOf = (list: readonly RouteObject[]): string[] =>
  list.flatMap(({ path, children }) => [...(path ? [path] : []), ...pathsOf(children ?? [])]);
const PATHS = pathsOf(routesWith(officePages)).map((path) =>
  path.replace(':id', path.startsWith('/product/') ? product._id : order._id).replace('*', '/nowhere'),
);
const found = (text: string) => OF_THE_DEMO.exec(text)?.[0];

test.each([...PATHS, '/shop?query=Sofa', '/shop?search=sofa', '/product/nonsense'])(
  'the page %s names the shop as its owner does, and nothing else',
  async (path) => {
    const { body } = await app.inject({ url: path });
    expect(found(body)).toBeUndefined();
    expect(body).toContain(NAME);
  },
);

test.each(['/sitemap.xml', '/robots.txt', '/api/docs', '/api/nonsense', '/.well-known/security.txt', '/favicon.svg'])(
  'the machine’s page %s says nothing of another shop',
  async (path) => expect(found((await app.inject({ url: path })).body)).toBeUndefined(),
);

test.each(MAIL_NAMES)('the mail “%s” is from the owner’s shop', (name) => {
  const mail = signed(SAMPLES[name](config), config);
  expect(found(JSON.stringify(mail))).toBeUndefined();
  for (const text of [mail.text, mail.html]) expect(text).toContain(NAME);
  expect(config.mailFrom).toBe(`"${NAME}" <shop@oakwell.example>`);
});

test('staff notices, invoices, the payment page and authenticator apps name it too', async () => {
  const notice = signed(
    staffMail('a@example.com', [{ event: 'order', text: 'New', path: '/x', at: order.createdAt }], config.publicUrl),
    config,
  );
  expect(notice.text).toContain(NAME);
  expect(found(JSON.stringify(notice))).toBeUndefined();

  const [{ _id: invoice } = { _id: '' }] = order.invoices;
  const [seller, pdf] = await Promise.all(
    [`/api/invoices/${invoice}`, `/api/invoices/${invoice}/pdf`].map(async (url) =>
      (await app.inject({ url, headers: buyer.headers })).rawPayload.toString('latin1'),
    ),
  );
  expect(seller).toContain('Oakwell Ltd');
  expect([found(seller ?? ''), found(pdf ?? '')]).toEqual([undefined, undefined]);

  const { url } = await post<CheckoutSession>('/stripe/create-checkout-session', { orderItems: [aLine(product)] });
  const provider = await (await fetch(url)).text();
  expect(found(provider)).toBeUndefined();
  expect(provider).toContain(NAME);

  const { address } = await post<{ address: string }>('/api/users/second-factor', {}, admin);
  expect(new URL(address).searchParams.get('issuer')).toBe(NAME);
});

test('no source but that of the defaults knows the demo’s name, so that no screen of the back office can show it', () => {
  const files = ['src', 'config', 'public'].flatMap((dir) =>
    readdirSync(join(ROOT, dir), { recursive: true, encoding: 'utf8' }).map((file) => `${dir}/${file}`),
  );
  const texts = files.filter((file) => /\.(tsx?|css|md|txt|svg|html|json)$/.test(file) && !/\.test\.tsx?$/.test(file));
  const named = texts.filter((file) => /hearth & oak|hearthandoak/i.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(named).toEqual(['src/server/platform/settings/settings.ts']);
});
