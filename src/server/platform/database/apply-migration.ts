import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { Refusal } from '#server/platform/refusal.ts';

/** A file of `migrations/`: its name without the ending, and its text. */
export interface MigrationFile {
  name: string;
  text: string;
}

/**
 * How long a statement waits for its lock. Whoever comes after it waits behind it, readers too, so it gives up soon, lets them pass, and tries
 * again.
 */
const LOCK_MS = 500;
const PAUSE_MS = 500;
const PATIENCE_MS = 120_000;

/** Another transaction held the lock for too long, or waited for one of ours. */
const IN_THE_WAY = /^(55P03|40P01)$/;

/** Whether a file says that its statements run one by one, as `create index concurrently` must. */
export const isOutsideTransaction = ({ text }: MigrationFile): boolean => /^-- no transaction$/m.test(text);

/** The statements of a file that runs outside a transaction: each ends with a semicolon at the end of its line. */
export const statementsOf = ({ text }: MigrationFile): string[] =>
  text
    .replace(/^\s*--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean);

/** Notes that a database has had a migration. */
export async function record(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [name, new Date().toISOString()]);
}

async function applyInTransaction(client: pg.ClientBase, file: MigrationFile): Promise<void> {
  await client.query('begin');
  try {
    // A large table takes longer than a request may.
    await client.query(`set local statement_timeout = 0; set local lock_timeout = ${LOCK_MS}`);
    await client.query(file.text);
    await record(client, file.name);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** What needs a lock that readers wait behind. What works `concurrently` waits for others' transactions and keeps nobody waiting, and rows may take their time. */
const SHUTS_OUT = /^(alter|drop)(?! \w+ concurrently\b)/i;

/** What was done before an error stays, so each statement can be repeated (`migration-rules.ts` checks it). */
async function applyOneByOne(client: pg.ClientBase, file: MigrationFile): Promise<void> {
  await client.query('set statement_timeout = 0');
  for (const statement of statementsOf(file)) {
    await client.query(`set lock_timeout = ${SHUTS_OUT.test(statement) ? LOCK_MS : 0}`);
    await client.query(statement);
  }
  await record(client, file.name);
}

/**
 * Applies one migration and records it: in a transaction, or one statement after the other where the file says `-- no transaction`. If something
 * is in its way it is tried again, so that it never makes readers wait for long. Throws a Refusal with a sentence for the operator after
 * `patienceMs`; the connection must then be closed, since its statement limit may be off.
 */
export async function apply(client: pg.ClientBase, file: MigrationFile, patienceMs = PATIENCE_MS): Promise<void> {
  const run = isOutsideTransaction(file) ? applyOneByOne : applyInTransaction;
  for (const start = performance.now(); ; await setTimeout(PAUSE_MS)) {
    try {
      return await run(client, file);
    } catch (error) {
      if (!IN_THE_WAY.test(String((error as { code?: unknown }).code))) throw error;
      if (performance.now() - start > patienceMs)
        throw new Refusal(
          `The migration ${file.name} needs a table that another transaction has not let go for ${Math.round(patienceMs / 1_000)} s. Look at pg_stat_activity for what runs so long, then try again. Nothing of this migration was applied.`,
        );
    }
  }
}
