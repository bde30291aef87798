import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isOutsideTransaction, type MigrationFile, statementsOf } from '#server/platform/database/apply.ts';
import { ROOT } from '#server/platform/root.ts';

/** Rules of squawk that the shop keeps in another way: files are applied whole or not at all, with a limit to each wait, and counts of people's things fit 32 bits. */
const ELSEWHERE = [
  'prefer-robust-stmts',
  'require-lock-timeout',
  'require-statement-timeout',
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
];
/** What a version that runs, or comes back, may still use. */
const REMOVALS = ['ban-drop-column', 'ban-drop-table', 'renaming-column', 'renaming-table', 'adding-not-nullable-field'];
/** The first phase, which a later one names. */
const PHASE = /update schema_compatibility set oldest_migration = '(\w+)'/i;

/** The rules of squawk that a file breaks, with what it says. */
function squawk(file: MigrationFile): { rule_name: string; message: string }[] {
  const options = ['--pg-version=15', '--reporter=json', `--exclude=${ELSEWHERE.join(',')}`];
  if (!isOutsideTransaction(file)) options.push('--assume-in-transaction');
  const program = join(ROOT, `node_modules/@squawk-cli/${process.platform}-${process.arch}/bin/squawk`);
  const { stdout, stderr } = spawnSync(program, options, { input: file.text, encoding: 'utf8' });
  if (!stdout) throw new Error(`squawk failed: ${stderr}`);
  return JSON.parse(stdout) as { rule_name: string; message: string }[];
}

function faultsOfPhase({ name, text }: MigrationFile, removals: readonly string[], earlier: readonly string[]): string[] {
  const phase = PHASE.exec(text)?.[1];
  const [removal] = removals;
  if (!removal) return phase ? ['it removes nothing, so it need not name an oldest migration'] : [];
  if (!phase)
    return [
      `${removal}: it fails the version that runs beside it: do it in a later phase, and name the migration of the first (CONTRIBUTING.md)`,
    ];
  return phase < name && earlier.includes(phase) ? [] : [`the first phase, ${phase}, must be an earlier migration`];
}

/** What may be done twice. An index that could not be finished stays, invalid, so `if not exists` would not do. */
const REPEATABLE =
  /^(drop index concurrently if exists|drop (?!index\b)\w+ if exists|update|alter table \w+ validate constraint|refresh materialized view concurrently|analyze)\b/i;
const INDEX = /^create (?:unique )?index concurrently (\w+) on/i;

function faultsOfRepeating(file: MigrationFile): string[] {
  const statements = statementsOf(file);
  const isRepeatable = (statement: string, n: number) =>
    REPEATABLE.test(statement) || statements[n - 1] === `drop index concurrently if exists ${INDEX.exec(statement)?.[1]}`;
  return statements
    .filter((statement, n) => !isRepeatable(statement, n))
    .map((statement) => `“${statement.slice(0, 40)}” cannot be repeated, but after an error the file is applied from its beginning`);
}

/**
 * What a new migration does that a shop cannot have while it is open: fail the version that still runs beside it, or keep its tables from readers
 * and writers for as long as it takes. `earlier` are the names of the migrations before it.
 */
export function faultsOf(file: MigrationFile, earlier: readonly string[]): string[] {
  const found = squawk(file);
  const isRemoval = ({ rule_name: rule }: { rule_name: string }) => REMOVALS.includes(rule);
  return [
    ...faultsOfPhase(
      file,
      found.filter(isRemoval).map(({ rule_name: rule }) => rule),
      earlier,
    ),
    ...found.filter((fault) => !isRemoval(fault)).map(({ rule_name: rule, message }) => `${rule}: ${message}`),
    ...(isOutsideTransaction(file) ? faultsOfRepeating(file) : []),
  ];
}
