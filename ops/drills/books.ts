import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import type { Payments } from '#server/gateways/payments.ts';
import { paymentJobs } from '#server/payments/payments.jobs.ts';
import { catalogueChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import type { Buyers } from './buyers.ts';

/** Stock by product, and by product and size. */
export type Stock = Map<string, number>;

/** Sets a stock that a drill never exhausts. */
export async function fillStock(db: Db): Promise<Stock> {
  await sql`update products set count_in_stock = 1000000`.execute(db);
  await sql`update product_sizes set quantity = 1000000`.execute(db);
  await catalogueChanged(db);
  return readStock(db);
}

/** The stock without that of sets, which have the stock of their parts. */
async function readStock(db: Db): Promise<Stock> {
  const { rows } = await sql<{ place: string; pieces: number }>`
    select id::text as place, count_in_stock as pieces from products where set_parts = ''
    union all select product_id || ' ' || size, quantity from product_sizes`.execute(db);
  return new Map(rows.map(({ place, pieces }) => [place, pieces]));
}

/** The longest wait without progress of the jobs. */
const STILL_MS = 60_000;

/** Makes every job due until all are done and all payments are reconciled. Throws an Error with the waiting jobs after a minute without progress. */
export async function finishJobs(db: Db): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql<{ job: string }>`
      select concat_ws(' ', name, attempts, taken_by, last_error) as job from jobs where key is distinct from 'drill'`.execute(db);
    return rows.map(({ job }) => job);
  };
  let [fewest, since] = [Number.POSITIVE_INFINITY, Date.now()];
  for (;;) {
    const left = await waiting();
    if (left.length === 0 && (await isReconciled(db))) return;
    if (left.length < fewest) [fewest, since] = [left.length, Date.now()];
    if (Date.now() - since > STILL_MS) throw new Error(`${left.length} jobs are still waiting:\n${left.slice(0, 5).join('\n')}`);
    await sql`update jobs set run_at = now() where run_at > now()`.execute(db);
    await setTimeout(250);
  }
}

/** Runs the reconciliation of payments; returns whether it queued no other job. */
async function isReconciled(db: Db): Promise<boolean> {
  await enqueue(db, paymentJobs.reconcilePayments, {}, { key: 'drill' });
  for (const start = Date.now(); Date.now() - start < STILL_MS; await setTimeout(100)) {
    const { rows } = await sql<{ key: string | null }>`select key from jobs`.execute(db);
    if (rows.length === 0) return true;
    if (rows.some(({ key }) => key !== 'drill')) return false;
  }
  return false;
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

interface Evidence {
  db: Db;
  buyers: Buyers;
  payments: Payments;
  stock: Stock;
  /** The folder where mails are written, or the mails that a server has received. */
  mail: string | readonly { text?: string | undefined }[];
  /** Orders that staff asked to cancel: true where that was acknowledged. */
  cancelled?: ReadonlyMap<string, boolean>;
}

/** Compares the promises to customers with the database, once all jobs are done. Returns a sentence for each difference. */
export async function audit({ db, buyers, payments, stock, mail, cancelled = new Map() }: Evidence): Promise<string[]> {
  const faults = [...buyers.wrong.map((answer) => `a buyer heard ${answer}`)];
  const orders = await db.selectFrom('orders').select(['id', 'status', 'idempotencyKey', 'orderPaymentId', 'paidAt']).execute();
  const byKey = groupBy(orders, ({ idempotencyKey }) => idempotencyKey);
  for (const [key, id] of buyers.acknowledged) {
    const found = byKey.get(key) ?? [];
    const [order] = found;
    const cancellation = cancelled.get(id);
    // An unacknowledged cancellation may have happened.
    const allowed: string[] = cancellation === undefined ? ['placed'] : cancellation ? ['cancelled'] : ['placed', 'cancelled'];
    if (found.length !== 1 || order?.id !== id || !allowed.includes(order.status))
      faults.push(`order ${id} is on record as ${found.map(({ status }) => status).join(', ') || 'nothing'}`);
  }
  const byPayment = groupBy(orders, ({ orderPaymentId }) => orderPaymentId);
  const paidSessions = new Set<string>(buyers.paid);
  for (const session of await payments.listSessions(new Date(0))) if (session.isPaid) paidSessions.add(session.id);
  for (const session of paidSessions) {
    const found = byPayment.get(session) ?? [];
    if (found.length !== 1 || !found[0]?.paidAt) faults.push(`payment ${session} has ${found.length} orders`);
  }
  for (const { id, status } of orders) if (status === 'awaiting_payment') faults.push(`order ${id} still holds its stock`);
  faults.push(...(await stockFaults(db, stock)));
  const mails = await mailsByOrder(mail);
  for (const { id, status } of orders) if (status === 'placed' && !mails.has(id)) faults.push(`order ${id} was not confirmed by mail`);
  return faults;
}

/** The stock before minus the sales must be the stock now. */
async function stockFaults(db: Db, before: Stock): Promise<string[]> {
  const left = await readStock(db);
  const { rows } = await sql<{ place: string; qty: number }>`
    select i.product_id::text as place, sum(i.qty)::int as qty from order_items i join orders o on o.id = i.order_id where o.status = 'placed' group by 1
    union all select i.product_id || ' ' || i.size, sum(i.qty)::int from order_items i join orders o on o.id = i.order_id
    where o.status = 'placed' and i.size is not null group by 1`.execute(db);
  const sold = new Map(rows.map(({ place, qty }) => [place, qty]));
  return [...before].flatMap(([place, pieces]) => {
    const expected = pieces - (sold.get(place) ?? 0);
    return left.get(place) === expected ? [] : [`of ${place} there are ${left.get(place)}, not ${expected}`];
  });
}

/** The number of mails by order. */
async function mailsByOrder(mail: Evidence['mail']): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { text = '' } of typeof mail === 'string' ? await readMails(mail) : mail) {
    const id = /\/order\/([\da-f-]{36})/.exec(text)?.[1];
    if (id) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

async function readMails(dir: string): Promise<{ text?: string | undefined }[]> {
  const files = (await readdir(dir)).filter((name) => name.endsWith('.eml'));
  return Promise.all(files.map(async (file) => PostalMime.parse(await readFile(join(dir, file)))));
}
