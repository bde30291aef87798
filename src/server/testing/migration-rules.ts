import { isOutsideTransaction, type MigrationFile, statementsOf } from '#server/db/apply.ts';

/** What a version that runs, or comes back, may still use. A column that is made anew in the same statement is there for it as well. */
const REMADE = /drop column (\w+),\s+add column \1\b|alter column (\w+) set default [^;]+?, alter column \2 set not null/gi;
const REMOVES = /\b(drop (table|column|view|function)|rename (to|column)|set not null|alter column \w+ (set data )?type)\b/i;
/** The first phase, which a later one names. */
const PHASE = /update schema_compatibility set oldest_migration = '(\w+)'/i;

/** What reads or rewrites a whole table while nobody else may write, or even read, it. */
const LONG_LOCKS: readonly [RegExp, string][] = [
  [
    /alter column \w+ (set data )?type\b/i,
    'a change of type rewrites the table while nobody can read it: add a column, fill it, remove the old one later',
  ],
  [
    /generated always as \([^;]*?stored\b/i,
    'a stored generated column rewrites the table while nobody can read it: add a column that a trigger fills',
  ],
  [
    /\badd constraint (?![^;]*\bnot valid\b)[^;]*\b(check|foreign key)\b/i,
    'a constraint reads the table while nobody can write: add it `not valid`, validate it in a migration of its own',
  ],
  [/\brefresh materialized view (?!concurrently)/i, 'refresh a view `concurrently`'],
  [/\b(vacuum full|cluster|lock table)\b/i, 'no statement may lock a table for as long as it takes'],
];

const tablesMadeIn = (text: string) => new Set([...text.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(([, name]) => name));

/** Statements about tables that were there before, which hold rows and readers. */
function aboutOldTables(text: string): string {
  const made = tablesMadeIn(text);
  return text
    .split(/;\s*$/m)
    .filter(
      (statement) =>
        !made.has(
          /\b(?:alter table(?: only)?(?: if exists)?|create table|index(?: concurrently)?(?: if not exists)? \w+ on) (\w+)/i.exec(
            statement,
          )?.[1],
        ),
    )
    .join(';\n');
}

function faultsOfPhase({ name, text }: MigrationFile, earlier: readonly string[]): string[] {
  const phase = PHASE.exec(text)?.[1];
  const removes = REMOVES.exec(aboutOldTables(text.replace(REMADE, '')));
  if (!removes) return phase ? ['it removes nothing, so it need not name an oldest migration'] : [];
  if (!phase)
    return [
      `“${removes[0]}” fails the version that runs beside it: do it in a later phase, and name the migration of the first (CONTRIBUTING.md)`,
    ];
  return phase < name && earlier.includes(phase) ? [] : [`the first phase, ${phase}, must be an earlier migration`];
}

/** What may be done twice. An index that could not be finished stays, invalid, so `if not exists` would not do. */
const REPEATABLE =
  /^(drop \w+ (concurrently )?if exists|update|alter table \w+ validate constraint|refresh materialized view concurrently|analyze)\b/i;
const INDEX = /^create (?:unique )?index concurrently (\w+) on/i;

function faultsOfRepeating(file: MigrationFile): string[] {
  const statements = statementsOf(file);
  const isRepeatable = (statement: string, n: number) =>
    REPEATABLE.test(statement) || statements[n - 1] === `drop index concurrently if exists ${INDEX.exec(statement)?.[1]}`;
  return statements
    .filter((statement, n) => !isRepeatable(statement, n))
    .map((statement) => `“${statement.slice(0, 40)}” cannot be repeated, but after an error the file is applied from its beginning`);
}

function faultsOfLocks(text: string): string[] {
  const old = aboutOldTables(text);
  const faults = LONG_LOCKS.filter(([pattern]) => pattern.test(old)).map(([, why]) => why);
  if (/\bcreate (unique )?index\b/i.test(old))
    faults.push('an index of a table that holds rows is made `concurrently`, in a file that says `-- no transaction`');
  return faults;
}

/**
 * What a new migration does that a shop cannot have while it is open: fail the version that still runs beside it, or keep its tables from readers
 * and writers for as long as it takes. `earlier` are the names of the migrations before it.
 */
export function faultsOf(file: MigrationFile, earlier: readonly string[]): string[] {
  const text = file.text.replace(/--.*$/gm, '');
  return [...faultsOfPhase({ ...file, text }, earlier), ...(isOutsideTransaction(file) ? faultsOfRepeating(file) : faultsOfLocks(text))];
}
