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

  async function listen(): Promise<void> {
    try {
      client = await pool.connect();
      client.on('notification', onChange);
      client.once('error', again);
      await client.query('listen catalogue');
      onChange();
    } catch (error) {
      again(error as Error);
    }
  }
  function again(error: Error): void {
    client?.release(error);
    client = undefined;
    if (isStopped) return;
    log.warn({ reason: error.message }, 'the catalogue is watched by asking only');
    setTimeout(() => isStopped || void listen(), RETRY_MS).unref();
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
      client?.release(true);
    },
  };
}
