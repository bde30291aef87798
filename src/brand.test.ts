import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import type { CheckoutSession, Order } from '#contract/orders/orders.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { runJobs } from '#server/app/jobs.ts';
import { removeOrphanedPictures } from '#server/catalogue/pictures.jobs.ts';
import { runCommand } from '#server/testing/commands.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { render } from '#web/entry-server.tsx';

const shop = await testShop({ render });
const { app, db, services } = shop;
const admin = await anAdmin(db);
const buyer = await aCustomer(db);
const product = await aProduct(db);

const aLogo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 20, g: 60, b: 90, alpha: 0.5 } } })
    .png()
    .toBuffer();

/** Uploads a file for a field. */
async function upload(field: string, bytes: Buffer | string, name: string) {
  const form = new FormData();
  form.append('field', field);
  form.append('picture', new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name));
  const reply = await fetch(`${shop.url}/api/settings/shop/pictures`, { method: 'POST', headers: admin.headers, body: form });
  return { status: reply.status, ...((await reply.json()) as { url: string; message: string }) };
}

const read = async () =>
  (await app.inject({ url: '/api/settings/shop', headers: admin.headers })).json<SettingsSection & { values: { logo: string } }>();
async function save(changes: object) {
  const { version, values } = await read();
  const payload = { version, values: { ...values, ...changes } };
  return app.inject({ method: 'PUT', url: '/api/settings/shop', headers: admin.headers, payload });
}
const page = async (url: string) => (await app.inject({ url })).body;
/** Places an order and pays it, so that it has its invoice. */
const orderPlaced = async () => {
  const payload = aPayload([aLine(product)]);
  const { _id } = (await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload })).json<Order>();
  const paid = { method: 'PUT', url: `/api/orders/${_id}/cash`, headers: admin.headers, payload: { isPaid: true } } as const;
  return (await app.inject(paid)).json<Order>();
};
const pdfOf = async ({ invoices }: Order) =>
  (await app.inject({ url: `/api/invoices/${invoices[0]?._id}/pdf`, headers: admin.headers })).rawPayload.toString('latin1');

test('a logo or favicon that is a drawing, too small, not square or not stored is refused in words', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80"><script>alert(1)</script></svg>';
  expect(await upload('logo', svg, 'logo.svg')).toMatchObject({
    status: 415,
    message: expect.stringContaining('logo.svg is an SVG drawing'),
  });
  expect(await upload('logo', await aLogo(1, 1), 'dot.png')).toMatchObject({
    status: 415,
    message: 'dot.png is 1 × 1 pixels; it must have at least 80 × 40, or it would look blurred.',
  });
  expect(await upload('favicon', await aLogo(64, 48), 'icon.png')).toMatchObject({
    status: 415,
    message: 'icon.png is 64 × 48 pixels; it must be square.',
  });
  expect((await upload('name', await aLogo(200, 80), 'logo.png')).status).toBe(400);
  for (const logo of [`/images/${'a'.repeat(32)}-1200.webp`, 'https://elsewhere.example/logo.png'])
    expect(Object.keys((await save({ logo })).json().errors)).toEqual(['logo']);
});

test('a logo is in the header, in mails and on invoices, and a favicon in the tab; without them the name is', async () => {
  const before = await orderPlaced();
  expect(await page('/contact')).toContain('<link rel="icon" href="/favicon.svg"');
  const [logo, favicon] = [
    await upload('logo', await aLogo(600, 200), 'logo.png'),
    await upload('favicon', await aLogo(96, 96), 'icon.png'),
  ];
  expect((await save({ logo: logo.url, favicon: favicon.url })).statusCode).toBe(200);
  const path = logo.url.replace('-1200.webp', '-480.png');
  const html = await page('/contact');
  expect(html).toContain(`<img src="${path}" alt=""`);
  expect(html).toContain(`<link rel="icon" href="${favicon.url.replace('-1200.webp', '-480.png')}" type="image/png">`);
  const shown = await app.inject({ url: path });
  expect([shown.headers['content-type'], shown.headers['cache-control']]).toEqual(['image/png', expect.stringContaining('immutable')]);
  expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ format: 'png', width: 480, height: 160, hasAlpha: true });
  const order = await orderPlaced();
  await runJobs(services);
  const [mail] = (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.includes(order.reference));
  expect(mail?.html).toContain(`<img src="${services.config.publicUrl}${path}" alt="Hearth &#38; Oak"`);
  const [plain, branded] = [await pdfOf(before), await pdfOf(order)];
  expect([/\/Subtype \/Image/.test(plain), /\/Subtype \/Image/.test(branded)]).toEqual([false, true]);
  await save({ logo: '' });
  expect(await page('/contact')).toContain('Hearth');
  expect(await page('/contact')).not.toContain(path);
  // The history can go back to it, and the invoice shows it.
  const { pictures } = services;
  await removeOrphanedPictures({ ...services, pictures: { ...pictures, list: () => pictures.list(new Date(Date.now() + 7_200_000)) } });
  expect((await save({ logo: logo.url })).statusCode).toBe(200);
});

test('the payment page has the shop’s name, and its logo where the provider can fetch it', async () => {
  services.config.picturesUrl = 'https://pictures.brook.example';
  onTestFinished(() => {
    services.config.picturesUrl = undefined;
  });
  const payload = { orderItems: [aLine(product)] };
  const { url } = (
    await app.inject({ method: 'POST', url: '/stripe/create-checkout-session', headers: buyer.headers, payload })
  ).json<CheckoutSession>();
  const html = await (await fetch(url)).text();
  expect(html).toContain('<h1>Hearth &#38; Oak</h1>');
  expect(html).toMatch(/<img src="https:\/\/pictures\.brook\.example\/images\/\w+-480\.png"/);
});

test('a file of settings carries logo and favicon to another shop', { tags: ['thorough'] }, async () => {
  const other = await testShop({ render });
  const command = ({ databaseUrl, dataDir }: typeof shop, args: string[]) =>
    runCommand('admin', ['settings', ...args], { DATABASE_URL: databaseUrl, SHOP_DATA_DIR: dataDir });
  const { output } = await command(shop, ['export']);
  const file = `${other.dataDir}/settings.json`;
  const load = (content: string) => {
    writeFileSync(file, content);
    return command(other, ['import', file]);
  };
  const dot = { shop: { logo: `data:image/webp;base64,${(await aLogo(1, 1)).toString('base64')}` } };
  expect((await load(JSON.stringify(dot))).complaint).toContain('shop.logo: The picture is 1 × 1 pixels');
  const elsewhere = { shop: { logo: `/images/${'a'.repeat(32)}-1200.webp` } };
  expect((await load(JSON.stringify(elsewhere))).complaint).toContain('shop.logo: the picture is neither in the file nor stored here');
  expect(await load(output)).toMatchObject({ code: 0, output: expect.stringContaining('shop') });
  expect((await load(output)).output).toBe('The shop already has these settings.');
  await other.services.settings.load();
  const { logo } = other.services.config.company;
  expect((await other.app.inject({ url: logo.replace('-1200.webp', '-480.png') })).headers['content-type']).toBe('image/png');
});
