import type { z } from 'zod';
import { type Download, endpoint } from '#contract/platform/endpoint.ts';
import type * as schema from './invoices.schema.ts';

export type InvoiceSummary = z.infer<typeof schema.InvoiceSummary>;
export type InvoiceContent = z.infer<typeof schema.InvoiceContent>;
export type Invoice = z.infer<typeof schema.Invoice>;

type Id = { params: { id: string } };

/** An invoice or credit note, for the owner of its order and for administrators. */
export const readInvoice = endpoint<Id, Invoice>('GET', '/api/invoices/:id');
/** The same as a PDF. */
export const downloadInvoice = endpoint<Id, Download>('GET', '/api/invoices/:id/pdf');
/** What was invoiced and credited in a quarter, with its VAT, as CSV (administrators). */
export const exportVat = endpoint<{ query: { quarter: string } }, Download>('GET', '/api/office/vat');
