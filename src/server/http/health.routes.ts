import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Problem } from '#contract/problem.ts';
import type { Services } from '#server/services.ts';

const hidden = { schema: { hide: true } };

/**
 * `GET /healthz` answers 200 as soon as the process serves, and 503 once a part has failed that will not mend itself; the log says which and why.
 * `GET /readyz` answers 200 when the database does, else 503.
 */
export async function healthRoutes(app: FastifyInstance, { db, health }: Services): Promise<void> {
  app.get('/healthz', hidden, async () => {
    const parts = health.faults.map(([part]) => part);
    if (parts.length > 0) throw new Problem(503, `This will not mend itself: ${parts.join(', ')}. See the log.`);
    return { status: 'ok' };
  });
  app.get('/readyz', hidden, async (request) => {
    await sql`select 1`.execute(db).catch((error: Error) => {
      request.log.warn({ reason: error.message }, 'the database does not answer');
      throw new Problem(503, 'The database does not answer.', undefined, 5);
    });
    return { status: 'ready' };
  });
}
