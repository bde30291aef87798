import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/services.ts';
import { settle } from './settle.service.ts';

const SETTLING = /^checkout\.session\.(completed|async_payment_succeeded|expired)$/;

/**
 * The provider's notices. The signature is checked on the raw bytes before anything else; the event's id and its effect
 * are stored in one transaction, and a failure is answered with an error, so that the provider sends again.
 */
export async function webhookRoutes(app: FastifyInstance, { payments, db, config, log }: Services): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.post('/stripe/webhook', { schema: { hide: true } }, async (request) => {
    const signature = request.headers['stripe-signature'];
    const event = payments.readEvent(
      Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      typeof signature === 'string' ? signature : '',
    );
    const { session } = event;
    if (!session || !SETTLING.test(event.kind)) return { received: true };
    await db.transaction().execute(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('paymentEvents')
        .values({ id: event.id, kind: event.kind })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows) await settle(tx, config, session, log);
    });
    return { received: true };
  });
}
