import sharp from 'sharp';
import { MAX_PICTURE_MB } from '#contract/catalogue/catalogue.ts';
import type { PictureVariant, PictureWidth } from '#contract/catalogue/pictures.ts';
import { Problem } from '#contract/platform/problem.ts';

// Only the picture process loads this module, so that what decoding takes is not held by the server (decision 17).

const MAX_PIXELS = 50_000_000;
/** A master is at most so large, which is what a picture of 4:5 needs to be enlarged. */
const MASTER = { width: 1_600, height: 2_000 };
const ACCEPTED = new Set(['jpeg', 'png', 'webp', 'heif', 'gif']);

// One picture at a time and one thread each: the largest picture bounds the memory, and a core is left to the requests.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Turns a picture from outside into a master. The content decides, not the name or the type that was sent: what decodes is a picture.
 * Nothing but the pixels survives. Throws 413 or 415.
 */
export async function reencode(bytes: Buffer, filename: string): Promise<Buffer> {
  if (bytes.length > MAX_PICTURE_MB * 1024 * 1024) throw new Problem(413, `${filename} is larger than ${MAX_PICTURE_MB} MB.`);
  const unreadable = new Problem(415, `${filename} is not a JPEG, PNG, WebP, AVIF or GIF picture.`);
  if (bytes.length === 0) throw unreadable;
  const {
    format,
    compression,
    width,
    height,
    pages = 1,
  } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw unreadable;
    });
  if (!format || !ACCEPTED.has(format) || (format === 'heif' && compression !== 'av1')) throw unreadable;
  if (width * height > MAX_PIXELS || (pages > 1 && width * height * pages > MAX_PIXELS * 4))
    throw new Problem(413, `${filename} has more than 50 megapixels.`);
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
    .rotate()
    .resize({ ...MASTER, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 90 })
    .toBuffer()
    .catch(() => {
      throw unreadable;
    });
}

/** The ground on which a mail shows the whole of a picture that is not square, or that can be seen through. */
const MAIL_GROUND = '#f1ece3';

// Looked at beside the master, enlarged and with more contrast: below these, plain backdrops break into plates and bouclé loses its loops.
const AVIF_QUALITY = 70;
const WEBP_QUALITY = 82;

/**
 * One width of a master, never wider than the master itself; the JPEG of mails is square. `effort` is what AVIF spends on small files: 4 takes some
 * three times as long as 2 and saves a sixth.
 */
export function encodeWidth(master: Buffer, width: PictureWidth, format: PictureVariant['format'], effort = 2): Promise<Buffer> {
  if (format === 'jpeg') {
    const square = sharp(master).resize({ width, height: width, fit: 'contain', background: MAIL_GROUND });
    return square.flatten({ background: MAIL_GROUND }).jpeg({ quality: 80 }).toBuffer();
  }
  const resized = sharp(master).resize({ width, withoutEnlargement: true });
  return (format === 'avif' ? resized.avif({ quality: AVIF_QUALITY, effort }) : resized.webp({ quality: WEBP_QUALITY })).toBuffer();
}
