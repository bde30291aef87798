import { createHash } from 'node:crypto';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { pdfProcess } from '#server/gateways/worker-process.ts';
import { BoundedCache } from '#server/platform/bounded-cache.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const made = new BoundedCache<Buffer>(MAX_BYTES, (pdf) => pdf.length);

/**
 * An invoice's PDF, from a bounded cache. Keyed by content, because the buyer may be erased later. On a miss `admit` is called first, and
 * throws to refuse.
 */
export function readPdf(invoice: Invoice, admit: () => Promise<unknown>): Promise<Buffer> {
  const key = createHash('sha256').update(JSON.stringify(invoice)).digest('base64');
  return made.getOrMake(key, async () => {
    await admit();
    return pdfProcess.run({ task: 'pdf', invoice });
  });
}
