import type pg from 'pg';
import type { Log } from '#server/base/log.ts';
import { type CatalogueChange, EVERYTHING, KEPT_MINUTES } from './catalogue-changes.ts';

const RETRY_MS = 500;
const POLL_MS = 1_000;

/** Everything that transactions not yet ended at `$1` have told since, and the oldest transaction that has not ended now. */
const ASK = `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
  coalesce((select json_agg(json_build_object('transaction', transaction::text, 'products', products, 'movesLists', moves_lists))
    from catalogue_changes where transaction >= $1::xid8), '[]') as changes`;

interface Answer {
  horizon: string;
  changes: { transaction: string; products: string[] | null; movesLists: boolean }[];
}

/**
 * What any process has changed of the catalogue, in the order of asking. NOTIFY says when to ask; asking each second as well means that a lost
 * notification or a broken connection delays an invalidation but never loses it.
 */
export class CatalogueInvalidation {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #onChange: (change: CatalogueChange) => void;
  #horizon: string | undefined;
  /** Transactions whose changes were told: all of one are seen at once. */
  #told = new Set<string>();
  #askedAt = 0;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #client: pg.PoolClient | undefined;
  #retry: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(pool: pg.Pool, log: Log, onChange: (change: CatalogueChange) => void) {
    this.#pool = pool;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Hears of everything that was committed before the call. Never rejects: without an answer, everything counts as changed. */
  catchUp(): Promise<void> {
    if (!this.#running) {
      this.#running = this.#ask().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    // The question under way may have been put before the caller's change.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.catchUp();
    });
    return this.#next;
  }

  /** Asks from now on without being told to. A replica cannot notify: there asking each second must do. */
  watch({ canNotify = true } = {}): void {
    this.#poll = setInterval(() => void this.catchUp(), POLL_MS).unref();
    if (canNotify) void this.#listen();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#poll);
    this.#letGo(true);
    await this.#next;
    await this.#running;
  }

  async #ask(): Promise<void> {
    if (performance.now() - this.#askedAt > KEPT_MINUTES * 60_000) this.#horizon = undefined;
    try {
      const { rows } = await this.#pool.query<Answer>(ASK, [this.#horizon ?? null]);
      const [{ horizon, changes } = { horizon: undefined, changes: [] }] = rows;
      if (this.#horizon === undefined) this.#onChange(EVERYTHING);
      for (const { transaction, products, movesLists } of changes)
        if (!this.#told.has(transaction)) this.#onChange({ products: products ?? undefined, movesLists });
      this.#told = new Set(changes.map(({ transaction }) => transaction));
      this.#horizon = horizon;
      this.#askedAt = performance.now();
    } catch {
      // Nothing is known, so nothing old may be shown.
      this.#horizon = undefined;
      this.#onChange(EVERYTHING);
    }
  }

  async #listen(): Promise<void> {
    try {
      this.#client = await this.#pool.connect();
      if (this.#isStopped) return this.#letGo(true);
      this.#client.on('notification', () => void this.catchUp());
      this.#client.once('error', (error) => this.#again(error));
      await this.#client.query('listen catalogue');
      await this.catchUp();
    } catch (error) {
      this.#again(error as Error);
    }
  }

  /** Gives the connection back, once: it may break while it is being closed. */
  #letGo(reason: Error | true): void {
    const held = this.#client;
    this.#client = undefined;
    held?.release(reason);
  }

  #again(error: Error): void {
    this.#letGo(error);
    // One break is told twice, by the connection and by the statement that it cut off.
    if (this.#isStopped || this.#retry) return;
    this.#log.warn({ reason: error.message }, 'the catalogue is watched by asking only');
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      if (!this.#isStopped) void this.#listen();
    }, RETRY_MS).unref();
  }
}
