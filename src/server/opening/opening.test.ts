import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { pictureId } from '#contract/catalogue/pictures.ts';
import { MARKETS } from '#contract/market/market.ts';
import type { DemoLeft, OpeningStep } from '#contract/opening/opening.schema.ts';
import { logInUser } from '#server/accounts/login.service.ts';
import { hashPassword } from '#server/accounts/password.ts';
import { removeOrphanedPictures } from '#server/catalogue/pictures.jobs.ts';
import { BACKUP_CHECK, recordWorking } from '#server/context/setup-checks.ts';
import { loadDemo, prepareDemo } from '#server/demo/demo.ts';
import { demoLogins } from '#server/demo/remove-demo.service.ts';
import { newId } from '#server/platform/ids.ts';
import { ROOT } from '#server/platform/root.ts';
import { cardDesk, pay } from '#server/testing/card-payments.ts';
import { aCustomer, aLine, anAdmin, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { readableLog } from '#server/testing/logs.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { aSecondFactor } from '#server/testing/second-factor.ts';

const mailServer = await startMailServer();
afterAll(() => mailServer.close());
const shop = await testShop({ env: { SMTP_URL: mailServer.url } });
const { app, db, services } = shop;
await loadDemo(db, () => prepareDemo(services.pictures, () => undefined));
const { checkout } = cardDesk(shop);
const LAMP = 'Halo Mushroom Lamp';
const admin = await anAdmin(db, { name: 'Jane Oakwell', email: 'jane@oakwell.example' });

const steps = async () => (await app.inject({ url: '/api/opening', headers: admin.headers })).json<{ steps: OpeningStep[] }>().steps;
const stepOf = async (name: OpeningStep['name']) => (await steps()).find((step) => step.name === name);
const demo = async (who = admin, method: 'GET' | 'DELETE' = 'GET') =>
  (await app.inject({ method, url: '/api/opening/demo', headers: who.headers })).json<DemoLeft>();
const logIn = async (email: string, password: string) => {
  const session = (await app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password } })).json<SignedIn>();
  return { ...session, headers: { bearer: session.token } };
};
const productCalled = (name: string) =>
  db.selectFrom('products').select(['id as _id', 'name', 'price']).where('name', '=', name).executeTakeFirstOrThrow();

test('a login that cannot succeed says in the log how to make an administrator, and only then', async () => {
  const { log, lines } = readableLog();
  const tryOut = () =>
    logInUser({ ...services, log, ip: '127.0.0.1' }, { email: 'nobody@example.com', password: 'anything' }, async () => undefined).catch(
      () => undefined,
    );
  await tryOut();
  await db.updateTable('users').set({ isAdmin: false }).execute();
  await tryOut();
  await db.updateTable('users').set({ isAdmin: true }).where('email', 'in', ['admin@example.com', admin.email]).execute();
  expect(lines.map(({ msg }) => msg)).toEqual(['There is no administrator yet. Make one: npm run admin -- you@example.com']);
});

test('the market is done once it is chosen', async () => {
  expect((await stepOf('market'))?.text).toContain('set STORE_MARKET=uk on the machine');
  const { market } = services.config;
  const put = (change: object) => Object.assign(services.config, change);
  put({ isMarketSet: true });
  expect((await stepOf('market'))?.isDone).toBe(true);
  put({ market: MARKETS.uk, isMarketSet: false });
  expect((await stepOf('market'))?.text).toMatch(/^In the UK/);
  put({ market });
});

test('before anything is set every step is to do and says what, and only an administrator sees the list', async () => {
  const customer = await aCustomer(db);
  expect((await app.inject({ url: '/api/opening', headers: customer.headers })).statusCode).toBe(403);
  const all = await steps();
  expect(all.filter(({ isDone }) => isDone)).toEqual([]);
  expect(all.map(({ name, text }) => [name, text.length > 20])).toEqual(all.map(({ name }) => [name, true]));
  const operations = await readFile(join(ROOT, 'docs/operations.md'), 'utf8');
  const onServer = all.flatMap(({ name, text }) => {
    const chapter = /Ask the person who runs your server: “(.+)” in docs\/operations\.md explains it\.$/.exec(text)?.[1];
    return chapter ? [[name, operations.includes(`\n## ${chapter}\n`)]] : [];
  });
  expect(onServer).toEqual(['market', 'payment', 'webhook', 'backup'].map((name) => [name, true]));
});

test('the steps of the settings are done once the settings are the owner’s own', async () => {
  const save = async (section: string, changes: object) => {
    const url = `/api/settings/${section}`;
    const { version, values } = (await app.inject({ url, headers: admin.headers })).json();
    const reply = await app.inject({ method: 'PUT', url, headers: admin.headers, payload: { version, values: { ...values, ...changes } } });
    expect([section, reply.statusCode]).toEqual([section, 200]);
  };
  await save('shop', { name: 'Oakwell Interiors' });
  await save('company', { name: 'Oakwell Interiors Ltd', office: '1 Park Street, Bristol BS1 5HR', vatNumber: '' });
  await save('contact', { email: 'hello@oakwell.example', phone: '0117 496 0000', mailFrom: 'orders@oakwell.example' });
  await save('delivery', {});
  await save('policies', {});
  const done = (await steps()).filter(({ isDone }) => isDone).map(({ name }) => name);
  expect(done).toEqual(['shop', 'company', 'tax', 'contact', 'delivery', 'policies']);
  expect((await stepOf('tax'))?.text).toBe('Not registered for VAT: no page or invoice says that prices include it.');
  await save('policies', { refunds: 'You can return a piece within 30 days.' });
  expect(await stepOf('policies')).toMatchObject({
    isDone: false,
    text: expect.stringMatching(/^Refund policy: Your text says 30 days, but the shop takes returns for 14/),
  });
  await save('policies', { refunds: 'You can return a piece within {returnDays} days.' });
  expect(await stepOf('policies')).toMatchObject({ isDone: true });
});

test('a test email proves that mails arrive once its link is followed, and another sender has to prove it again', async () => {
  const send = (email: string) => app.inject({ method: 'POST', url: '/api/opening/mail', headers: admin.headers, payload: { email } });
  const tokenOf = () => /#mail-arrived=([\w-]+)/.exec(mailServer.received.at(-1)?.mail.text ?? '')?.[1] ?? '';
  const follow = (token: string) => app.inject({ method: 'POST', url: '/api/opening/mail-arrived', payload: { token } });
  expect((await send('not an address')).json().errors).toEqual({ email: 'Email is invalid' });
  mailServer.refusal = { code: 550, text: 'We do not know orders@oakwell.example' };
  expect((await send('jane@oakwell.example')).json().message).toContain('We do not know orders@oakwell.example');
  mailServer.refusal = undefined;
  expect((await send('jane@oakwell.example')).statusCode).toBe(200);
  const first = tokenOf();
  expect(await stepOf('mail')).toMatchObject({ isDone: false, text: expect.stringMatching(/^A test email was sent at /) });
  await send('jane@oakwell.example');
  expect([(await follow(first)).statusCode, (await follow(tokenOf())).statusCode]).toEqual([404, 200]);
  expect(await stepOf('mail')).toMatchObject({ isDone: true });
  const { mailFrom } = services.config;
  services.config.mailFrom = '"Oakwell" <other@oakwell.example>';
  expect(await stepOf('mail')).toMatchObject({ isDone: false });
  services.config.mailFrom = mailFrom;
});

test('the provider’s notice, a backup and two-step login are seen', async () => {
  const buyer = await aCustomer(db);
  const lamp = await productCalled(LAMP);
  expect((await pay((await checkout(buyer, [aLine(lamp)])).url)).status).toBe(303);
  expect(await stepOf('webhook')).toMatchObject({ isDone: true });
  await recordWorking(db, BACKUP_CHECK);
  expect(await stepOf('backup')).toMatchObject({ isDone: true });
  await sql`update shop_marks set seen_at = now() - interval '8 days' where name = 'backup'`.execute(db);
  expect(await stepOf('backup')).toMatchObject({ isDone: false, text: expect.stringContaining('more than 7 days ago') });
  await aSecondFactor(shop, admin);
  expect((await stepOf('secondFactor'))?.text).toBe('Without two-step login: admin@example.com. Each of them sets it up in their profile.');
  const colleague = await anAdmin(db, { staffRole: 'catalogue' });
  const seen = await app.inject({ url: '/api/opening', headers: colleague.headers });
  expect(seen.body).toContain('Without two-step login: 2. Each of them');
  expect(seen.body).not.toContain('admin@example.com');
});

/** A product as the form sends it. */
async function sendProduct(method: 'POST' | 'PUT', url: string, name: string): Promise<void> {
  const fields = { name, description: 'Oak.', category: 'Bench', subCategory: 'Hall', brand: 'Oakwell', price: '12000', countInStock: '3' };
  const more = { newArrivals: 'false', isRecommend: 'false', fit: 'Hall', sizes: '[]', colors: '[]' };
  const form = new FormData();
  for (const [field, value] of Object.entries({ ...fields, ...more })) form.append(field, value);
  const reply = await fetch(shop.url + url, { method, headers: admin.headers, body: form });
  expect([method, reply.status]).toEqual([method, method === 'POST' ? 201 : 200]);
}

test('the start says how to log in to the demo, and not where others may reach the shop or cards are charged', async () => {
  const config = { host: '127.0.0.1', publicUrl: 'http://127.0.0.1:3000', isSandbox: true };
  expect(await demoLogins(db, config)).toEqual([
    'Log in as the administrator: admin@example.com / Admin123!',
    'Log in as a customer: customer@example.com / Customer123!',
  ]);
  for (const other of [{ host: '0.0.0.0' }, { publicUrl: 'https://shop.example' }, { isSandbox: false }])
    expect(await demoLogins(db, { ...config, ...other })).toEqual([]);
  const change = (passwordHash: string) => db.updateTable('users').set({ passwordHash }).where('email', '=', 'admin@example.com').execute();
  const { passwordHash } = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('email', '=', 'admin@example.com')
    .executeTakeFirstOrThrow();
  await change(await hashPassword('a password of its own'));
  expect(await demoLogins(db, config)).toEqual(['Log in as a customer: customer@example.com / Customer123!']);
  await change(passwordHash);
});

test('the demo goes, except what was changed, ordered or is logged in with; what the owner made stays', async () => {
  const ada = await logIn('admin@example.com', 'Admin123!');
  await sendProduct('POST', '/api/products', 'Oakwell Bench');
  await sendProduct('PUT', `/api/products/${(await productCalled('Loch Bottle Vase'))._id}`, 'Oakwell Vase');
  const before = await demo(ada);
  expect(before.stays).toEqual([
    { name: LAMP, why: 'It has been ordered.' },
    { name: 'Oakwell Vase', why: expect.stringMatching(/^Jane Oakwell changed it on \d{4}-\d\d-\d\d\.$/) },
  ]);
  expect([before.goes.length, before.goes.includes('Oakwell Bench')]).toEqual([43, false]);
  expect(before.accounts).toEqual([
    { email: 'admin@example.com', goes: false, why: expect.stringMatching(/^You are logged in with it\./) },
    { email: 'customer@example.com', goes: true, why: expect.any(String) },
  ]);
  expect((await app.inject({ url: '/api/products/rooms' })).json()).toHaveLength(13);
  const after = await demo(ada, 'DELETE');
  expect(after).toMatchObject({ goes: [], stays: before.stays, accounts: [{ email: 'admin@example.com' }] });
  expect(await stepOf('demo')).toMatchObject({ isDone: false });
  const { products } = (await app.inject({ url: '/api/products' })).json<{ products: { name: string }[] }>();
  expect(products.map(({ name }) => name).sort()).toEqual([LAMP, 'Oakwell Bench', 'Oakwell Vase']);
  expect(services.config.catalogue).toEqual({ categories: [], rooms: [] });
  await demo(admin, 'DELETE');
  expect(await stepOf('demo')).toMatchObject({ isDone: true });
  expect((await app.inject({ url: '/api/users', headers: ada.headers })).statusCode).toBe(401);
});

test('the pictures of what was removed go with the next nightly job, and those of what stays are kept', async () => {
  const { images } = await db.selectFrom('products').select('images').where('name', '=', LAMP).executeTakeFirstOrThrow();
  const all = await services.pictures.list(new Date(8.64e15));
  expect(all.length).toBeGreaterThan(100);
  const masters = join(shop.dataDir, 'pictures/masters');
  for (const file of await readdir(masters)) await utimes(join(masters, file), 0, 0);
  await removeOrphanedPictures(services);
  const left = await services.pictures.list(new Date(8.64e15));
  expect(left).toEqual(expect.arrayContaining(images.map((url) => pictureId(url))));
  expect(left.length).toBeLessThan(all.length / 4);
});

test('a demo account with a password of its own belongs to somebody', async () => {
  const passwordHash = await hashPassword('a password of her own');
  await db
    .insertInto('users')
    .values({ id: newId(), name: 'Casey', email: 'customer@example.com', passwordHash, isAdmin: false })
    .execute();
  expect((await demo()).accounts).toEqual([{ email: 'customer@example.com', goes: false, why: 'It has a password of its own.' }]);
  expect(await stepOf('demo')).toMatchObject({ isDone: true });
});
