import type pg from 'pg';
import { quote, tablesOf } from './backup.ts';

/** Results of a one-column query (`text`). */
const textsOf = async (client: pg.ClientBase, query: string): Promise<string[]> =>
  (await client.query<{ text: string }>(query)).rows.map(({ text }) => text);

async function runAll(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

const FOREIGN_KEYS = `from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`;
const alterTable = (verb: 'add' | 'drop') => `format('alter table %s ${verb} constraint %I', conrelid::regclass, conname)`;

/** Indexes without a constraint, except those of jobs: restoring jobs needs them to find duplicates. */
const INDEXES = `from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = 'public'::regnamespace and relkind in ('i', 'I') and not relispartition and indrelid <> 'public.jobs'::regclass
    and not exists (select from pg_constraint where conindid = indexrelid)`;

const TRIGGERS_ALWAYS = `select format('alter table %s enable always trigger %I', tgrelid::regclass, tgname) as text
  from pg_trigger join pg_class on pg_class.oid = tgrelid
  where tgenabled = 'A' and not tgisinternal and relnamespace = 'public'::regnamespace`;

const VIEWS = `select format('refresh materialized view %s', oid::regclass) as text
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'm'`;

/**
 * Drops, inside the transaction, triggers (their effects are already in the rows), foreign keys (rows come in any order) and indexes
 * (faster to build on full tables). Returns a function that restores them and checks the foreign keys.
 */
export async function suspendRules(client: pg.ClientBase): Promise<() => Promise<void>> {
  const tables = await tablesOf(client);
  const foreignKeys = await textsOf(client, `select ${alterTable('add')} || ' ' || pg_get_constraintdef(oid) as text ${FOREIGN_KEYS}`);
  const indexes = await textsOf(client, `select pg_get_indexdef(indexrelid) as text ${INDEXES}`);
  const alwaysTriggers = await textsOf(client, TRIGGERS_ALWAYS);
  await runAll(client, await textsOf(client, `select ${alterTable('drop')} as text ${FOREIGN_KEYS}`));
  await runAll(client, await textsOf(client, `select format('drop index %s', indexrelid::regclass) as text ${INDEXES}`));
  await runAll(
    client,
    tables.map((table) => `alter table public.${quote(table)} disable trigger user`),
  );
  return async () => {
    await runAll(client, indexes);
    await runAll(client, foreignKeys);
    await runAll(
      client,
      tables.map((table) => `alter table public.${quote(table)} enable trigger user`),
    );
    await runAll(client, alwaysTriggers);
    await runAll(client, await textsOf(client, VIEWS));
  };
}
