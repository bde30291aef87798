import * as schema from '#contract/invoices/invoices.schema.ts';
import * as contract from '#contract/invoices/invoices.ts';
import { OrderParams } from '#contract/orders/orders.schema.ts';
import { onCustomer, onPdf, type Route } from '#server/platform/http/route.ts';
import { limit } from '#server/sessions/rate-limit.service.ts';
import { readPdf } from './pdf-cache.ts';
import { readInvoice } from './read.service.ts';

export const invoiceRoutes: readonly Route[] = [
  onCustomer(contract.readInvoice, { params: OrderParams, reply: schema.Invoice }, ({ params }, who, { db }) =>
    readInvoice(db, who, params.id),
  ),
  onPdf(contract.downloadInvoice, OrderParams, 'invoice.pdf', async (params, who, { db, ip, config }) => {
    const attempt = { ip, account: who._id, factor: config.rateLimitFactor };
    // Staff read the invoices of everybody.
    return readPdf(await readInvoice(db, who, params.id), async () => who.isAdmin || limit(db, 'document', attempt));
  }),
];
