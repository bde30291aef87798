import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';

const SERVER = join(ROOT, 'src/server');

/** Which folders write which table; any folder may read all of them. A table without an owner is filled by the database itself. */
const OWNERS: Record<string, readonly string[]> = {
  account_lists: ['wishlist'],
  api_keys: ['integrations', 'sessions'],
  audit_entries: ['context'],
  book_check: ['books'],
  book_faults: ['books'],
  book_ticks: ['books'],
  bulk_edits: ['catalogue'],
  bulk_edit_products: ['catalogue'],
  // Triggers of the orders write it.
  cash_receipts: [],
  catalogue_changes: ['platform/cache'],
  catalogue_words: [],
  dispatch_batches: ['delivery'],
  delivery_notices: ['orders'],
  document_numbers: ['invoices'],
  imported_products: ['catalogue/import'],
  imported_stock: ['catalogue/import'],
  invoices: ['invoices'],
  job_schedule: ['platform/jobs'],
  jobs: ['platform/jobs'],
  // The account's row tells whether a link still works.
  address_links: ['sessions'],
  known_devices: ['sessions'],
  // A page is opened, and closed, by payments.
  order_corrections: ['orders', 'payments'],
  order_disputes: ['orders'],
  order_events: ['orders'],
  order_items: ['orders'],
  order_payments: ['orders'],
  order_refunds: ['orders'],
  order_return_items: ['returns'],
  // What names a customer is erased with their orders, here and in the parcels below.
  order_returns: ['returns', 'orders'],
  order_networks: ['orders'],
  orders: ['orders'],
  overpayments: ['orders'],
  parcel_items: ['delivery'],
  order_steps: [],
  parcels: ['delivery', 'orders'],
  password_resets: ['accounts'],
  payment_events: ['payments'],
  payment_watch: ['payments'],
  // What a product is belongs to its editor; attributes are derived from that, how many are left changes with every order, and the rating with
  // every review.
  product_sizes: ['catalogue', 'orders/lines'],
  product_dimensions: ['catalogue/attributes'],
  price_log: [],
  promotions: ['promotions'],
  // A trigger releases uses, whatever version ends their order.
  redemptions: ['promotions'],
  products: ['catalogue', 'orders/lines', 'reviews'],
  provider_entries: ['books'],
  rate_limits: ['sessions'],
  review_hidings: ['reviews'],
  review_mail_stops: ['reviews'],
  review_requests: ['reviews'],
  review_summaries: ['reviews'],
  review_votes: ['reviews'],
  recovery_codes: ['accounts/second-factor'],
  reviews: ['reviews'],
  // What changes is noted by triggers of the orders, and added up by a job.
  sales_changes: ['orders'],
  sales_days: ['orders'],
  sales_pieces: ['orders'],
  sales_window: ['orders'],
  sales_best_sellers: ['orders'],
  // Triggers write which orders are a customer's first, too.
  first_orders: [],
  sales_facts: ['orders'],
  sales_fact_changes: ['orders'],
  sales_fact_months: ['orders'],
  sales_recounts: ['orders'],
  schema_compatibility: [],
  second_factors: ['accounts/second-factor'],
  second_payment_outcomes: ['orders'],
  second_payments: ['orders'],
  sessions: ['sessions'],
  shop_marks: ['context'],
  shop_settings: ['settings'],
  order_mails: ['orders'],
  staff_notes: ['office', 'orders'],
  staff_tags: ['office', 'orders'],
  staff_notices: ['staff-notices'],
  stock_alerts: ['alerts'],
  stock_counts: ['stock'],
  // Triggers write it, whatever moves the stock.
  stock_movements: [],
  stored_pictures: ['catalogue'],
  users: ['accounts'],
  webhook_messages: ['integrations'],
  // Triggers write it, whatever happens.
  webhook_news: ['integrations'],
  webhooks: ['integrations'],
  wish_links: ['wishlist'],
};

/** Fills an empty or a restored database, or proves the shop. */
const NOT_THE_SHOP = /\.test\.ts$|^(testing|demo|generator|backup)\//;
const WRITE =
  /(?:updateTable|insertInto|deleteFrom|mergeInto)\(\s*'(\w+)|\b(?:update|insert into|delete from|merge into|truncate(?: table)?)\s+(?:only\s+)?([a-z_]+)\b/g;

/** The tables of the shop that a source writes. */
function writesOf(source: string): string[] {
  const tables = [...source.matchAll(WRITE)].map(([, kysely = '', raw = '']) =>
    (kysely || raw).replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
  );
  return tables.filter((table) => table in OWNERS);
}

test('only the folder that owns a table writes it', () => {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !NOT_THE_SHOP.test(file),
  );
  const strangers = files.flatMap((file) =>
    writesOf(readFileSync(join(SERVER, file), 'utf8'))
      .filter((table) => !OWNERS[table]?.some((folder) => file.startsWith(`${folder}/`)))
      .map((table) => `${file} writes ${table}`),
  );
  expect(strangers).toEqual([]);
});

test('every table has an entry, and every owner that is named writes its table', () => {
  const schema = readFileSync(join(SERVER, 'platform/database/schema.ts'), 'utf8');
  const tables = [...schema.matchAll(/^ {2}(\w+): \{/gm)].map(([, name = '']) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`));
  expect(Object.keys(OWNERS).sort()).toEqual(tables.sort());
  for (const [table, folders] of Object.entries(OWNERS))
    for (const folder of folders) {
      const files = readdirSync(join(SERVER, folder), { recursive: true, encoding: 'utf8' }).filter((file) => !NOT_THE_SHOP.test(file));
      const writes = files
        .filter((file) => file.endsWith('.ts'))
        .flatMap((file) => writesOf(readFileSync(join(SERVER, folder, file), 'utf8')));
      expect(writes, `${folder} writes ${table}`).toContain(table);
    }
});

test.each([
  ["tx.updateTable('orders').set({ status: 'placed' })", ['orders']],
  ["tx\n    .insertInto('orderEvents')", ['order_events']],
  ['sql`update orders set status = $1 where id = $2`', ['orders']],
  ['sql`with moved as (insert into order_items select 1) select 2`', ['order_items']],
  ['sql`select id from orders for update`', []],
  ["tx.selectFrom('orders')", []],
])('%s is seen as what it writes', (source, tables) => {
  expect(writesOf(source)).toEqual(tables);
});
