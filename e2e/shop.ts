import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Email } from 'postal-mime';
import type { Db } from '#server/platform/database/connect.ts';
import { withDatabase } from '#server/platform/database/with-database.ts';
import { freePort } from '#server/platform/ports.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { newFolder } from '#server/testing/new-folder.ts';
import { startShop } from '#server/testing/shop-process.ts';

export const ADMIN = { email: 'admin@example.com', password: 'Admin123!' };

export interface Account {
  _id: string;
  name: string;
  email: string;
  token: string;
  isAdmin: boolean;
}

interface PlacedOrder {
  _id: string;
  reference: string;
  phone: string;
}

export interface ListedProduct {
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
  #maker: Promise<Account> | undefined;

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

  /** Another session of an account. */
  newSession({ email, password }: { email: string; password: string }): Promise<Account> {
    return this.call('POST', '/api/users/login', { body: { email, password } });
  }

  /** Ends a session without the browser that has it. */
  async endSession({ token }: { token: string }): Promise<void> {
    await this.call('POST', '/api/users/logout', { token });
  }

  /** A session of the shop's administrator, in which the password was entered again a moment ago. */
  async admin(): Promise<Account> {
    const account = await this.newSession(ADMIN);
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

  /** A discount code: 10% off a product by default. */
  async aCode(code: string, product: { _id: string }, fields: object = {}): Promise<void> {
    const { token } = await this.admin();
    const body = {
      name: `Promotion ${code}`,
      code,
      kind: 'percent',
      value: 10,
      goods: { categories: [], brands: [], products: [product._id] },
      leastSubtotal: 0,
      startsAt: '',
      endsAt: '',
      mostUses: null,
      mostUsesEach: null,
      isFirstOrder: false,
      isOn: true,
      ...fields,
    };
    await this.call('POST', '/api/office/promotions', { token, body });
  }

  /** A product of its own, so that no other test takes its stock. One session makes them all: each login costs two slow hashes. */
  async aProduct(fields: Record<string, string> = {}, pictures: string[] = []): Promise<ListedProduct> {
    this.#maker ??= this.newSession(ADMIN);
    const { token } = await this.#maker;
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

  /** A customer's orders, newest first. */
  async ordersOf({ token }: { token: string }): Promise<PlacedOrder[]> {
    return (await this.call<{ orders: PlacedOrder[] }>('GET', '/api/orders/myorders', { token })).orders;
  }

  /** The shop's own database, for what no screen and no call brings about. */
  async withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
    await withDatabase({ databaseUrl: undefined, dataDir: this.dataDir }, ({ db }) => work(db));
  }

  mailsTo(address: string): Promise<Email[]> {
    return mailsOf(this.dataDir, address);
  }
}

/** Starts a shop of its own, and says how to end it and delete its data. */
export async function openShop(env: Record<string, string> = {}): Promise<{ shop: Shop; close: () => Promise<void> }> {
  const dataDir = newFolder('e2e');
  // Everybody in these tests lives at one address and buys for the first time; 0 is no limit.
  const values = { UNPAID_VALUE: '0', UNPAID_VALUE_PER_ADDRESS: '0', UNPAID_VALUE_PER_NETWORK: '0' };
  const abuse = { UNPAID_ORDERS_PER_ADDRESS: '1000000', ...values, APPROVAL_ABOVE: '900000' };
  const shop = await startShop(await freePort(), { ...abuse, SHOP_DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1', ...env });
  const close = async () => {
    await shop.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { shop: new Shop(shop.url, dataDir), close };
}
