import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** What a database of a test runs with. */
export const settings = { fsync: 'off' };

/** The process of the PostgreSQL that runs, or ran last, on these files. */
export const postmasterOf = (data: string): number => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);

/** The first value of a statement's first row. */
export async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return Object.values((await client.query(text)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}
