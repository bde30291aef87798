import { readFileSync, statSync } from 'node:fs';
import type pg from 'pg';

/** A statement as PostgreSQL logged it, with the values of its parameters as text. */
export interface Statement {
  text: string;
  values: (string | null)[];
}

async function logEverything(pool: pg.Pool, isOn: boolean): Promise<void> {
  await pool.query(isOn ? "alter system set log_statement = 'all'" : 'alter system reset log_statement');
  await pool.query("alter system set log_line_prefix = '%p '");
  await pool.query('select pg_reload_conf()');
  const wanted = isOn ? 'all' : 'none';
  // A process of PostgreSQL reads its settings once it is idle.
  for (;;) {
    const { rows } = await pool.query<{ log_statement: string }>('show log_statement');
    if (rows[0]?.log_statement === wanted) return;
  }
}

function valuesOf(detail: string): (string | null)[] {
  return [...detail.matchAll(/\$\d+ = (NULL|'((?:[^']|'')*)')/g)].map(([, all, text = '']) =>
    all === 'NULL' ? null : text.replaceAll("''", "'"),
  );
}

function statementsIn(log: string): Statement[] {
  const statements: Statement[] = [];
  for (const entry of log.split(/^(?=\d+ [A-Z]+: )/m)) {
    const text = entry.replaceAll('\n\t', '\n').trimEnd();
    const [, statement] = /^\d+ LOG: {2}(?:execute [^:]+|statement): (.*)$/s.exec(text) ?? [];
    const [, detail] = /^\d+ DETAIL: {2}parameters: (.*)$/is.exec(text) ?? [];
    if (statement) statements.push({ text: statement, values: [] });
    const last = statements.at(-1);
    if (detail && last) last.values = valuesOf(detail);
  }
  return statements;
}

/** Every statement that reaches the server while `work` runs, from its own log. */
export async function record(pool: pg.Pool, logFile: string, work: () => Promise<void>): Promise<Statement[]> {
  await logEverything(pool, true);
  const from = statSync(logFile).size;
  await work();
  await logEverything(pool, false);
  return statementsIn(readFileSync(logFile).subarray(from).toString());
}

/** Whether it is the query for changes of the catalogue. */
export const asksForChanges = ({ text }: Pick<Statement, 'text'>) => text.includes('pg_snapshot_xmin');

/** The statements of a request, without those of the job queue, and with one query for catalogue changes. */
export function statementsOfRequest(statements: Statement[]): Statement[] {
  // Of the statements with `taken_by` one belongs to requests: it queues a job.
  const own = statements.filter(
    ({ text }) =>
      !/log_statement|log_line_prefix|pg_reload_conf/.test(text) &&
      !/taken_by|pg_locks|job_schedule/.test(text.replace('where taken_by is null do update', '')),
  );
  return own.filter((statement) => !asksForChanges(statement) || statement === own.find(asksForChanges));
}
