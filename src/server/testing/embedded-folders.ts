import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll } from 'vitest';
import { newFolder } from '#server/testing/new-folder.ts';

/** What a database of a test runs with. */
export const settings = { fsync: 'off' };

/** Folders to be removed after the file's last test. */
export const dirs: string[] = [];
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

/** A folder open to PostgreSQL's own account, so that the database lies inside and goes with the folder. */
export function aFolder(name = 'embedded'): string {
  const dir = newFolder(name);
  dirs.push(dir);
  return dir;
}

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
