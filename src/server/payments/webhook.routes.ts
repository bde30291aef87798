import type { FastifyInstance } from 'fastify';
import { refuseNotice, takeNotice } from './notice.service.ts';
import type { PaymentServices } from './settle.service.ts';

/**
 * The provider's notices. The signature is checked on the raw bytes before anything else; the event's id and its effect
 * are stored in one transaction, and a failure is answered with an error, so that the provider sends again.
 */
export async function webhookRoutes(app: FastifyInstance, services: PaymentServices): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.post('/stripe/webhook', { schema: { hide: true } }, async (request) => {
    const signature = request.headers['stripe-signature'];
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const notice = services.payments.readEvent(body, typeof signature === 'string' ? signature : '');
    if (!notice) return refuseNotice(services, body);
    await takeNotice(services, notice);
    return { received: true };
  });
}
