import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import PostalMime, { type Email } from 'postal-mime';
import { freePort } from '#server/base/ports.ts';
import type { Db } from '#server/db/connect.ts';
import { withDatabase } from '#server/db/reach.ts';

export { expect };

export const ADMIN = { email: 'admin@example.com', password: 'Admin123!' };

interface Account {
  _id: string;
  name: string;
  email: string;
  token: string;
  isAdmin: boolean;
}

interface ListedProduct {
  _id: string;
  name: string;
  price: number;
  images: string[];
}

/** A whole shop of the production build: own database, demo catalogue, payment sandbox. */
export class Shop {
  readonly url: string;
  readonly dataDir: string;
  #accounts = 0;

  constructor(url: string, dataDir: string) {
    this.url = url;
    this.dataDir = dataDir;
  }

  async call<T>(
    method: string,
    path: string,
    { token = '', body, form }: { token?: string; body?: object; form?: FormData } = {},
  ): Promise<T> {
    // Each call comes from an address of its own, so that the limits on guessing do not meet the tests.
    const address = `10.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.7`;
    const headers = { 'x-forwarded-for': address, ...(token && { bearer: token }), ...(body && { 'content-type': 'application/json' }) };
    const reply = await fetch(this.url + path, { method, headers, body: form ?? (body && JSON.stringify(body)) ?? null });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  async aCustomer(name = 'Casey Example'): Promise<Account & { password: string }> {
    this.#accounts += 1;
    const password = 'Correct-horse-1';
    const body = { name, email: `e2e-${process.pid}-${this.#accounts}@example.com`, password };
    return { ...(await this.call<Account>('POST', '/api/users', { body })), password };
  }

  /** A session of the shop's administrator, in which the password was entered again a moment ago. */
  async admin(): Promise<Account> {
    const account = await this.call<Account>('POST', '/api/users/login', { body: ADMIN });
    await this.call('POST', '/api/users/proof', { token: account.token, body: { password: ADMIN.password } });
    return account;
  }

  /** Another administrator, as the login leaves them. */
  async secondAdmin(name: string): Promise<Account & { password: string }> {
    const customer = await this.aCustomer(name);
    const { token } = await this.admin();
    await this.call('PUT', `/api/users/${customer._id}`, { token, body: { name, email: customer.email, isAdmin: true } });
    return { ...customer, isAdmin: true };
  }

  /** A product of its own, so that no other test takes its stock. */
  async aProduct(fields: Record<string, string> = {}, pictures: string[] = []): Promise<ListedProduct> {
    const { token } = await this.admin();
    const all = {
      name: 'Test Sofa',
      description: 'A sofa for tests.',
      fit: 'Living room',
      category: 'Testing',
      subCategory: '',
      brand: 'Test',
      price: '49999',
      countInStock: '20',
      newArrivals: 'false',
      isRecommend: 'false',
      sizes: '[]',
      colors: '[]',
      ...fields,
    };
    const form = new FormData();
    for (const [name, value] of Object.entries(all)) form.append(name, value);
    for (const path of pictures) form.append('images', new Blob([readFileSync(path)], { type: 'image/webp' }), basename(path));
    return this.call('POST', '/api/products', { token, form });
  }

  /** The shop's own database, for what no screen and no call brings about. */
  async withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
    await withDatabase({ databaseUrl: undefined, dataDir: this.dataDir }, ({ db }) => work(db));
  }

  async mailsTo(address: string): Promise<Email[]> {
    const dir = join(this.dataDir, 'mail');
    // Made with the first mail.
    if (!existsSync(dir)) return [];
    const files = readdirSync(dir)
      .filter((file) => file.endsWith('.eml'))
      .sort();
    const mails = await Promise.all(files.map((file) => PostalMime.parse(readFileSync(join(dir, file)))));
    return mails.filter(({ to }) => to?.some((entry) => entry.address === address));
  }
}

async function openShop(env: Record<string, string> = {}): Promise<{ shop: Shop; close: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-e2e-'));
  // Open to PostgreSQL's own account, so that the database lies inside and goes with the folder.
  chmodSync(dataDir, 0o711);
  const port = String(await freePort());
  const settings = { PORT: port, SHOP_DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'warn', ...env };
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => text.includes('The shop is open') && resolve());
    child.once('exit', (code) => reject(new Error(`The shop did not start (${code}).`)));
  });
  const close = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { shop: new Shop(`http://127.0.0.1:${port}`, dataDir), close };
}

interface Fixtures {
  /** Logs in without the login screen. */
  logInAs: (account: Account) => Promise<void>;
  /** What a test expects on the console, such as the browser's line about a 404. */
  expectedOnConsole: RegExp[];
}

export const test = base.extend<Fixtures, { shop: Shop; market: string }>({
  market: ['classic', { option: true, scope: 'worker' }],
  shop: [
    async ({ market }, use) => {
      // The shop of the uk market is registered for VAT, that of the classic one is not.
      const { shop, close } = await openShop({ STORE_MARKET: market, VAT_NUMBER: market === 'uk' ? 'GB123456789' : '' });
      await use(shop);
      await close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ shop }, use) => use(shop.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  expectedOnConsole: async ({}, use) => use([]),
  page: async ({ page, shop, javaScriptEnabled, expectedOnConsole }, use) => {
    const said: string[] = [];
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    // A toast is gone after five seconds, which a loaded machine may take to look: what each said is kept.
    await page.addInitScript(() => {
      const said = JSON.parse(sessionStorage.getItem('toasts') ?? '[]') as string[];
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          if (!(node instanceof Element)) continue;
          const toasts = node.matches('.Toastify__toast') ? [node] : [...node.querySelectorAll('.Toastify__toast')];
          if (toasts.length === 0) continue;
          said.push(...toasts.map(({ textContent }) => textContent ?? ''));
          sessionStorage.setItem('toasts', JSON.stringify(said));
        }
      }).observe(document, { childList: true, subtree: true });
    });
    // A click on a page whose scripts have not started is lost: open pages as a person does, who looks first.
    const { goto, reload } = { goto: page.goto.bind(page), reload: page.reload.bind(page) };
    const ready = () => page.locator('html[data-ready]').waitFor({ state: 'attached' });
    page.goto = async (...args) => {
      const reply = await goto(...args);
      if (javaScriptEnabled && page.url().startsWith(shop.url)) await ready();
      return reply;
    };
    page.reload = async (...args) => {
      const reply = await reload(...args);
      await ready();
      return reply;
    };
    await use(page);
    expect(said.filter((text) => !expectedOnConsole.some((pattern) => pattern.test(text)))).toEqual([]);
  },
  logInAs: async ({ page }, use) => {
    await use(async (account) => {
      const { _id, name, email, token, isAdmin } = account;
      await page.addInitScript((info) => {
        // Only once: a test may log out afterwards.
        if (!sessionStorage.getItem('seeded')) localStorage.setItem('userInfo', info);
        sessionStorage.setItem('seeded', '1');
      }, JSON.stringify({ _id, name, email, token, isAdmin }));
    });
  },
});

/** The session that the browser keeps; null for none. */
export const storedUser = (page: Page): Promise<Record<string, unknown> | null> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('userInfo') ?? 'null') as Record<string, unknown> | null);

/** A toast with this text has been shown since the page was opened. */
export async function expectToast(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('toasts') ?? '')).toContain(text);
}

/** Nothing for axe to find, in the page or in an open overlay. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    // Without frames of other sites in the page, axe needs no second page to put its findings together.
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual([]);
  // axe looks at ids only where something refers to them; a label or a link must find its own element among all of them.
  const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
}

/** Nothing sticks out to the side on the smallest screens. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  // Polled: the new width takes a frame or two to reach the layout.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  if (size) await page.setViewportSize(size);
}

/** The hosted page of the payment provider, filled in. */
export async function payByCard(page: Page, card = '4242 4242 4242 4242'): Promise<void> {
  await page.getByLabel('Phone').fill('07700 900123');
  await page.getByLabel('Full name').fill('Pat Payer');
  await page.getByLabel('Address line 1').fill('2 Low Road');
  await page.getByLabel('Town or city').fill('York');
  await page.getByLabel('Postcode').fill('YO1 7HH');
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expiry').fill('12 / 40');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: /^Pay/ }).click();
}
