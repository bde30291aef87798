import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import { audit, finishJobs, type Stock } from '#ops/drills/books.ts';
import type { Buyers } from '#ops/drills/buyers.ts';
import type { Database, Db } from '#server/platform/database/connect.ts';
import { eventually } from '#server/testing/eventually.ts';
import type { Databases } from './cluster.ts';
import { FILES, run } from './hosts.ts';
import type { Shops } from './shops.ts';
import type { Staff, Writer } from './staff.ts';

interface Evidence {
  databases: Databases;
  shops: Shops;
  database: Database;
  buyers: Buyers;
  staff: Staff;
  writer: Writer;
  stock: Stock;
}

/** Compares what everybody was promised with what is there, from outside. Returns a sentence for each difference. */
export async function auditCluster(evidence: Evidence, say: (text: string) => void): Promise<string[]> {
  const { databases, shops, database, buyers, staff, writer, stock } = evidence;
  const { db } = database;
  await finishJobs(db);
  const mails = shops.mails.received.map(({ mail }) => mail);
  const faults = await audit({ db, buyers, payments: shops.payments, stock, mail: mails, cancelled: staff.cancelled });
  faults.push(...staff.wrong, ...writer.wrong, ...(await invoiceFaults(db)), ...(await refundFaults(db, evidence)));
  const { doubled, again } = mailFaults(evidence);
  faults.push(...doubled);
  say(
    `${buyers.acknowledged.size} cash orders and ${buyers.paid.size} payments acknowledged, ${buyers.interrupted} requests interrupted and sent again; ${[...staff.cancelled.values()].filter(Boolean).length} cancelled, ${staff.refunded.size} refunds, ${writer.changes} edits; ${mails.length} mails, ${again} of them sent again with the same Message-ID`,
  );
  faults.push(...(await restoreFaults(databases, buyers, say)));
  return faults;
}

/** Numbers of invoices and of credit notes follow each other without a gap. */
async function invoiceFaults(db: Db): Promise<string[]> {
  const { rows } = await sql<{ kind: string; count: number; last: number }>`
    select kind, count(*)::int as count, max(number)::int as last from invoices group by kind`.execute(db);
  return rows.flatMap(({ kind, count, last }) => (count === last ? [] : [`of ${last} numbers of kind ${kind} there are ${count}`]));
}

/** Each refund that was acknowledged was made once, here and at the provider. */
async function refundFaults(db: Db, { shops, staff }: Evidence): Promise<string[]> {
  const refunds = await db
    .selectFrom('orderRefunds')
    .select(['id', 'requestKey', 'orderId', 'amount', 'status', 'providerRefundId'])
    .execute();
  const atProvider = await shops.payments.listRefunds({ since: new Date(0) });
  const faults: string[] = [];
  for (const [key, { order, amount }] of staff.refunded) {
    const found = refunds.filter(({ requestKey }) => requestKey === key);
    if (found.length !== 1 || found[0]?.orderId !== order || found[0]?.amount !== amount || found[0]?.status !== 'done')
      faults.push(`the refund ${key} of ${order} is there ${found.length} times: ${found.map(({ status }) => status).join(', ')}`);
  }
  for (const { id, status, amount } of refunds.filter((refund) => refund.providerRefundId)) {
    const made = atProvider.filter((refund) => refund.refundId === id && refund.status !== 'failed');
    if (status === 'done' && (made.length !== 1 || made[0]?.amount !== amount))
      faults.push(`the provider made refund ${id} ${made.length} times`);
  }
  return faults;
}

/** A mail that was sent again keeps its Message-ID; two different ones of one kind for one order are one too many. */
function mailFaults({ shops }: Evidence): { doubled: string[]; again: number } {
  const ids = new Set<string>();
  const kinds = new Map<string, number>();
  for (const { mail } of shops.mails.received) {
    if (!mail.messageId || ids.has(mail.messageId)) continue;
    ids.add(mail.messageId);
    const order = /\/order\/([\da-f-]{36})/.exec(mail.text ?? '')?.[1];
    if (!order || !/confirm|thank/i.test(mail.subject ?? '')) continue;
    kinds.set(order, (kinds.get(order) ?? 0) + 1);
  }
  const doubled = [...kinds]
    .filter(([, count]) => count > 1)
    .map(([order, count]) => `order ${order} was confirmed by ${count} different mails`);
  return { doubled, again: shops.mails.received.length - ids.size };
}

/** Restores the newest backup and the archive into a folder of its own, starts it, and looks for every order. */
async function restoreFaults(databases: Databases, buyers: Buyers, say: (text: string) => void): Promise<string[]> {
  const leader = await databases.leader();
  await leader.query('select pg_switch_wal()');
  // The file that the switch has ended: the position stands at the beginning of the next one.
  const switched = String((await leader.query('select pg_walfile_name(pg_current_wal_lsn() - 1) as file'))[0]?.file);
  await eventually(async () => {
    const [row] = await leader.query('select last_archived_wal as file from pg_stat_archiver');
    if (String(row?.file) < switched) throw new Error(`${switched} is not in the archive yet.`);
  }, 120);
  const folder = `${FILES}/restored`;
  const begun = Date.now();
  run('install', '-d', '-o', 'postgres', '-m', '700', folder);
  leader.pgbackrest('--type=default', '--archive-mode=off', `--pg1-path=${folder}`, 'restore');
  const own = ['-k', folder, '-p', '5999', '-c', 'listen_addresses=', '-c', 'hba_file=/mnt/hba', '-c', 'hot_standby=on'];
  run('sh', '-c', `echo 'local all all trust' > ${FILES}/hba`);
  const env = { PATH: process.env.PATH ?? '', PGBACKREST_CONFIG: `${FILES}/${leader.name}-pgbackrest.conf` };
  const server = spawn(
    'setpriv',
    ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups', '--', `${leader.bin}/postgres`, '-D', folder, ...own],
    {
      env,
      stdio: 'ignore',
    },
  );
  try {
    const client = await eventually(async () => {
      if (server.exitCode !== null || !existsSync(folder)) throw new Error('The restored database did not start.');
      const one = new pg.Client({ host: folder, port: 5999, user: 'postgres', database: 'shop' });
      await one.connect();
      const { rows } = await one.query('select pg_is_in_recovery() as recovering');
      if (!rows[0]?.recovering) return one;
      await one.end();
      throw new Error('The restored database is still reading the archive.');
    }, 120);
    const { rows } = await client.query('select id from orders');
    await client.end();
    const there = new Set(rows.map(({ id }) => String(id)));
    const missing = [...buyers.acknowledged.values()].filter((id) => !there.has(id));
    say(
      `restored from the second place in ${((Date.now() - begun) / 1_000).toFixed(0)} s: ${there.size} orders, ${missing.length} missing`,
    );
    return missing.map((id) => `order ${id} is not in the restored database`);
  } finally {
    const gone = once(server, 'exit');
    server.kill('SIGINT');
    await gone;
  }
}
