import { createHash } from 'node:crypto';
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import pg from 'pg';
import { Problem } from '#contract/platform/problem.ts';
import { BUDGETS } from '#server/platform/budgets.ts';
import { tooBusy } from '#server/platform/semaphore.ts';
import type { DB } from './schema.ts';

/** The database, or a transaction on it. */
export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

/** Dates and times arrive as ISO strings, bigints as numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.TIMESTAMPTZ) return (value: string) => new Date(value).toISOString();
    if (oid === pg.types.builtins.DATE) return String;
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

const statementNames = new Map<string, string>();

/** The name of a prepared statement. */
function nameOf(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url');
    if (statementNames.size < 2_000) statementNames.set(text, name);
  }
  return name;
}

/**
 * A statement with this comment is not prepared, so PostgreSQL plans it for its values each time. If the best plan depends on them, such as on the number of
 * products in a price range, a generic plan can cost a hundred times as much. A visitor's filters would also make thousands of statements to prepare.
 */
export const CUSTOM_PLAN = '/* custom plan */';

/** The most prepared statements of a connection: each takes about 50 KB of PostgreSQL's memory, and lists of varying length make ever new statements. */
export const MOST_PREPARED = 200;

/** A client that prepares each parameterised statement. */
class PreparingClient extends pg.Client {
  readonly #prepared = new Set<string>();

  // biome-ignore lint/suspicious/noExplicitAny: pg's own signature has nine overloads; only Kysely's `(text, values)` is changed.
  override query(...args: any[]): any {
    const [text, values, ...callback] = args;
    const original = super.query.bind(this) as (...all: unknown[]) => unknown;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return original(...args);
    // Long statements list values, and are rarely the same twice: prepared, they would take the places of others.
    if (text.length > 8_000 || text.includes(CUSTOM_PLAN)) return original(...args);
    const name = nameOf(text);
    if (!this.#prepared.has(name) && this.#prepared.size >= MOST_PREPARED) return original(...args);
    this.#prepared.add(name);
    return original({ name, text, values }, ...callback);
  }
}

/** Columns in camel case; the API's `_id` stays as it is. */
class Naming extends CamelCasePlugin {
  protected override camelCase(name: string): string {
    return name === '_id' ? name : super.camelCase(name);
  }
}

/**
 * Planner settings: on SSDs a random page costs nearly as little as the next one, a bitmap of a million products and sorting a long list fit into memory, and
 * no statement is long enough for JIT.
 */
const PLANNING = '-c random_page_cost=1.1 -c work_mem=32MB -c jit=off';

export interface Database {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
}

/** The query builder on a pool. */
export function queriesOn(pool: PostgresPool): Db {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [new Naming({ maintainNestedObjectKeys: true })] });
}

/** Options of a direct connection, without a pooler between. */
const DIRECT = {
  Client: PreparingClient,
  options: PLANNING,
  statement_timeout: BUDGETS.databaseStatement,
  idle_in_transaction_session_timeout: BUDGETS.databaseStatement,
};

interface PoolOptions {
  max?: number;
  /** How long a statement waits for a connection; `BUDGETS.databaseConnection` by default. */
  waitMs?: number;
  onError?: (error: Error) => void;
  /**
   * Whether the URL is a pooler's in transaction mode: each transaction may run on another connection, so nothing is prepared, and the pooler sets
   * planner options and timeouts (deploy/pgbouncer.ini).
   */
  isPooled?: boolean;
}

/** Opens a pool of connections. */
export function connect(url: string, options: PoolOptions = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    ...(!options.isPooled && DIRECT),
    max: options.max ?? 10,
    types,
    connectionTimeoutMillis: options.waitMs ?? BUDGETS.databaseConnection,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  let isClosing = false;
  const onError = (error: Error) => isClosing || options.onError?.(error);
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const db = queriesOn(pool);
  return {
    db,
    pool,
    close: async () => {
      // Connections that close after the pool has ended may report errors.
      isClosing = true;
      await db.destroy();
      // An unused query builder leaves its pool open, whose idle connections would keep the process alive for 30 s.
      if (!pool.ending) await pool.end();
    },
  };
}

const GONE = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|57P0[1235]|08\w{3}|53300)$/;

/** Whether the database cannot be reached right now: broken, refused or silent connections, or a server that starts or stops. */
export function isDatabaseGone(error: unknown): boolean {
  const { code, message, syscall } = error as { code?: unknown; message?: unknown; syscall?: unknown };
  return (
    GONE.test(String(code)) ||
    // The server's socket does not exist.
    (code === 'ENOENT' && syscall === 'connect') ||
    /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout/.test(
      String(message),
    )
  );
}

/** A statement or lock timeout, a deadlock or serialisation failure, or a write on a standby. */
const BUSY = /^(57014|55P03|40001|40P01|25006|25P03)$/;
/** A full disk (also for temporary files), no memory, a limit of the server, or a disk error. */
const FULL = /^(53\w{3}|58030|58P01)$/;

/** Whether the database is out of room or its disk fails: writing fails while reading may still work. */
export const isDatabaseFull = (error: unknown): boolean => FULL.test(String((error as { code?: unknown }).code));

/**
 * The answer to a passing problem of the database: 503 with the seconds to wait. Undefined for any other error, which is a bug.
 */
export function databaseProblem(error: unknown): Problem | undefined {
  const { code } = error as { code?: unknown };
  if (isDatabaseGone(error)) return new Problem(503, 'The shop is not available right now. Please try again in a moment.', undefined, 5);
  if (BUSY.test(String(code))) return tooBusy();
  if (isDatabaseFull(error))
    return new Problem(503, 'We cannot save anything right now. Please try again in a few minutes.', undefined, 60);
  return undefined;
}
