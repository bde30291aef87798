import { endpoint } from '#contract/platform/endpoint.ts';
import { ById } from '#contract/platform/lists.schema.ts';
import * as schema from './invoices.schema.ts';

export const exportVat = endpoint('GET /api/office/vat', {
  right: 'see money',
  summary: 'Download the invoices and credit notes of a quarter with their VAT as CSV',
  query: schema.QuarterQuery,
  download: 'vat.csv',
});

export const readInvoice = endpoint('GET /api/invoices/:id', {
  role: 'customer',
  summary:
    'Read an invoice or credit note, or by its id the pro forma of an order without invoice yet: your own, or any for administrators',
  errors: [404],
  params: ById,
  reply: schema.Invoice,
});

export const downloadInvoice = endpoint('GET /api/invoices/:id/pdf', {
  role: 'customer',
  summary: 'Download an invoice, credit note or pro forma as a PDF',
  errors: [404],
  params: ById,
  download: 'invoice.pdf',
});
