import { sql } from 'kysely';
import type pg from 'pg';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Db } from '#server/platform/database/connect.ts';

/** A registry of values that are read at each scrape. */
class Snapshot extends Registry {
  /** Adds a gauge with a value for each set of labels. */
  gauge(name: string, help: string, values: readonly (readonly [labels: Record<string, string>, value: number])[]): this {
    const labelNames = Object.keys(values[0]?.[0] ?? {});
    const gauge = new Gauge({ name, help, labelNames, registers: [this] });
    for (const [labels, value] of values) gauge.set(labels, value);
    return this;
  }
}

export interface Resources {
  cache: { readonly counts: { readonly hit: number; readonly miss: number; readonly stale: number } };
  pool: pg.Pool;
}

/** The page cache and the connections of this process. */
export function resourceMetrics({ cache, pool }: Resources): Registry {
  const snapshot = new Snapshot();
  const answers = new Counter({
    name: 'shop_page_cache_answers_total',
    help: 'Answers from the page cache, those that had to be made, and stale ones while the database was away.',
    labelNames: ['result'],
    registers: [snapshot],
  });
  for (const [result, count] of Object.entries(cache.counts)) answers.inc({ result }, count);
  return snapshot
    .gauge('shop_database_connections', 'Connections of the pool.', [
      [{ state: 'busy' }, pool.totalCount - pool.idleCount],
      [{ state: 'idle' }, pool.idleCount],
    ])
    .gauge('shop_database_connections_limit', 'The most connections that the pool may hold.', [[{}, pool.options.max]])
    .gauge('shop_database_waiting', 'Requests that wait for a connection.', [[{}, pool.waitingCount]]);
}

interface QueueRow {
  task: string;
  waiting: number;
  due: number;
  running: number;
  dead: number;
  oldest: number;
}

/** The job queue, shared by all processes, and the partitions of order events. Throws if the database does not answer. */
export async function queueMetrics(db: Db, jobNames: readonly string[]): Promise<Registry> {
  const { rows } = await sql<QueueRow>`
    select coalesce(job_name, name) as task,
      count(id) filter (where taken_by is null and attempts < max_attempts and run_at > now())::int as waiting,
      count(id) filter (where taken_by is null and attempts < max_attempts and run_at <= now())::int as due,
      count(id) filter (where taken_by is not null)::int as running,
      count(id) filter (where taken_by is null and attempts >= max_attempts)::int as dead,
      coalesce(extract(epoch from now() - min(run_at) filter (where taken_by is null and attempts < max_attempts and run_at <= now())), 0)::float8 as oldest
    from unnest(${jobNames}::text[]) as job_name full join jobs on name = job_name
    group by task order by task`.execute(db);
  const months = await sql<{ days: number }>`
    select (extract(epoch from events_months_end() - now()) / 86400)::float8 as days`.execute(db);
  const states = rows.flatMap(({ task, waiting, due, running, dead }) =>
    Object.entries({ waiting, due, running, dead }).map(([state, value]) => [{ task, state }, value] as const),
  );
  return databaseUp(true)
    .gauge('shop_jobs', 'Jobs in the queue; dead ones failed for good.', states)
    .gauge('shop_jobs_oldest_due_seconds', 'How long the oldest due job has waited.', [
      [{}, rows.reduce((most, { oldest }) => Math.max(most, oldest), 0)],
    ])
    .gauge('shop_event_months_days', 'Days until the months end that have a part of the table of order events.', [
      [{}, months.rows[0]?.days ?? 0],
    ]);
}

export const databaseUp = (isUp: boolean): Snapshot =>
  new Snapshot().gauge('shop_database_up', '1 when the database answers.', [[{}, isUp ? 1 : 0]]);
