import type { FastifyInstance } from 'fastify';
import { refuseNotice, takeNotice } from './notice.service.ts';
import type { PaymentServices } from './settle.service.ts';

/** The provider's webhook. The signature is verified on the raw bytes. A failure is answered with an error, so that the provider repeats it. */
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
