import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Problem } from '#contract/problem.ts';
import type { Services } from '#server/services.ts';

const hidden = { schema: { hide: true } };

/** `GET /healthz` answers as soon as the process serves; `GET /readyz` when the database answers, else 503. */
export async function healthRoutes(app: FastifyInstance, { db }: Services): Promise<void> {
  app.get('/healthz', hidden, async () => ({ status: 'ok' }));
  app.get('/readyz', hidden, async (request) => {
    await sql`select 1`.execute(db).catch((error: Error) => {
      request.log.warn({ reason: error.message }, 'the database does not answer');
      throw new Problem(503, 'The database does not answer.', undefined, 5);
    });
    return { status: 'ready' };
  });
}
