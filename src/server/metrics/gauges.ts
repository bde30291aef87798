import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Services } from '#server/services.ts';
import type { Family, Sample } from './format.ts';

const gauge = (name: string, help: string, samples: Sample[]): Family => ({ name, type: 'gauge', help, samples });
const counter = (name: string, help: string, samples: Sample[]): Family => ({ name, type: 'counter', help, samples });

const startedAt = Date.now() / 1000 - process.uptime();

/** Memory and processor of this process, under the names that Prometheus' own clients use. */
export function processFamilies(): Family[] {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    gauge('process_resident_memory_bytes', 'Memory of the process.', [{ value: rss }]),
    gauge('process_start_time_seconds', 'When the process started.', [{ value: startedAt }]),
    counter('process_cpu_seconds_total', 'Processor time used.', [{ value: (user + system) / 1e6 }]),
    gauge('nodejs_heap_size_used_bytes', 'JavaScript memory in use.', [{ value: heapUsed }]),
    gauge('nodejs_heap_size_total_bytes', 'JavaScript memory reserved.', [{ value: heapTotal }]),
    gauge('nodejs_external_memory_bytes', 'Memory of buffers outside of it.', [{ value: external }]),
  ];
}

/** The page cache and the connections of this process. */
export function resourceFamilies({ cache, pool }: Pick<Services, 'cache' | 'pool'>): Family[] {
  const answers = [
    { labels: { result: 'hit' }, value: cache.counts.hit },
    { labels: { result: 'miss' }, value: cache.counts.miss },
  ];
  const connections = [
    { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
    { labels: { state: 'idle' }, value: pool.idleCount },
  ];
  return [
    counter('shop_page_cache_answers_total', 'Answers from the page cache, and those that had to be made.', answers),
    gauge('shop_database_connections', 'Connections of the pool.', connections),
    gauge('shop_database_connections_limit', 'The most connections that the pool may hold.', [{ value: pool.options.max }]),
    gauge('shop_database_waiting', 'Requests that wait for a connection.', [{ value: pool.waitingCount }]),
  ];
}

interface QueueRow {
  task: string;
  waiting: number;
  due: number;
  running: number;
  dead: number;
  oldest: number;
}

/** The job queue, which all processes share: what waits for its time, is due, is being done and has failed for good. */
export async function queueFamilies(db: Db): Promise<Family[]> {
  const { rows } = await sql<QueueRow>`
    select task.identifier as task,
      count(*) filter (where job.locked_at is null and job.attempts < job.max_attempts and job.run_at > now())::int as waiting,
      count(*) filter (where job.locked_at is null and job.attempts < job.max_attempts and job.run_at <= now())::int as due,
      count(*) filter (where job.locked_at is not null)::int as running,
      count(*) filter (where job.locked_at is null and job.attempts >= job.max_attempts)::int as dead,
      coalesce(extract(epoch from now() - min(job.run_at) filter (
        where job.locked_at is null and job.attempts < job.max_attempts and job.run_at <= now())), 0)::float8 as oldest
    from graphile_worker._private_tasks task left join graphile_worker._private_jobs job on job.task_id = task.id
    group by task.identifier order by task.identifier`.execute(db);
  const states = rows.flatMap(({ task, waiting, due, running, dead }) =>
    Object.entries({ waiting, due, running, dead }).map(([state, value]) => ({ labels: { task, state }, value })),
  );
  return [
    gauge('shop_jobs', 'Jobs in the queue; dead ones failed for good.', states),
    gauge('shop_jobs_oldest_due_seconds', 'How long the oldest due job has waited.', [
      { value: rows.reduce((most, { oldest }) => Math.max(most, oldest), 0) },
    ]),
  ];
}

/** Whether the database answers. */
export const databaseFamily = (isUp: boolean): Family =>
  gauge('shop_database_up', '1 when the database answers.', [{ value: isUp ? 1 : 0 }]);
