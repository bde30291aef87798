import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import PostalMime from 'postal-mime';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { fieldsOf, metaOf, type SectionName } from '#contract/settings/sections.schema.ts';
import { PAYER } from '#sandbox/payer.ts';
import { freePort } from '#server/platform/ports.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { runCommand } from '#server/testing/commands.ts';
import { eventually } from '#server/testing/eventually.ts';
import { OF_THE_DEMO } from '#server/testing/of-the-demo.ts';
import { type ShopProcess, startShop } from '#server/testing/shop-process.ts';
import { OAKWELL } from './oakwell.ts';
import { aPerson, type Person, startBrowser } from './person.ts';

const OWNER = { email: 'jane@oakwell.example', password: 'Dovetail-joint-7' };
const BUYER = { name: 'Maya Shah', email: 'maya@example.com', password: 'Correct-horse-1' };
const NAME = OAKWELL.shop.name;
const [{ address: STAFF }] = OAKWELL.staff.notices;

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** An empty shop with its owner's account. */
async function anEmptyShop(): Promise<{ shop: ShopProcess; env: Record<string, string>; dir: string }> {
  const dir = aFolder('oakwell');
  const env = { SHOP_DATA_DIR: dir };
  const shop = await startShop(await freePort(), { ...env, SHOP_DEMO: '0', STORE_MARKET: 'uk' });
  onTestFinished(async () => {
    await shop.stop();
  });
  const made = await runCommand('admin', [OWNER.email, '--name', 'Jane Oak'], { ...env, SHOP_ADMIN_PASSWORD: OWNER.password });
  expect(made.code, made.complaint).toBe(0);
  return { shop, env, dir };
}

/** Checks that a screen does not name the demo's shop. */
const namesNoDemo = (html: string, address: string) => expect(OF_THE_DEMO.exec(html)?.[0], address).toBeUndefined();

/** Types into a control, by its id. */
async function type(page: Page, id: string, value: unknown): Promise<void> {
  const control = page.locator(`[id="${id}"]`);
  const text = String(value ?? '');
  if ((await control.evaluate(({ tagName }) => tagName)) === 'SELECT') await control.selectOption(text);
  else await control.fill(text);
}

/** Fills in a section of the settings and saves it. */
async function saveSection({ page, open, press, says }: Person, section: SectionName, values: Record<string, unknown>): Promise<void> {
  await open(`/admin/settings?section=${section}`);
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
  for (const [name, value] of Object.entries(values)) {
    if (!Array.isArray(value)) {
      await type(page, name, value);
      continue;
    }
    const { row = 'row' } = metaOf(fieldsOf(section)[name] as never);
    const list = page.locator(`fieldset[id="${name}"]`);
    const remove = list.getByRole('button', { name: /^Remove/ }).first();
    while (await remove.isVisible()) await remove.click();
    for (const [index, columns] of value.entries()) {
      await list.getByRole('button', { name: `Add ${row}` }).click();
      for (const [column, cell] of Object.entries(columns as object)) await type(page, `${name}.${index}.${column}`, cell);
    }
  }
  if (section === 'shop') {
    const logo = await sharp({ create: { width: 320, height: 120, channels: 3, background: '#1b2a49' } })
      .png()
      .toBuffer();
    await page.getByLabel('File for Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await page.locator('fieldset[id="logo"] img').waitFor();
  }
  await press('Save');
  await says(/^Saved\./);
}

async function makeProduct({ page, open, press, says }: Person): Promise<void> {
  await open('/admin/createproduct');
  const fields = {
    name: 'Quay Bench',
    description: 'Solid oak, oiled.',
    fit: 'Hall',
    category: 'Bench',
    subCategory: 'Hall bench',
    brand: 'Oakwell',
    price: 24_900,
    countInStock: 5,
  };
  for (const [name, value] of Object.entries(fields)) await type(page, name, value);
  await press('Create Product');
  await says('Product');
}

/** Enters the password, if the office asks for it again. */
async function prove({ page }: Person): Promise<void> {
  const password = page.getByLabel('Your password');
  const isAsked = await password.waitFor({ timeout: 5_000 }).then(
    () => true,
    () => false,
  );
  if (!isAsked) return;
  await password.fill(OWNER.password);
  await page.getByRole('button', { name: 'Confirm' }).click();
}

/** A customer registers, looks at the costs for a postcode in the Highlands, chooses a day, and pays by card. Returns the order's id. */
async function buy({ page, main, open, press, says, look }: Person): Promise<string> {
  await open('/register');
  await page.getByLabel('Name', { exact: true }).fill(BUYER.name);
  await page.getByLabel('Email Address').fill(BUYER.email);
  await page.getByLabel('Password', { exact: true }).fill(BUYER.password);
  await page.getByLabel('Confirm Password', { exact: true }).fill(BUYER.password);
  await press('Register');
  await page.waitForURL((url) => !url.pathname.startsWith('/register'));
  await open('/shop');
  await main.getByRole('link', { name: 'Quay Bench' }).first().click();
  await press('Add To Cart');
  await open('/cart');
  await page.getByLabel('Your postcode').fill('IV2 3BW');
  await press('Check');
  const summary = page.getByRole('region', { name: 'Summary' });
  await summary.getByText('Standard delivery, £80.00').waitFor();
  await page.getByLabel('Day of delivery (optional)').selectOption({ index: 2 });
  // What is typed for cash is there for the card, too.
  await press('Cash on delivery');
  const typed = { Phone: '07700 900321', 'Address line 1': '3 Ness Walk', City: 'Inverness', Postcode: 'IV2 3BW' };
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text);
  await look();
  await open('/cart');
  await press('Checkout');
  await says('Payment sandbox');
  await page.getByText(NAME).first().waitFor();
  const filled = ['Full name', 'Phone', 'Address line 1', 'Town or city', 'Postcode'].map((label) => page.getByLabel(label).inputValue());
  expect(await Promise.all(filled)).toEqual([BUYER.name, ...Object.values(typed)]);
  await page.getByLabel('Card number').fill(PAYER.card);
  await page.getByLabel('Expiry').fill(PAYER.expiry);
  await page.getByLabel('Security code').fill(PAYER.cvc);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await says('Thank You For Your Payment!');
  await open('/orders');
  await page.getByRole('link', { name: /^Order Details/ }).click();
  await says('the day that you chose');
  return page.url().split('/').at(-1) ?? '';
}

/** Sells a bench by card, delivers it, takes it back and gives the money back. */
async function trade(owner: Person, buyer: Person): Promise<string> {
  const id = await buy(buyer);
  const { open, press, page, says, main } = owner;
  await open('/admin/orderlist');
  await page.getByRole('link', { name: /^Details of / }).click();
  await press('Start packing');
  await press('Mark as dispatched');
  await main.getByLabel('Carrier').selectOption('Severn Carriers');
  await main.getByLabel('Tracking number').fill('SC 1550');
  await press('Dispatch');
  await says(/^Dispatched at: /);
  await press('Mark as delivered');
  await says(/^Delivered at: /);
  await buyer.open(`/order/${id}`);
  await buyer.press('Return pieces');
  await buyer.page.getByLabel('Reason').selectOption('It does not fit');
  await buyer.press('Request a return');
  await buyer.says('We have your request');
  await open(`/admin/orderdetails/${id}`);
  await press('Answer the return');
  await main.getByRole('radio', { name: 'Yes' }).check();
  await press('Approve the return');
  await press('Record what came back');
  await press('Record the return');
  await prove(owner);
  await says(/^Received: /);
  await eventually(async () => {
    await buyer.open(`/order/${id}`);
    expect(await buyer.main.textContent()).toMatch(/£\d+\.00 refunded/);
  }, 60);
  return id;
}

/** Checks that the shop's mails, documents and public pages name it and no other. */
async function readAll({ url }: ShopProcess, dir: string, buyer: Person, id: string): Promise<void> {
  const readMails = () =>
    Promise.all(readdirSync(join(dir, 'mail')).map((file) => PostalMime.parse(readFileSync(join(dir, 'mail', file)))));
  const isTo = (mail: Awaited<ReturnType<typeof readMails>>[number], whom: string) => mail.to?.some(({ address }) => address === whom);
  // Staff hear within a minute.
  await eventually(async () => expect((await readMails()).some((mail) => isTo(mail, STAFF))).toBe(true), 120);
  const mails = await readMails();
  expect(mails.filter((mail) => isTo(mail, BUYER.email)).length).toBeGreaterThanOrEqual(5);
  for (const mail of mails) {
    const { subject, text, html } = mail;
    expect(OF_THE_DEMO.exec(JSON.stringify({ subject, text, html, from: mail.from }))?.[0], subject).toBeUndefined();
    expect(mail.from).toMatchObject({ name: NAME, address: OAKWELL.contact.mailFrom });
  }
  const bearer = await buyer.page.evaluate(() => (JSON.parse(localStorage.getItem('userInfo') ?? '{}') as { token: string }).token);
  const ask = async (path: string) =>
    Buffer.from(await (await fetch(url + path, { headers: { bearer } })).arrayBuffer()).toString('latin1');
  const { invoices } = JSON.parse(await ask(`/api/orders/${id}`)) as { invoices: { _id: string }[] };
  expect(invoices.length).toBeGreaterThanOrEqual(2);
  const documents = invoices.flatMap(({ _id }) => [`/api/invoices/${_id}`, `/api/invoices/${_id}/pdf`]);
  for (const path of [...documents, '/robots.txt', '/sitemap.xml', '/api/feed.xml', '/api/docs', '/favicon.svg'])
    expect(OF_THE_DEMO.exec(await ask(path))?.[0], path).toBeUndefined();
  const pages = [
    '',
    'shop',
    'newarrivals',
    'cart',
    'contact',
    'legal',
    'privacy',
    'shipping-policy',
    'refund-policy',
    'profile',
    'nowhere',
  ];
  for (const path of pages) {
    await buyer.open(`/${path}`);
    expect(await buyer.page.title(), path).toContain(NAME);
  }
}

const seconds = (start: number) => Math.round((performance.now() - start) / 1_000);
const exportOf = async (env: Record<string, string>) => (await runCommand('admin', ['settings', 'export'], env)).output;

/** The settings of the first shop, for the second. */
let settings = '';

test('by the browser alone an empty shop becomes Oakwell Interiors, sells, delivers, takes back and refunds, and names no other shop', async () => {
  const start = performance.now();
  const { shop, env, dir } = await anEmptyShop();
  const visitor = await aPerson(browser, shop.url);
  await visitor.logIn(OWNER);
  for (const [section, values] of Object.entries(OAKWELL)) await saveSection(visitor, section as SectionName, values);
  const setUp = seconds(start);
  const owner = await aPerson(browser, shop.url, namesNoDemo);
  await owner.logIn(OWNER);
  await makeProduct(owner);
  const buyer = await aPerson(browser, shop.url, namesNoDemo);
  await readAll(shop, dir, buyer, await trade(owner, buyer));
  settings = await exportOf(env);
  process.stdout.write(`by the browser: set up in ${setUp} s, all in ${seconds(start)} s\n`);
});

test('by `settings import` another empty shop becomes the same, and trades in the same way', async () => {
  const start = performance.now();
  const { shop, env, dir } = await anEmptyShop();
  const file = join(dir, 'oakwell.json');
  writeFileSync(file, settings);
  const done = await runCommand('admin', ['settings', 'import', file], env);
  expect(done.code, done.complaint).toBe(0);
  expect(await exportOf(env)).toBe(settings);
  const setUp = seconds(start);
  const [owner, buyer] = [await aPerson(browser, shop.url, namesNoDemo), await aPerson(browser, shop.url, namesNoDemo)];
  await owner.logIn(OWNER);
  await makeProduct(owner);
  await readAll(shop, dir, buyer, await trade(owner, buyer));
  process.stdout.write(`by import: set up in ${setUp} s, all in ${seconds(start)} s\n`);
});
