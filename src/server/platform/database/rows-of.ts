import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';
import type { DB } from './schema.ts';

/** A column's name in SQL. */
export const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Rows as a single parameter, with the names and types of a table's columns. Columns that a row lacks are null. */
export function rowsOf<T extends keyof DB>(table: T, rows: readonly object[]): RawBuilder<DB[T]> {
  const named = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [inSnakeCase(name), value])));
  return sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(named)}::json)`;
}

/** The columns of a table that are stored, not generated. */
export async function storedColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}
