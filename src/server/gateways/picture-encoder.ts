import sharp from 'sharp';
import { MAX_PICTURE_MB } from '#contract/catalogue/catalogue.ts';
import type { PictureVariant, PictureWidth } from '#contract/catalogue/pictures.ts';
import { Problem } from '#contract/platform/problem.ts';
import { hasManyScans } from './loaders.ts';

// Only a worker process loads this module, so decoding uses no memory of the server (decision 17).

const MAX_PIXELS = 50_000_000;
/** Of all pictures of an animation, although only the first is kept. */
const MAX_ANIMATION_PIXELS = 4 * MAX_PIXELS;
/** Bytes of the largest picture with transparency, decoded at 8 bits for each colour; at 16 bits it would have twice as many. */
const MAX_DECODED_BYTES = 4 * MAX_PIXELS;
/** Maximum size of a master, in pixels: enough to zoom a 4:5 picture. */
const MASTER = { width: 1_600, height: 2_000 };
const ACCEPTED = new Set(['jpeg', 'png', 'webp', 'heif', 'gif']);

// One thread, one picture at a time: the largest picture bounds the memory, and a core stays free for requests.
sharp.concurrency(1);
sharp.cache(false);

/** Requirements on the size of a picture, besides those on every picture. */
export interface PictureSize {
  /** In pixels. */
  leastWidth: number;
  leastHeight: number;
  isSquare?: boolean;
}

/** Compares the picture as it is shown, turned as its EXIF orientation says. */
function refuseOtherSize(
  filename: string,
  { width, height }: { width: number; height: number },
  { leastWidth, leastHeight, isSquare }: PictureSize,
): void {
  const actual = `${filename} is ${width} × ${height} pixels`;
  if (width < leastWidth || height < leastHeight)
    throw new Problem(415, `${actual}; it must have at least ${leastWidth} × ${leastHeight}, or it would look blurred.`);
  if (isSquare && width !== height) throw new Problem(415, `${actual}; it must be square.`);
}

/**
 * Re-encodes an uploaded picture as a master. The type is detected by decoding, not by name or header, and all metadata is dropped. Throws
 * 413 or 415.
 */
export async function reencode(bytes: Buffer, filename: string, required?: PictureSize): Promise<Buffer> {
  if (bytes.length > MAX_PICTURE_MB * 1024 * 1024) throw new Problem(413, `${filename} is larger than ${MAX_PICTURE_MB} MB.`);
  const isDrawing = /<svg[\s>]/i.test(bytes.subarray(0, 1_000).toString('latin1'));
  const whatItIs = isDrawing
    ? 'an SVG drawing, which can contain a script. Please save it as a PNG with a transparent background.'
    : 'not a JPEG, PNG, WebP, AVIF or GIF picture.';
  const unreadable = new Problem(415, `${filename} is ${whatItIs}`);
  if (isDrawing || bytes.length === 0) throw unreadable;
  // `width` and `height` are stored ones; `autoOrient` has those as it is shown. No limit here, so that the messages below say what is too large.
  const {
    format,
    compression,
    width,
    height,
    channels,
    depth,
    pages = 1,
    autoOrient,
  } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw unreadable;
    });
  if (!format || !ACCEPTED.has(format) || (format === 'heif' && compression !== 'av1')) throw unreadable;
  if (width * height > MAX_PIXELS) throw new Problem(413, `${filename} has more than 50 megapixels.`);
  if (pages > 1 && width * height * pages > MAX_ANIMATION_PIXELS)
    throw new Problem(413, `${filename} is an animation of more than 200 megapixels in all. Please save only its first picture.`);
  if (width * height * channels * (depth === 'uchar' ? 1 : 2) > MAX_DECODED_BYTES)
    throw new Problem(413, `${filename} is too large with 16 bits for each colour. Please save it with 8 bits.`);
  if (format === 'jpeg' && hasManyScans(bytes))
    throw new Problem(413, `${filename} is stored in more than 30 layers. Please save it again as an ordinary JPEG.`);
  if (required) refuseOtherSize(filename, autoOrient, required);
  // The first picture of an animation, turned as its EXIF orientation says.
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
    .rotate()
    .resize({ ...MASTER, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 90 })
    .toBuffer()
    .catch(() => {
      throw new Problem(415, `${filename} is damaged or incomplete. Please save it again, or choose another picture.`);
    });
}

/** Background of a mail's picture where it is not square, or is transparent. */
const MAIL_GROUND = '#f1ece3';

// Lowest values without visible loss in an enlarged comparison: below them plain backdrops show banding and bouclé loses its loops.
const AVIF_QUALITY = 70;
const WEBP_QUALITY = 82;

/**
 * Encodes a master at one width. Only the square JPEG of mails may be upscaled; a PNG fits into a square. AVIF `effort` 4 takes about 3× as long as 2
 * and saves a sixth of the bytes.
 */
export function encodeWidth(master: Buffer, width: PictureWidth, format: PictureVariant['format'], effort = 2): Promise<Buffer> {
  if (format === 'jpeg') {
    // The ground fills the edges beside the picture and, flattened, what is transparent in it.
    const square = sharp(master).resize({ width, height: width, fit: 'contain', background: MAIL_GROUND });
    return square.flatten({ background: MAIL_GROUND }).jpeg({ quality: 80 }).toBuffer();
  }
  if (format === 'png')
    return sharp(master).resize({ width, height: width, fit: 'inside', withoutEnlargement: true }).png({ palette: true }).toBuffer();
  const resized = sharp(master).resize({ width, withoutEnlargement: true });
  return (format === 'avif' ? resized.avif({ quality: AVIF_QUALITY, effort }) : resized.webp({ quality: WEBP_QUALITY })).toBuffer();
}
