import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/services.ts';
import { settleSession } from './settle.service.ts';

const SETTLING = /^checkout\.session\.(completed|async_payment_succeeded|async_payment_failed|expired)$/;

/**
 * The provider's notices. The signature is checked on the raw bytes before anything else; the event's id and its effect
 * are stored in one transaction, and a failure is answered with an error, so that the provider sends again.
 */
export async function webhookRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.post('/stripe/webhook', { schema: { hide: true } }, async (request) => {
    const signature = request.headers['stripe-signature'];
    const { session, ...notice } = services.payments.readEvent(
      Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      typeof signature === 'string' ? signature : '',
    );
    if (session && SETTLING.test(notice.kind)) await settleSession(services, session, notice);
    return { received: true };
  });
}
