import type { FastifyInstance } from 'fastify';
import { Problem } from '#contract/platform/problem.ts';
import type { Services } from '#server/context/services.ts';
import { isDatabaseFull } from '#server/platform/database/connect.ts';
import type { DatabaseDisk } from './database-disk.ts';

const hidden = { schema: { hide: true } };

/**
 * `GET /healthz` answers 200 while the process serves, and 503 once a part needs a restart or a person; the log says why. `GET /readyz` answers 200 if
 * the database answers and has room to write, else 503. No cache keeps either.
 */
export async function healthRoutes(
  app: FastifyInstance,
  { db, health, disk }: Pick<Services, 'db' | 'health'> & { disk: DatabaseDisk },
): Promise<void> {
  app.get('/healthz', hidden, async (_, reply) => {
    if (health.size > 0) throw new Problem(503, `This needs an operator: ${[...health].join(', ')}. See the log.`);
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  app.get('/readyz', hidden, async (request, reply) => {
    await disk.check(db).catch((error: Error) => {
      const isFull = isDatabaseFull(error);
      request.log.warn({ reason: error.message }, isFull ? 'the database has no room' : 'the database does not answer');
      throw new Problem(503, isFull ? 'The database has no room: its disk is full.' : 'The database does not answer.', undefined, 5);
    });
    reply.header('cache-control', 'no-store');
    return { status: 'ready' };
  });
}
