import type pg from 'pg';
import type { Log } from '#server/services.ts';

const RETRY_MS = 500;
const POLL_MS = 1_000;

/**
 * Calls back whenever any process has changed what the catalogue shows. NOTIFY brings the news at once; the version is
 * also asked for each second, so that a lost notification or a broken connection delays the news but never loses it.
 */
export function watchCatalogue(pool: pg.Pool, log: Log, onChange: () => void): { stop(): Promise<void> } {
  let isStopped = false;
  let client: pg.PoolClient | undefined;
  let version: unknown;
  let retry: NodeJS.Timeout | undefined;

  async function listen(): Promise<void> {
    try {
      client = await pool.connect();
      if (isStopped) return letGo(true);
      client.on('notification', onChange);
      client.once('error', again);
      await client.query('listen catalogue');
      onChange();
    } catch (error) {
      again(error as Error);
    }
  }
  /** Gives the connection back, once: it may break while it is being closed. */
  function letGo(reason: Error | true): void {
    const held = client;
    client = undefined;
    held?.release(reason);
  }
  function again(error: Error): void {
    letGo(error);
    // One break is told twice, by the connection and by the statement that it cut off.
    if (isStopped || retry) return;
    log.warn({ reason: error.message }, 'the catalogue is watched by asking only');
    retry = setTimeout(() => {
      retry = undefined;
      if (!isStopped) void listen();
    }, RETRY_MS).unref();
  }
  async function ask(): Promise<void> {
    const { rows } = await pool.query('select last_value from catalogue_version');
    if (version !== undefined && rows[0]?.last_value !== version) onChange();
    version = rows[0]?.last_value;
  }
  void listen();
  // Without an answer nothing is known, so nothing old may be shown.
  const poll = setInterval(() => void ask().catch(onChange), POLL_MS).unref();
  return {
    async stop() {
      isStopped = true;
      clearInterval(poll);
      letGo(true);
    },
  };
}
