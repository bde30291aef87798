import * as api from '#contract/invoices/invoices.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { readPdf } from './pdf-cache.ts';
import { readInvoice } from './read.service.ts';
import { exportVat } from './vat-report.service.ts';

export const invoiceRoutes: readonly Route[] = [
  route(api.readInvoice, ({ params, who }, services) => readInvoice(services, who, params.id)),
  route(api.downloadInvoice, async ({ params, who }, services) => {
    const { db, ip, config, pictures } = services;
    const attempt = { ip, account: who._id, factor: config.rateLimitFactor };
    // Administrators are not limited.
    return readPdf(await readInvoice(services, who, params.id), pictures, async () => who.isAdmin || limit(db, 'document', attempt));
  }),
  route(api.exportVat, ({ query: { quarter }, who }, { db }) => exportVat(db, who, quarter)),
];
