import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { BUDGETS } from '#server/platform/budgets.ts';
import { isDatabaseGone } from '#server/platform/database/connect.ts';
import type { Log } from '#server/platform/log.ts';
import { ANYTHING, type CatalogueChange, changeOf, RETENTION_MINUTES, type RecordedChange } from './catalogue-changes.ts';

const RECONNECT_MS = 500;
const POLL_MS = 1_000;
/** Changes that other processes notify within this time are read together. */
const TOGETHER_MS = 20;

/**
 * The changes of all transactions from `$1` on, and the oldest running transaction. Transactions commit in any order, so the next reading starts
 * there: a later commit is of that one or a younger one. Every transaction that can be read is below the upper bound, which only shows the planner that
 * they are few, so that it keeps its plan.
 */
const READ_CHANGES = `select pg_snapshot_xmin(pg_current_snapshot())::text as oldest,
  coalesce((select json_agg(json_build_object('transaction', transaction::text, 'products', products, 'edited', edited,
    'changesAvailability', moves_lists, 'settings', settings))
    from catalogue_changes where transaction >= $1::xid8 and transaction < pg_snapshot_xmax(pg_current_snapshot())), '[]') as changes`;

interface Reading {
  oldest: string;
  changes: (RecordedChange & { transaction: string })[];
}

/** Called for each change; `isBlind` if the database answers but changes cannot be read. */
type OnChange = (change: CatalogueChange, isBlind?: boolean) => unknown;

/**
 * Invalidates this process's caches after catalogue changes by any process (docs/lists-and-caches.md). It reads `catalogue_changes` at each NOTIFY,
 * after each write of its own (read-your-writes), and each second in case a notification was lost.
 */
export class CatalogueInvalidation {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #onChange: OnChange;
  /** The oldest transaction that was running at the last reading; undefined if changes may have been missed. */
  #oldest: string | undefined;
  /** The transactions from `#oldest` on whose changes were read; all changes of a transaction become visible at once. */
  #seen = new Set<string>();
  #readAt = 0;
  /** When the last reading began, and when the last notification came. */
  #readFrom = 0;
  #noticedAt = 0;
  #isAway = false;
  #reading: Promise<void> | undefined;
  #nextReading: Promise<void> | undefined;
  #listener: pg.PoolClient | undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  #noticing: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(pool: pg.Pool, log: Log, onChange: OnChange) {
    this.#pool = pool;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Resolves once every change committed before the call has been applied to the caches, or at once while the database is away. Never rejects. */
  catchUp(): Promise<void> {
    if (!this.#reading) {
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined;
      });
      return this.#reading;
    }
    // The current reading may have begun before the caller's commit. Waiting callers share the next one.
    this.#nextReading ??= this.#reading.then(() => {
      this.#nextReading = undefined;
      return this.catchUp();
    });
    return this.#nextReading;
  }

  /** Whether the database is away: the last reading could not reach it, or the running one has had no answer for too long. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Asks the database whether it is there. */
  async findAway(): Promise<boolean> {
    await Promise.race([this.catchUp(), sleep(BUDGETS.databaseSilence, undefined, { ref: false })]);
    return this.#isAway;
  }

  /** Starts polling and listening. A replica cannot notify, so it is only polled. */
  watch({ canNotify = true } = {}): void {
    this.#polling = setInterval(() => void this.catchUp(), POLL_MS).unref();
    if (canNotify) void this.#listen();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#polling);
    clearTimeout(this.#noticing);
    this.#release(true);
    await this.#nextReading;
    await this.#reading;
  }

  /** Reads the notified change soon, unless a reading for a write of this process's own has begun by then. */
  #notice(): void {
    this.#noticedAt = performance.now();
    this.#noticing ??= setTimeout(() => {
      this.#noticing = undefined;
      if (this.#readFrom <= this.#noticedAt) void this.catchUp();
    }, TOGETHER_MS).unref();
  }

  async #read(): Promise<void> {
    this.#readFrom = performance.now();
    if (performance.now() - this.#readAt > RETENTION_MINUTES * 60_000) this.#oldest = undefined;
    const silenceTimer = setTimeout(() => {
      this.#isAway = true;
    }, BUDGETS.databaseSilence).unref();
    try {
      // Without a timeout, a connection to a machine that is gone would wait for a quarter of an hour.
      const reading = { name: 'changes', text: READ_CHANGES, query_timeout: BUDGETS.databaseConnection };
      const { rows } = await this.#pool.query<Reading>(reading, [this.#oldest ?? null]);
      const [{ oldest, changes } = { oldest: undefined, changes: [] }] = rows;
      // Without a place to start from, no changes were read (`$1` was null), and anything may have changed.
      if (this.#oldest === undefined) await this.#onChange(ANYTHING);
      for (const change of changes) if (!this.#seen.has(change.transaction)) await this.#onChange(changeOf(change));
      this.#seen = new Set(changes.map(({ transaction }) => transaction));
      this.#oldest = oldest;
      this.#readAt = performance.now();
      this.#isAway = false;
    } catch (error) {
      // The next reading treats everything as changed.
      this.#oldest = undefined;
      // While the database is away, caches are all that visitors can read (decision 152). If it answers, others may be changing it.
      this.#isAway = isDatabaseGone(error);
      if (!this.#isAway) await this.#onChange(ANYTHING, true);
    } finally {
      clearTimeout(silenceTimer);
    }
  }

  async #listen(): Promise<void> {
    try {
      this.#listener = await this.#pool.connect();
      if (this.#isStopped) return this.#release(true);
      this.#listener.on('notification', () => this.#notice());
      this.#listener.once('error', (error) => this.#reconnect(error));
      await this.#listener.query('listen catalogue');
      await this.catchUp();
    } catch (error) {
      this.#reconnect(error as Error);
    }
  }

  /** Closes the listening connection once: it may break while it is being closed. */
  #release(reason: Error | true): void {
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.release(reason);
  }

  #reconnect(error: Error): void {
    this.#release(error);
    // A break is reported twice, by the connection and by its interrupted statement.
    if (this.#isStopped || this.#reconnecting) return;
    this.#log.warn({ reason: error.message }, 'changes of the catalogue are polled until PostgreSQL can notify again');
    this.#reconnecting = setTimeout(() => {
      this.#reconnecting = undefined;
      if (!this.#isStopped) void this.#listen();
    }, RECONNECT_MS).unref();
  }
}
