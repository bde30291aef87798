import { createHash } from 'node:crypto';
import { MARK_VARIANT, pictureId } from '#contract/catalogue/pictures.ts';
import type { Invoice } from '#contract/invoices/invoices.ts';
import type { Pictures } from '#server/gateways/pictures.ts';
import { pdfProcess } from '#server/gateways/worker-process.ts';
import { BoundedCache } from '#server/platform/bounded-cache.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const pdfs = new BoundedCache<Buffer>(MAX_BYTES, (pdf) => pdf.length);

/** The logo that an invoice names, as a PNG. */
async function readLogo(pictures: Pictures, { seller: { logo = '' } }: Invoice): Promise<Buffer | undefined> {
  const id = pictureId(logo);
  if (!id) return undefined;
  await pictures.makeMark(id);
  const picture = await pictures.read(id, MARK_VARIANT.width, MARK_VARIANT.format);
  return picture?.isExact ? picture.bytes : undefined;
}

/**
 * An invoice's PDF, from a bounded cache. Keyed by content, because the buyer may be erased later. On a miss `admit` is called first, and
 * throws to refuse.
 */
export function readPdf(invoice: Invoice, pictures: Pictures, admit: () => Promise<unknown>): Promise<Buffer> {
  const key = createHash('sha256').update(JSON.stringify(invoice)).digest('base64');
  return pdfs.getOrMake(key, async () => {
    await admit();
    return pdfProcess.run({ task: 'pdf', invoice, logo: await readLogo(pictures, invoice) });
  });
}
