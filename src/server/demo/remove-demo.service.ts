import { type RawBuilder, sql } from 'kysely';
import { shopDay } from '#contract/market/shop-time.ts';
import type { DemoLeft } from '#contract/opening/opening.schema.ts';
import { isPassword } from '#server/accounts/password.ts';
import { deleteUser } from '#server/accounts/users.service.ts';
import { LOCK_ORDER } from '#server/catalogue/lock-order.ts';
import { removeProducts } from '#server/catalogue/product-edits.service.ts';
import { COMMAND_LINE } from '#server/context/audit.ts';
import { type Admin, requireStepUp, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { type Config, exposedHost } from '#server/platform/settings/config.ts';
import { listVersions, storeVersion } from '#server/settings/settings-loader.ts';
import { DEMO_ACCOUNTS } from './accounts.ts';

/**
 * The demo's products: nobody created them, so the audit log has no entry “Created” for them. They are the shop's first, so only its 1,000 oldest
 * are searched.
 */
const DEMO_PRODUCTS = sql<{ id: string }>`
  select oldest.id from (select id from products where deleted_at is null order by id limit 1000) oldest
  where not exists (select from audit_entries a where a.entity = 'product' and a.entity_id = oldest.id and a.change like 'Created%')`;

interface DemoProduct {
  id: string;
  name: string;
  isOrdered: boolean;
  isReviewed: boolean;
  changedBy: string | null;
  changedAt: string | null;
}

async function listProducts(db: Db, ids: RawBuilder<unknown>): Promise<DemoProduct[]> {
  const { rows } = await sql<DemoProduct>`
    select p.id, p.name, exists (select from order_items i where i.product_id = p.id) as "isOrdered",
      exists (select from reviews r where r.product_id = p.id) as "isReviewed",
      last_change.actor_name as "changedBy", last_change.at as "changedAt"
    from products p
    left join lateral (
      select actor_name, at from audit_entries where entity = 'product' and entity_id = p.id order by id desc limit 1) last_change on true
    where p.id in (${ids}) order by lower(p.name), p.id`.execute(db);
  return rows;
}

/** Why a product stays; undefined if it goes. */
function reasonOf({ isOrdered, isReviewed, changedBy, changedAt }: DemoProduct): string | undefined {
  if (isOrdered) return 'It has been ordered.';
  if (isReviewed) return 'It has a review.';
  return changedAt ? `${changedBy} changed it on ${shopDay(changedAt)}.` : undefined;
}

/** The accounts with the demo's email addresses. One that is not open has a password of its own. */
async function findAccounts(db: Db) {
  const accounts: ((typeof DEMO_ACCOUNTS)[number] & { id: string; isOpen: boolean })[] = [];
  for (const account of DEMO_ACCOUNTS) {
    const user = await db.selectFrom('users').select(['id', 'passwordHash']).where(hasEmail(account.email)).executeTakeFirst();
    if (user) accounts.push({ ...account, id: user.id, isOpen: await isPassword(user.passwordHash, account.password) });
  }
  return accounts;
}

const OWN_LOGIN =
  'You are logged in with it. Its password is public: choose your own address and password in your profile, or remove it when logged in as another administrator.';

type Account = DemoLeft['accounts'][number] & { id: string };

/** These accounts, and whether they go. One whose password is no longer the demo's has become somebody's own, and stays. */
async function listAccounts(db: Db, who: Admin): Promise<Account[]> {
  return (await findAccounts(db)).map(({ id, email, isOpen }) => {
    if (!isOpen) return { id, email, goes: false, why: 'It has a password of its own.' };
    if (id === who._id) return { id, email, goes: false, why: OWN_LOGIN };
    return { id, email, goes: true, why: 'Its password is public. Its orders stay.' };
  });
}

/** The parts of the demo that would be removed, and those that stay, with the reason. */
export async function readDemo(db: Db, who: Admin): Promise<DemoLeft> {
  const products = await listProducts(db, DEMO_PRODUCTS);
  const accounts = await listAccounts(db, who);
  return {
    goes: products.filter((product) => !reasonOf(product)).map(({ name }) => name),
    stays: products.flatMap((product) => {
      const why = reasonOf(product);
      return why ? [{ name: product.name, why }] : [];
    }),
    accounts: accounts.map(({ id: _, ...account }) => account),
  };
}

/** Whether there is still a demo product that nobody has changed, or a demo account with its public password. */
export async function hasDemo(db: Db): Promise<boolean> {
  const products = await listProducts(db, DEMO_PRODUCTS);
  return products.some((product) => !reasonOf(product)) || (await findAccounts(db)).some(({ isOpen }) => isOpen);
}

/** Lines that say how to log in to the demo. None where a shop takes real payments, or other machines may reach it. */
export async function demoLogins(db: Db, config: Pick<Config, 'host' | 'publicUrl' | 'isSandbox'>): Promise<string[]> {
  if (!config.isSandbox || exposedHost(config) !== undefined) return [];
  const open = (await findAccounts(db)).filter(({ isOpen }) => isOpen);
  return open.map(({ email, password, isAdmin }) => `Log in as ${isAdmin ? 'the administrator' : 'a customer'}: ${email} / ${password}`);
}

/** Removes what `readDemo` says goes, and returns what is left. Throws 403 if re-authentication is needed. */
export async function removeDemo(services: Pick<Services, 'db' | 'config'>, who: Admin): Promise<DemoLeft> {
  const { db, config } = services;
  requireStepUp(who, config);
  await transactionOf(db, who, async (tx) => {
    await sql`select id from products where id = any(with_sets(array(${DEMO_PRODUCTS}))) order by ${LOCK_ORDER} for update`.execute(tx);
    // A second statement: the first one's snapshot is older than its wait for locks, and lacks an order that held them.
    const products = await listProducts(tx, DEMO_PRODUCTS);
    const ids = products.filter((product) => !reasonOf(product)).map(({ id }) => id);
    await removeProducts(tx, who, ids, 'Removed with the demo');
    const [latest] = await listVersions(tx, 'catalogue');
    // The demo's categories and rooms, unless somebody has made them theirs.
    if (latest?.version === 1 && latest.actor === COMMAND_LINE.name)
      await storeVersion(tx, who, 'catalogue', { version: 2, values: { categories: [], rooms: [] }, before: latest.values });
  });
  for (const { id, goes } of await listAccounts(db, who)) if (goes) await deleteUser(services, who, id);
  return readDemo(db, who);
}
