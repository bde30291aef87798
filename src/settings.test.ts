import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { noteOf } from '#contract/invoices/invoice-text.ts';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { titleOf } from '#contract/invoices/vat.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { SectionName } from '#contract/settings/sections.schema.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { runJobs } from '#server/app/jobs.ts';
import { runCommand } from '#server/testing/commands.ts';
import { eventually } from '#server/testing/eventually.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, PASSWORD } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { appCode, aSecondFactor } from '#server/testing/second-factor.ts';
import { render } from '#web/entry-server.tsx';

const shop = await testShop({ render, env: { FRONT_CACHE_SECONDS: '60' } });
const { app, db, services } = shop;
const admin = await anAdmin(db, { name: 'Ruth' });
const buyer = await aCustomer(db);
const product = await aProduct(db);

const get = (section: SectionName) => app.inject({ url: `/api/settings/${section}`, headers: admin.headers });
const read = async (section: SectionName) => (await get(section)).json<SettingsSection>();
const put = (section: SectionName, payload: object, { headers } = admin) =>
  app.inject({ method: 'PUT', url: `/api/settings/${section}`, headers, payload });
/** Saves changes of a section on top of what it has. */
async function save(section: SectionName, changes: object) {
  const { version, values } = await read(section);
  return put(section, { version, values: { ...values, ...changes } });
}
const page = async (url: string) => (await app.inject({ url })).body;
const order = async () => {
  const payload = aPayload([aLine(product)]);
  return (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
};

test('only administrators read and save settings', async () => {
  expect((await app.inject({ url: '/api/settings/shop' })).statusCode).toBe(401);
  expect((await put('shop', { version: 0, values: {} }, buyer)).statusCode).toBe(403);
  expect((await app.inject({ url: '/api/settings/nonsense', headers: admin.headers })).statusCode).toBe(400);
});

test('wallets and instalments that are set are named on the product’s page, with the lender’s words', async () => {
  const piece = await aProduct(db, { price: 129_900 });
  expect(await page(`/product/${piece._id}`)).not.toContain('Klarna');
  const instalments = [{ lender: 'Klarna', from: 50, to: 2_000, words: '18+, subject to status.' }];
  expect((await save('payment', { wallets: [{ wallet: 'Apple Pay' }, { wallet: 'PayPal' }], instalments })).statusCode).toBe(200);
  const html = (await page(`/product/${piece._id}`)).replaceAll('<!-- -->', '');
  expect(html).toContain('or 3 × £433.00 with Klarna');
  expect(html).toContain('18+, subject to status.');
  expect(html).toContain('Pay by card, Apple Pay or PayPal.');
  await save('payment', { wallets: [], instalments: [] });
});

test('a new name shows at once on pages that were cached and in mails, and keeps its history', async () => {
  const before = await app.inject({ url: '/contact' });
  expect(before.body).toContain('Hearth &amp; Oak');
  expect(String(before.headers['surrogate-key']).split(' ')).toContain('settings');
  const { version } = await read('shop');
  expect((await save('shop', { name: 'Brook & Stone', strapline: 'Made in Bristol.', social: [] })).json()).toMatchObject({
    version: version + 1,
  });
  for (const url of ['/contact', '/', `/product/${product._id}`]) {
    const html = await page(url);
    expect(html).toContain('Brook &amp; Stone');
    expect(html).toContain('Made in Bristol.');
    expect(html).not.toContain('Hearth');
  }
  await app.inject({ method: 'POST', url: '/api/users/forgot-password', payload: { email: buyer.email } });
  await runJobs(services);
  const [mail] = await mailsOf(shop.dataDir, buyer.email);
  expect([mail?.from?.name, mail?.text]).toEqual(['Brook & Stone', expect.not.stringContaining('Hearth')]);
  const [latest, previous] = (await read('shop')).history;
  expect([latest?.actor, latest?.values.name, previous?.values.name]).toEqual(['Ruth', 'Brook & Stone', 'Hearth & Oak']);
});

test('the owner’s words are in a customer’s email, as the preview showed it; an order’s own facts stay', async () => {
  const words = {
    subject: 'Your {shop} order {reference}',
    before: '## Lovely choice\n\nWe begin **today**. See [our showroom](/contact).',
    after: 'Thanks from all of us at {shop}.',
  };
  const preview = (value: object) =>
    app.inject({ method: 'POST', url: '/api/settings/mails/preview', headers: admin.headers, payload: { field: 'orderPlaced', value } });
  const shown = (await preview(words)).json<{ subject: string; text: string; html: string }>();
  const name = services.config.company.shop;
  expect(shown.subject).toBe(`Your ${name} order K7MX-4QPD`);
  for (const text of ['Alder Sofa', '14 days to change your mind', `Thanks from all of us at ${name}.`]) expect(shown.text).toContain(text);
  expect((await preview({ ...words, before: 'Order {number}' })).json()).toMatchObject({
    errors: { orderPlaced_before: expect.stringMatching(/^\{number\} is not a placeholder here/) },
  });
  const [subject, before, after] = [words.subject, words.before, words.after];
  expect((await save('mails', { orderPlaced_subject: subject, orderPlaced_before: before, orderPlaced_after: after })).statusCode).toBe(
    200,
  );
  const { reference } = await order();
  await runJobs(services);
  const mail = (await mailsOf(shop.dataDir, buyer.email)).find((one) => one.subject?.includes(reference));
  expect(mail?.subject).toBe(`Your ${name} order ${reference}`);
  expect(mail?.html).toContain('We begin <strong>today</strong>.');
  expect(mail?.html).toContain(`<a href="${services.config.publicUrl}/contact"`);
  expect(mail?.text).toContain(`Lovely choice\n\nWe begin today. See our showroom (${services.config.publicUrl}/contact).`);
  expect(mail?.text).not.toContain('Here is what you ordered');
  await save('mails', { orderPlaced_subject: '', orderPlaced_before: '', orderPlaced_after: '' });
});

test('lists of products stay in the cache when settings change: they show none', async () => {
  const hit = async () => (await app.inject({ url: '/api/products/newarrivals' })).headers['server-timing'];
  await hit();
  await save('contact', { phone: '0117 496 0001' });
  expect(await hit()).toBe('cache;desc=hit');
});

test('two administrators who change the same section: the second gets both values, and nothing is overwritten', async () => {
  const { version, values } = await read('contact');
  const anna = await anAdmin(db, { name: 'Anna' });
  expect((await put('contact', { version, values: { ...values, phone: '0117 496 0002' } }, anna)).statusCode).toBe(200);
  const late = await put('contact', { version, values: { ...values, phone: '0117 496 0003' } });
  expect([late.statusCode, late.json().errors]).toEqual([
    409,
    { phone: 'Anna has saved “0117 496 0002” since; you wrote “0117 496 0003”' },
  ]);
  expect((await read('contact')).values.phone).toBe('0117 496 0002');
  const latest = await read('contact');
  const both = await Promise.all(['1', '2'].map((hours) => put('contact', { ...latest, values: { ...latest.values, hours } })));
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
});

test('of a list the second administrator gets the cell that differs', async () => {
  const { version, values } = await read('delivery');
  const anna = await anAdmin(db, { name: 'Anna' });
  const [first] = values.methods as object[];
  const at = (price: number) =>
    put('delivery', { version, values: { ...values, methods: [{ ...first, price }] } }, price === 55 ? anna : admin);
  expect((await at(55)).statusCode).toBe(200);
  expect((await at(45)).json().errors).toEqual({ 'methods.0.price': 'Anna has saved “£55” since; you wrote “£45”' });
  const { history } = await read('delivery');
  await save('delivery', history.at(-1)?.values ?? {});
});

test('a shop without a showroom invites nobody to it', async () => {
  const { values } = await read('contact');
  await save('contact', { showroom: '', openingHours: [{ days: 'Monday', times: '9am-5pm' }] });
  expect(await page('/')).toContain('Call or email us');
  const contact = async () => /<main.*<\/main>/s.exec(await page('/contact'))?.[0];
  expect(await contact()).not.toMatch(/Opening hours|9am-5pm/);
  await save('contact', { showroom: '1 Old Road, Leeds' });
  expect(await page('/')).toContain('Call, email or visit us');
  expect(await contact()).toContain('9am-5pm');
  await save('contact', values);
});

test('what is wrong is refused in words at its field, and nothing is saved', async () => {
  const { version } = await read('shop');
  const wrong = { name: '', dark: '#e0a060', social: [{ name: 'Pins', address: 'javascript:alert(1)' }] };
  const reply = await save('shop', wrong);
  expect([reply.statusCode, reply.json().errors]).toEqual([
    400,
    {
      name: 'Trading name is required',
      dark: expect.stringMatching(/^Too light to read/),
      'social.0.address': 'Write the whole address, such as https://www.example.com/yourshop',
    },
  ]);
  expect((await read('shop')).version).toBe(version);
});

test('the owner’s colours are the palette of each page', async () => {
  await save('shop', { dark: '#1b2a49' });
  expect(await page('/shop')).toContain('--color-accent:#1b2a49;');
});

test('emails have the owner’s colours, on a dark page too', async () => {
  await save('shop', { dark: '#1f3350' });
  await order();
  await runJobs(services);
  const mail = (await mailsOf(shop.dataDir, buyer.email)).at(-1);
  expect(mail?.html).toContain('background:#1f3350;color:#ffffff');
  expect(mail?.html).toMatch(/\.button\{background:#e9ebee!important;color:#162438!important\}/);
  expect(mail?.html).not.toMatch(/#23382f|#cfe0d6|\{\{/);
});

test('where the shop collects returns, its pages, mails and approvals say so, and nobody posts anything (§20.9)', async () => {
  const posted = /post it back|you send to us|send it by/;
  expect(await page('/refund-policy')).toMatch(posted);
  await save('contact', { returns: 'We collect them' });
  for (const url of ['/refund-policy', `/product/${product._id}`]) expect(await page(url)).not.toMatch(posted);
  const { _id } = await order();
  await app.inject({ method: 'PUT', url: `/api/orders/${_id}/deliver`, headers: admin.headers, payload: { isDelivered: true } });
  const payload = { lines: [{ line: 0, qty: 1 }], reason: 'It does not fit' };
  const asked = await app.inject({ method: 'POST', url: `/api/orders/${_id}/returns`, headers: buyer.headers, payload });
  const judge = {
    method: 'POST',
    url: `/api/office/returns/${asked.json<Order>().returns[0]?._id}/judge`,
    headers: admin.headers,
  } as const;
  expect((await app.inject({ ...judge, payload: { isApproved: true } })).json<Order>().returns).toMatchObject([{ sendBy: null }]);
  await runJobs(services);
  const texts = (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.includes('return')).map(({ text }) => text);
  expect(texts).toEqual([
    expect.stringContaining('We collect what you return, free of charge.'),
    expect.stringContaining('We will collect it from you'),
  ]);
  await save('contact', { returns: 'Customers post them' });
});

/** The public pages that speak of prices. */
const PRICED = ['/', '/shop', '/cart', '/checkout', '/legal', '/contact', '/shipping-policy', '/refund-policy', `/product/${product._id}`];

test('without a VAT number no page, mail or document says that VAT is included; an invoice keeps what it said', async () => {
  const paid = async ({ _id }: Order) =>
    (await app.inject({ method: 'PUT', url: `/api/orders/${_id}/cash`, headers: admin.headers, payload: { isPaid: true } })).json<Order>();
  await save('company', { name: 'Oakwell Interiors Ltd', vatNumber: 'gb 123 456 789', vatRate: '17.5' });
  const before = await paid(await order());
  expect(before.invoices[0]).toMatchObject({ vatRate: 1750 });
  expect(await page('/legal')).toContain('VAT number GB123456789');
  await save('company', { vatNumber: '' });
  const placed = await order();
  expect(placed.invoices[0]).toMatchObject({ kind: 'pro_forma', vatRate: null, vat: 0 });
  const without = await paid(placed);
  expect(without.invoices[0]).toMatchObject({ kind: 'invoice', vatRate: null, vat: 0 });
  await runJobs(services);
  const mail = (await mailsOf(shop.dataDir, buyer.email)).find(({ subject }) => subject?.includes(without.reference));
  const documents = [mail?.text ?? '', String(mail?.html), ...(await Promise.all(PRICED.map(page)))];
  for (const text of documents) expect(text).not.toMatch(/include VAT|includes VAT|VAT number|VAT at|inc\. VAT/i);
  const invoice = (await app.inject({ url: `/api/invoices/${without.invoices[0]?._id}`, headers: buyer.headers })).json<Invoice>();
  expect([titleOf(invoice), invoice.seller.vatNumber]).toEqual(['Invoice', '']);
  expect(noteOf(invoice)).toBe('No VAT is charged: Oakwell Interiors Ltd is not registered for VAT.');
  const kept = await app.inject({ url: `/api/orders/${before._id}`, headers: buyer.headers });
  expect(kept.json<Order>().invoices[0]).toMatchObject({ vatRate: 1750 });
});

test('before company, tax and payment are changed the password is entered again, and for nothing else', async () => {
  const guard = await anAdmin(db);
  await db.updateTable('sessions').set({ provenAt: null }).where('userId', '=', guard._id).execute();
  const saved = async (section: SectionName) => {
    const { version, values } = await read(section);
    return put(section, { version, values }, guard);
  };
  for (const section of ['company', 'payment'] as const)
    expect([(await saved(section)).statusCode, Object.keys((await saved(section)).json().errors)]).toEqual([403, ['password']]);
  expect((await saved('contact')).statusCode).toBe(200);
  await app.inject({ method: 'POST', url: '/api/users/proof', headers: guard.headers, payload: { password: PASSWORD } });
  for (const section of ['company', 'payment'] as const) expect((await saved(section)).statusCode).toBe(200);
});

test('an administrator with a second factor enters a code instead', async () => {
  const guard = await anAdmin(db);
  const { secret } = await aSecondFactor(shop, guard);
  await db.updateTable('sessions').set({ provenAt: null }).where('userId', '=', guard._id).execute();
  const { version, values } = await read('company');
  const refused = await put('company', { version, values }, guard);
  expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([403, ['code']]);
  const contact = await read('contact');
  expect((await put('contact', contact, guard)).statusCode).toBe(200);
  await app.inject({ method: 'POST', url: '/api/users/proof', headers: guard.headers, payload: { code: appCode(secret) } });
  expect((await put('company', { version, values }, guard)).statusCode).toBe(200);
});

test('settings move to another machine as a file, all or nothing, and show there at once', { tags: ['thorough'] }, async () => {
  const other = await testShop({ render });
  const { values, history } = (await other.app.inject({ url: '/api/settings/contact', headers: (await anAdmin(other.db)).headers })).json();
  expect([history.length, values.mailFrom]).toEqual([1, 'shop@example.com']);
  const command = (from: typeof shop, args: string[]) => runCommand('admin', ['settings', ...args], { DATABASE_URL: from.databaseUrl });
  const { output } = await command(shop, ['export']);
  const file = `${shop.dataDir}/settings.json`;
  const load = (content: string) => {
    writeFileSync(file, content);
    return command(other, ['import', file]);
  };
  expect((await load('{"shop":{"dark":"#ffffff","slogan":"Oak"},"shoes":{},"company":"Oak"}')).complaint).toMatch(
    /shop\.slogan: this shop has no such setting[\s\S]*shop\.dark: Too light[\s\S]*shoes: this shop has no such section[\s\S]*company: a section has named fields/,
  );
  expect((await load('[')).complaint).toContain('not JSON');
  expect(await load(output)).toMatchObject({ code: 0, output: 'Set: shop, company, contact.' });
  other.services.invalidation.watch();
  await eventually(async () => expect((await other.app.inject({ url: '/contact' })).body).toContain('Brook &amp; Stone'));
  await other.services.invalidation.stop();
  expect((await load(output)).output).toBe('The shop already has these settings.');
});
