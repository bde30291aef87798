import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { INVOICE_PARAMETER } from './invoices.tsx';

const InvoiceView = lazyPart(async () => (await import('./invoice-view.tsx')).InvoiceView);

/** The order's screen, or the invoice that the URL names. */
export function WithInvoice({ children }: { children: ReactNode }) {
  const id = useSearchParams()[0].get(INVOICE_PARAMETER);
  return id ? <InvoiceView key={id} id={id} /> : children;
}
