/** Writes the files of src/server/db/schema from a migrated database; with --check fails when one of them is out of date. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ColumnMetadata, sql, type TableMetadata } from 'kysely';
import { connect, type Db } from '#server/platform/database/connect.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { migrate } from '#server/platform/database/migrate.ts';

const FOLDER = 'src/server/platform/database/schema';
/** Holds the tables that neither need another table nor are needed by one. */
const ALONE = 'standalone';
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
  'products.shown': 'Record<string, Shown>',
  'product_sizes.measurements': 'Measurement[]',
};
/** Where the types that a column may name come from. */
const IMPORTS = [
  { names: ['ColumnType', 'Generated', 'GeneratedAlways'], from: 'kysely' },
  { names: ['Colour', 'Measurement'], from: '#contract/catalogue/catalogue.ts' },
  { names: ['Shown'], from: '#contract/catalogue/shown-picture.ts' },
];

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

/** For each table that cannot be without a row of another one, that table: the target of the first foreign key whose columns are required. */
async function readNeeds(db: Db): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ child: string; parent: string }>`
    select distinct on (child.relname) child.relname as child, parent.relname as parent
    from pg_constraint
      join pg_class child on child.oid = conrelid
      join pg_class parent on parent.oid = confrelid
    where contype = 'f' and conrelid <> confrelid and child.relnamespace = 'public'::regnamespace
      and not exists (select from pg_attribute where attrelid = conrelid and attnum = any(conkey) and not attnotnull)
    order by child.relname, conkey`.execute(db);
  return new Map(rows.map(({ child, parent }) => [child, parent]));
}

/** Parts of a partitioned table, which is read and written as a whole. */
async function readParts(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class where relispartition`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** The tables of each file: those that need the same table in the end lie together, in a file with its name. */
function group(tables: readonly TableMetadata[], needs: ReadonlyMap<string, string>): ReadonlyMap<string, TableMetadata[]> {
  const needed = new Set(needs.values());
  const rootOf = (name: string): string => {
    const parent = needs.get(name);
    return parent ? rootOf(parent) : name;
  };
  const groups = new Map<string, TableMetadata[]>();
  for (const table of tables) {
    const root = rootOf(table.name);
    const file = needed.has(root) ? root : ALONE;
    groups.set(file, [...(groups.get(file) ?? []), table]);
  }
  return groups;
}

const HEAD = '// Made by `npm run schema:write` from the migrated database. Not edited by hand.';
const interfaceOf = (file: string) => `${file.charAt(0).toUpperCase()}${camel(file).slice(1)}Tables`;

function writeTables(file: string, tables: readonly TableMetadata[]): string {
  const lines = [`export interface ${interfaceOf(file)} {`];
  for (const { name, columns } of tables) {
    lines.push(`  ${camel(name)}: {`);
    for (const column of columns) lines.push(`    ${camel(column.name)}: ${typeOf(name, column)};`);
    lines.push('  };');
  }
  const text = `${lines.join('\n')}\n}\n`;
  const imports = IMPORTS.flatMap(({ names, from }) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    return used.length ? [`import type { ${used.join(', ')} } from '${from}';`] : [];
  });
  return [HEAD, ...imports, '', text].join('\n');
}

/** The text of every file of the folder, by its name. */
function write(tables: readonly TableMetadata[], needs: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const sorted = tables.filter(({ name }) => !name.startsWith('kysely_')).sort((a, b) => a.name.localeCompare(b.name));
  const groups = [...group(sorted, needs)].sort(([a], [b]) => a.localeCompare(b));
  const imports = groups.map(([file]) => `import type { ${interfaceOf(file)} } from './${file}.ts';`);
  const all = `export interface DB extends ${groups.map(([file]) => interfaceOf(file)).join(', ')} {}`;
  return new Map([
    ...groups.map(([file, its]): [string, string] => [`${file}.ts`, writeTables(file, its)]),
    ['database.ts', `${[HEAD, ...imports, '', all].join('\n')}\n`],
  ]);
}

/** Whether the folder holds these files with these texts, and no others. */
const isUpToDate = (files: ReadonlyMap<string, string>) =>
  readdirSync(FOLDER).length === files.size &&
  readdirSync(FOLDER).every((name) => readFileSync(join(FOLDER, name), 'utf8') === files.get(name));

const dir = mkdtempSync(join(tmpdir(), 'shop-schema-'));
// Open to PostgreSQL's own account, so that the database lies inside and goes with the folder.
chmodSync(dir, 0o711);
const embedded = await startEmbedded(dir, { settings: { fsync: 'off' } });
const database = connect(embedded.url);
try {
  await migrate(database);
  const parts = await readParts(database.db);
  const tables = (await database.db.introspection.getTables()).filter(({ schema, name }) => schema === 'public' && !parts.has(name));
  const files = write(tables, await readNeeds(database.db));
  if (!process.argv.includes('--check')) {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER);
    for (const [name, text] of files) writeFileSync(join(FOLDER, name), text);
  } else if (!isUpToDate(files)) {
    process.stderr.write(`${FOLDER} does not match the migrations: run npm run schema:write\n`);
    process.exitCode = 1;
  }
} finally {
  await database.close();
  await embedded.stop();
  rmSync(dir, { recursive: true, force: true });
}
