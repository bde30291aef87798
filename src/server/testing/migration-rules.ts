import { isOutsideTransaction, type MigrationFile, statementsOf } from '#server/platform/database/apply-migration.ts';

/** Removes something that an older running version may still use. */
const REMOVES =
  /\b(drop (table|column|view|function)|rename (to|column|\w+ to)|set not null|alter (column )?\w+ (set data )?type|alter table [^;]*\bdrop (?!(constraint|default|not|expression|identity)\b)\w+)\b/i;
/** Names the migration of the first phase. */
const PHASE = /update schema_compatibility set oldest_migration = '(\w+)'/i;

/** Reads or rewrites a whole table under a lock that blocks writers, or readers too. */
const LONG_LOCKS: readonly [RegExp, string][] = [
  [
    /\balter (column )?\w+ (set data )?type\b/i,
    'a change of type rewrites the table while nobody can read it: add a column, fill it, remove the old one later',
  ],
  [
    /generated always as \([^;]*?stored\b/i,
    'a stored generated column rewrites the table while nobody can read it: add a column that a trigger fills',
  ],
  [
    /\badd (constraint \w+ )?(check|foreign key)\b(?![^;]*\bnot valid\b)|\badd column [^;,]*\b(check|references)\b/i,
    'a constraint reads the table while nobody can write: add it by itself and `not valid`, validate it in a migration of its own',
  ],
  [
    /\badd (constraint \w+ )?(unique|primary key)\b(?![^;]*\busing index\b)|\badd column [^;,]*\b(unique|primary key)\b/i,
    'a key makes an index while nobody can read: make the index `concurrently`, then add the key `using index`',
  ],
  [
    /\badd column [^;,]*\b(default (?!now\()\w+ ?\(|\w*serial\b|as identity)/i,
    'a default that differs from row to row rewrites the table while nobody can read it: add the column without, then the default, then fill it',
  ],
  [/\b(cluster|lock table)\b/i, 'no statement may lock a table for as long as it takes'],
];

const tablesMadeIn = (text: string) => new Set([...text.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(([, name]) => name));

/** The statements on existing tables, which have rows and readers. */
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
  const removes = REMOVES.exec(aboutOldTables(text));
  if (!removes) return phase ? ['it removes nothing, so it need not name an oldest migration'] : [];
  if (!phase)
    return [
      `“${removes[0]}” fails the version that runs beside it: do it in a later phase, and name the migration of the first (CONTRIBUTING.md)`,
    ];
  return phase < name && earlier.includes(phase) ? [] : [`the first phase, ${phase}, must be an earlier migration`];
}

/** Repeatable statements. An unfinished index stays behind as invalid, so `if not exists` is not enough. */
const REPEATABLE =
  /^(drop index concurrently if exists|drop (?!index\b)\w+ if exists|update|alter table \w+ validate constraint|analyze)\b/i;
const INDEX = /^create (?:unique )?index concurrently (\w+) on/i;

function faultsOfRepeating(file: MigrationFile): string[] {
  const statements = statementsOf(file);
  const isRepeatable = (statement: string, n: number) =>
    REPEATABLE.test(statement) || statements[n - 1] === `drop index concurrently if exists ${INDEX.exec(statement)?.[1]}`;
  return statements
    .filter((statement, n) => !isRepeatable(statement, n))
    .map((statement) => `“${statement.slice(0, 40)}” cannot be repeated, but after an error the file is applied from its beginning`);
}

const faultsOfLocks = (old: string): string[] => LONG_LOCKS.filter(([pattern]) => pattern.test(old)).map(([, why]) => why);

/** Holds a lock of the same transaction while another statement works. */
function faultsOfTransaction(old: string): string[] {
  const faults = [];
  if (/\bcreate (unique )?index\b/i.test(old))
    faults.push('an index of a table that holds rows is made `concurrently`, in a file that says `-- no transaction`');
  for (const table of new Set([...old.matchAll(/\balter table (?:only |if exists )*(\w+)/gi)].map(([, name]) => name)))
    if (new RegExp(`\\b(update|delete from) (only )?${table}\\b`, 'i').test(old))
      faults.push(`nobody can read ${table} from \`alter table\` to the end of the file: change its rows in a migration of their own`);
  return faults;
}

/**
 * The faults of a migration that is applied while a shop is open: it breaks the version that still runs, or blocks readers or writers for long. `earlier` has
 * the names of the migrations before it.
 */
export function faultsOf(file: MigrationFile, earlier: readonly string[]): string[] {
  const text = file.text.replace(/--.*$/gm, '');
  const old = aboutOldTables(text);
  const ownFaults = isOutsideTransaction(file) ? faultsOfRepeating(file) : faultsOfTransaction(old);
  return [...faultsOfPhase({ ...file, text }, earlier), ...faultsOfLocks(old), ...ownFaults];
}
