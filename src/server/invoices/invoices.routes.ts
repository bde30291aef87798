import * as api from '#contract/invoices/invoices.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { readPdf } from './pdf-cache.ts';
import { readInvoice } from './read.service.ts';
import { exportVat } from './vat-report.service.ts';

export const invoiceRoutes: readonly Route[] = [
  route(api.readInvoice, ({ params, who }, { db }) => readInvoice(db, who, params.id)),
  route(api.downloadInvoice, async ({ params, who }, { db, ip, config, pictures }) => {
    const attempt = { ip, account: who._id, factor: config.rateLimitFactor };
    // Administrators are not limited.
    return readPdf(await readInvoice(db, who, params.id), pictures, async () => who.isAdmin || limit(db, 'document', attempt));
  }),
  route(api.exportVat, ({ query: { quarter }, who }, { db }) => exportVat(db, who, quarter)),
];
