import type { z } from 'zod';
import type * as schema from './invoices.schema.ts';

export type InvoiceSummary = z.infer<typeof schema.InvoiceSummary>;
export type InvoiceContent = z.infer<typeof schema.InvoiceContent>;
export type Invoice = z.infer<typeof schema.Invoice>;
