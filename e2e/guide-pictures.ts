/** `npm run guide:pictures`: makes the pictures of docs/guide from a shop of its own, so that they show the screens as they are. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { findBrowser } from '../scripts/browser.mjs';
import { anOrder } from './office.ts';
import { type ListedProduct, openShop, type Shop } from './shop.ts';

const [DIR, WIDTH, MOST_HEIGHT, EDGE] = ['docs/guide/pictures', 1100, 900, 16];

/** The part of a screen from its title down, or around a panel. */
async function take(page: Page, name: string, part: Locator = page.locator('#main')): Promise<void> {
  await part.scrollIntoViewIfNeeded();
  // A header that stays in sight would lie over the picture, and the menu stands at its edge.
  const hidden = 'header, .Toastify, div:has(> div > nav[aria-label="Office"]), div:has(> nav[aria-label="Office"])';
  await page.addStyleTag({ content: `${hidden} { visibility: hidden !important } * { caret-color: transparent !important }` });
  const box = await part.boundingBox();
  if (!box) throw new Error(`${name} is not on the screen.`);
  const top = box.y + (await page.evaluate(() => window.scrollY));
  const picture = await page.screenshot({
    fullPage: true,
    clip: {
      x: Math.max(0, box.x - EDGE),
      y: Math.max(0, top - EDGE),
      width: box.width + 2 * EDGE,
      height: Math.min(box.height, MOST_HEIGHT) + 2 * EDGE,
    },
  });
  const webp = await sharp(picture).resize({ width: WIDTH, withoutEnlargement: true }).webp({ quality: 60, effort: 6 }).toBuffer();
  writeFileSync(join(DIR, `${name}.webp`), webp);
  process.stdout.write(`${name}: ${Math.round(webp.length / 1024)} KB\n`);
}

/** Orders of real pieces in every state that a page shows. Returns their ids. */
async function fillShop(shop: Shop) {
  const { token } = await shop.admin();
  const { products } = await shop.call<{ products: ListedProduct[] }>('GET', '/api/products?search=lamp');
  const maya = await shop.aCustomer('Maya Shah');
  const order = async (name: string, at: number, buyer?: typeof maya) =>
    (await anOrder(shop, { buyer: buyer ?? (await shop.aCustomer(name)), product: products[at] as ListedProduct }))._id;
  const ids = {
    packing: await order('Grace Hill', 0),
    dispatch: await order('Owen Pryce', 1),
    return: await order(maya.name, 2, maya),
    refund: await order('Tom Baker', 3),
    placed: await order('Ruth Adeyemi', 4),
  };
  const put = (id: string, what: string, body: object) => shop.call('PUT', `/api/orders/${id}/${what}`, { token, body });
  for (const id of [ids.packing, ids.dispatch]) await put(id, 'stage', { stage: 'packing' });
  for (const id of [ids.return, ids.refund]) {
    await put(id, 'cash', { isPaid: true });
    await put(id, 'deliver', { isDelivered: true });
  }
  const asked = { lines: [{ line: 0, qty: 1 }], reason: 'It does not fit', comment: 'It is too tall for the shelf.' };
  await shop.call('POST', `/api/orders/${ids.return}/returns`, { token: maya.token, body: asked });
  const form = new FormData();
  form.append('rating', '2');
  form.append('text', 'The shade is smaller than I thought. The same lamp is at www.lamps.example.');
  await shop.call('POST', `/api/products/${products[2]?._id}/reviews`, { token: maya.token, form });
  return ids;
}

async function takeAll(shop: Shop, page: Page): Promise<void> {
  const ids = await fillShop(shop);
  const open = async (path: string) => {
    await page.goto(shop.url + path);
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  };
  const panel = (title: string) => page.locator('#main section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const press = (name: string) => page.locator('#main').getByRole('button', { name, exact: true }).click();

  await open('/admin/settings');
  await page.getByRole('heading', { name: 'Name, logo and colours' }).waitFor();
  await take(page, 'before-you-open');
  await open('/admin/settings?section=delivery');
  await page.getByRole('region', { name: 'Preview' }).getByLabel('Postcode').fill('IV2 3BW');
  await take(page, 'delivery', page.getByRole('region', { name: 'Preview' }));
  await open('/admin/createproduct/');
  await page.getByLabel('Name', { exact: true }).fill('Oakwell Hall Bench');
  await page.getByLabel('Price (in pence)').fill('49999');
  await take(page, 'product');
  await open('/admin/productlist/');
  await page.getByRole('table').waitFor();
  await take(page, 'sale');
  await open('/admin/createorder');
  await page.getByLabel('Name or email of a customer').fill('Maya');
  await press('Find customer');
  await page.getByRole('button', { name: /^Maya Shah, / }).click();
  await page.getByLabel('Name or SKU of the product').fill('lamp');
  await press('Find product');
  await page
    .getByRole('button', { name: /^Add .* in stock$/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Place the order, £/ }).waitFor();
  await take(page, 'by-phone');
  await open('/admin/orderlist/');
  await page.getByRole('table', { name: 'Orders' }).waitFor();
  await take(page, 'orders');
  await open(`/admin/orderdetails/${ids.packing}`);
  await page.getByRole('button', { name: 'Mark as dispatched' }).waitFor();
  await take(page, 'packing');
  await open(`/admin/orderdetails/${ids.dispatch}`);
  await press('Mark as dispatched');
  await page.getByLabel('Carrier').selectOption('DPD');
  await page.getByLabel('Tracking number').fill('1550 1234 567');
  await take(page, 'dispatch', page.locator('#main form').filter({ has: page.getByLabel('Tracking number') }));
  await open(`/admin/orderdetails/${ids.return}`);
  await press('Answer the return');
  await take(page, 'return', panel('Returns'));
  await open(`/admin/orderdetails/${ids.refund}`);
  await press('Refund');
  await page.getByLabel('Amount in pounds').fill('20');
  await page.getByLabel('Reason').selectOption('Goodwill');
  await take(page, 'refund', panel('Refunds'));
  await open('/admin/reviews');
  await page.getByRole('button', { name: 'Show the review by Maya Shah' }).waitFor();
  await take(page, 'reviews', page.locator('#main').getByRole('listitem').first());
  await open(`/admin/editUser/${(await shop.admin())._id}`);
  await page.getByRole('combobox', { name: 'Role' }).waitFor();
  await take(page, 'staff', page.locator('#main form').first());
  await open('/admin/settings?section=integrations');
  await page.getByLabel('What uses it').fill('Courier');
  await page.getByRole('checkbox', { name: 'See orders' }).check();
  await take(page, 'programs', page.locator('#main section').filter({ has: page.getByRole('heading', { name: 'API keys' }) }));
  await open('/admin/orderlist/');
  await page.getByLabel('Quarter').waitFor();
  await take(page, 'vat-quarter', page.getByRole('region', { name: 'Sales of the last 30 days' }));
}

const { shop, close } = await openShop({ STORE_MARKET: 'uk', VAT_NUMBER: 'GB123456789' });
const { executablePath, env } = await findBrowser();
const browser = await chromium.launch({
  executablePath,
  env: { ...(process.env as Record<string, string>), ...env },
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-GB', timezoneId: 'Europe/London' });
  page.setDefaultTimeout(120_000);
  const { _id, name, email, token, isAdmin } = await shop.admin();
  await page.addInitScript((text) => localStorage.setItem('userInfo', text), JSON.stringify({ _id, name, email, token, isAdmin }));
  await takeAll(shop, page);
} finally {
  await browser.close();
  await close();
}
