import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';

/** A file of `migrations/`: its name without the ending, and its text. */
export interface MigrationFile {
  name: string;
  text: string;
}

/** How long a statement that blocks readers waits for its lock. Later statements queue behind it, readers' too, so it gives up soon and tries again. */
const LOCK_MS = 500;
const PAUSE_MS = 500;
const PATIENCE_MS = 120_000;

/** Lock timeout, or deadlock with another transaction. */
const LOCK_CONFLICT = /^(55P03|40P01)$/;

/** Whether a file's statements run one by one, as `create index concurrently` requires. */
export const isOutsideTransaction = ({ text }: MigrationFile): boolean => /^-- no transaction$/m.test(text);

/** The statements of a file that runs outside a transaction: each ends with a semicolon at the end of its line. */
export const statementsOf = ({ text }: MigrationFile): string[] =>
  text
    .replace(/^\s*--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean);

/** Records an applied migration in Kysely's table, which earlier versions read too. */
export async function recordMigration(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [name, new Date().toISOString()]);
}

async function applyInTransaction(client: pg.ClientBase, file: MigrationFile): Promise<void> {
  await client.query('begin');
  try {
    // Changing a large table takes longer than a request may.
    await client.query(`set local statement_timeout = 0; set local lock_timeout = ${LOCK_MS}`);
    await client.query(file.text);
    await recordMigration(client, file.name);
    await client.query('commit');
  } catch (error) {
    // The first error says why. A lost connection needs no rollback.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Statements whose lock blocks readers. `drop index concurrently` waits for other transactions and blocks nobody. */
const BLOCKS_READERS = /^(alter|drop)(?! \w+ concurrently\b)/i;

/** Statements before an error stay applied, so each can be repeated (`migration-rules.ts` checks it). */
async function applyOneByOne(client: pg.ClientBase, file: MigrationFile): Promise<void> {
  await client.query('set statement_timeout = 0');
  for (const statement of statementsOf(file)) {
    await client.query(`set lock_timeout = ${BLOCKS_READERS.test(statement) ? LOCK_MS : 0}`);
    await client.query(statement);
  }
  await recordMigration(client, file.name);
}

/** Tells the operator what a failed migration may have changed. */
const leftBehind = (file: MigrationFile): string =>
  isOutsideTransaction(file)
    ? 'Its first statements may have been applied; the next try repeats them.'
    : 'Nothing of this migration was applied.';

/**
 * Applies one migration and records it: in a transaction, or statement by statement if the file says `-- no transaction`. Tries again after a lock
 * timeout, so that readers never wait for long. Throws an Error for the operator after `patienceMs`. The connection must be closed afterwards, since its
 * timeouts may have been changed.
 */
export async function apply(client: pg.ClientBase, file: MigrationFile, patienceMs = PATIENCE_MS): Promise<void> {
  const run = isOutsideTransaction(file) ? applyOneByOne : applyInTransaction;
  for (const start = performance.now(); ; await setTimeout(PAUSE_MS)) {
    try {
      return await run(client, file);
    } catch (error) {
      if (!LOCK_CONFLICT.test(String((error as { code?: unknown }).code))) throw error;
      if (performance.now() - start > patienceMs)
        throw new Error(
          `The migration ${file.name} needs a table that another transaction has not let go for ${Math.round(patienceMs / 1_000)} s. Look at pg_stat_activity for what runs so long, then try again. ${leftBehind(file)}`,
        );
    }
  }
}
