import type pg from 'pg';
import { inSpan, type Tracing } from './tracing.ts';

/** So much of a statement is kept. */
const LONGEST = 2_000;

type Query = (...args: unknown[]) => unknown;

const textOf = (first: unknown): string =>
  typeof first === 'string' ? first : String((first as { text?: unknown } | undefined)?.text ?? '');

/** Runs a statement whose outcome goes to a function instead of a promise. */
function withCallback(tracing: Tracing, what: Parameters<Tracing['begin']>[0], query: Query, args: unknown[]): unknown {
  const span = tracing.begin(what);
  const done = args.at(-1) as (error: (Error & { code?: string }) | null, result: unknown) => void;
  const ended: typeof done = (error, result) => {
    span.end({ failure: error ? (error.code ?? error.name) : undefined });
    done(error, result);
  };
  return query(...args.slice(0, -1), ended);
}

/**
 * Makes a span of each statement that belongs to a request or a job, with its text; its parameters are left out, since they are people's data.
 * What the shop asks by itself each second belongs to nothing and leaves none.
 */
export function traceStatements(pool: pg.Pool, tracing: Tracing): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query;
    const traced: Query = (...args) => {
      if (!tracing.isInside) return query(...args);
      const text = textOf(args[0]).trim();
      const [operation = ''] = text.split(/\s/, 1);
      const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text.slice(0, LONGEST) };
      const what = { name: `sql ${operation}`, kind: 'client' as const, attributes };
      return typeof args.at(-1) === 'function' ? withCallback(tracing, what, query, args) : inSpan(tracing, what, () => query(...args));
    };
    client.query = traced as typeof client.query;
  });
}
