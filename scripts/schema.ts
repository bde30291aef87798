/** Writes src/server/platform/database/schema.ts from a migrated database; with --check fails when it is out of date. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ColumnMetadata, sql } from 'kysely';
import { connect, type Db } from '#server/platform/database/connect.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { newFolder } from '#server/testing/new-folder.ts';

const FILE = 'src/server/platform/database/schema.ts';
/** PostgreSQL's types as the connection's parsers return them. */
const TYPES: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float4: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  jsonb: 'unknown',
  _int4: 'number[]',
  _text: 'string[]',
  _uuid: 'string[]',
  text: 'string',
  timestamptz: 'string',
  tsvector: 'string',
  uuid: 'string',
  xid8: 'string',
};
/** The types of JSON columns, which are written as JSON text. */
const JSON_COLUMNS: Record<string, string> = {
  'account_lists.cart': "Lists['cart']",
  'account_lists.wishes': "Lists['wishes']",
  'products.colors': 'Colour[]',
  'products.measurements': 'Measurement[]',
  'products.shown': 'Record<string, Shown>',
  'products.picture_sources': 'Record<string, string>',
  'product_sizes.measurements': 'Measurement[]',
};
const HEAD = `// Made by \`npm run schema:write\` from the migrated database. Not edited by hand.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Colour, Measurement } from '#contract/catalogue/catalogue.ts';
import type { Shown } from '#contract/catalogue/shown-picture.ts';
import type { Lists } from '#contract/wishlist/wishlist.ts';
`;

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function typeOf(table: string, column: ColumnMetadata): string {
  const json = JSON_COLUMNS[`${table}.${column.name}`];
  if (json) return column.hasDefaultValue ? `ColumnType<${json}, string | undefined, string>` : `ColumnType<${json}, string, string>`;
  const type = TYPES[column.dataType];
  if (!type) throw new Error(`${table}.${column.name}: no TypeScript type is known for ${column.dataType}.`);
  const full = column.isNullable ? `${type} | null` : type;
  if (column.isAutoIncrementing) return `GeneratedAlways<${full}>`;
  return column.hasDefaultValue ? `Generated<${full}>` : full;
}

/** The interface of all tables. A partitioned table counts as a whole. */
async function readSchema(db: Db): Promise<string> {
  const { rows: parts } = await sql<{ name: string }>`select relname as name from pg_class where relispartition`.execute(db);
  const hidden = new Set(parts.map(({ name }) => name));
  const tables = (await db.introspection.getTables())
    .filter(({ schema, name }) => schema === 'public' && !name.startsWith('kysely_') && !hidden.has(name))
    .sort((a, b) => a.name.localeCompare(b.name));
  const lines = tables.flatMap(({ name, columns }) => [
    `  ${camel(name)}: {`,
    ...columns.map((column) => `    ${camel(column.name)}: ${typeOf(name, column)};`),
    '  };',
  ]);
  return [HEAD, 'export interface DB {', ...lines, '}', ''].join('\n');
}

const dir = newFolder('schema');
const embedded = await startEmbedded(dir, { settings: { fsync: 'off' } });
const database = connect(embedded.url);
try {
  await migrate(database);
  const text = await readSchema(database.db);
  if (!process.argv.includes('--check')) writeFileSync(FILE, text);
  else if (readFileSync(FILE, 'utf8') !== text) {
    process.stderr.write(`${FILE} does not match the migrations: run npm run schema:write\n`);
    process.exitCode = 1;
  }
} finally {
  await database.close();
  await embedded.stop();
  rmSync(dir, { recursive: true, force: true });
}
