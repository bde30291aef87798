import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Invoice } from '#contract/invoices/invoices.ts';
import { BoundedCache } from '#server/base/bounded-cache.ts';
import { pdfOf } from './invoice-pdf.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const made = new BoundedCache<Buffer>(MAX_BYTES, (pdf) => pdf.length);
let last: Promise<unknown> = Promise.resolve();

/**
 * An invoice as a PDF. Each takes about a tenth of a second of this process's time, so they are made one after the other, with what else waits in
 * between, and kept for as long as there is room: the same document is the same bytes. The key is what it says, from which the buyer may be taken
 * out one day.
 */
export function readPdf(invoice: Invoice): Promise<Buffer> {
  const key = createHash('sha256').update(JSON.stringify(invoice)).digest('base64');
  return made.getOrMake(key, () => {
    const next = last.then(() => setImmediate()).then(() => pdfOf(invoice));
    last = next.catch(() => undefined);
    return next;
  });
}
