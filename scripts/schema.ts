/** Writes src/server/db/schema.ts from a migrated database; with --check fails when that file is out of date. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ColumnMetadata, TableMetadata } from 'kysely';
import { connect } from '#server/db/connect.ts';
import { startEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';

const FILE = 'src/server/db/schema.ts';
/** PostgreSQL's types as the connection's parsers hand them over. */
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
/** What the JSON columns hold; they are written as JSON text. */
const JSON_COLUMNS: Record<string, string> = {
  'products.colors': 'Colour[]',
  'products.measurements': 'Measurement[]',
  'product_sizes.measurements': 'Measurement[]',
};

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

function write(tables: TableMetadata[]): string {
  const sorted = tables.filter(({ name }) => !name.startsWith('kysely_')).sort((a, b) => a.name.localeCompare(b.name));
  const lines = [
    '// Made by `npm run schema:write` from the migrated database. Not edited by hand.',
    "import type { ColumnType, Generated, GeneratedAlways } from 'kysely';",
    "import type { Colour, Measurement } from '#contract/catalogue.ts';",
    '',
    'export interface DB {',
  ];
  for (const { name, columns } of sorted) {
    lines.push(`  ${camel(name)}: {`);
    for (const column of columns) lines.push(`    ${camel(column.name)}: ${typeOf(name, column)};`);
    lines.push('  };');
  }
  return `${lines.join('\n')}\n}\n`;
}

const dir = mkdtempSync(join(tmpdir(), 'shop-schema-'));
// Open to PostgreSQL's own account, so that the database lies inside and goes with the folder.
chmodSync(dir, 0o711);
const embedded = await startEmbedded(dir, { settings: { fsync: 'off' } });
const database = connect(embedded.url);
try {
  await migrate(database);
  const text = write((await database.db.introspection.getTables()).filter(({ schema }) => schema === 'public'));
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
