import { createHash } from 'node:crypto';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { writePdf } from './pdf-thread.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const made = new BoundedCache<Buffer>(MAX_BYTES, (pdf) => pdf.length);

/**
 * An invoice as a PDF, kept for as long as there is room: the same document is the same bytes. The key is what it says, from which the buyer may be
 * taken out one day. `admit` is asked before one is made, and throws where it must not be.
 */
export function readPdf(invoice: Invoice, admit: () => Promise<unknown>): Promise<Buffer> {
  const key = createHash('sha256').update(JSON.stringify(invoice)).digest('base64');
  return made.getOrMake(key, async () => {
    await admit();
    return writePdf(invoice);
  });
}
