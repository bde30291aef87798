import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { S3Driver } from 'flydrive/drivers/s3';
import sharp from 'sharp';
import { type PictureFormat, type PictureWidth, pictureUrl } from '#contract/pictures.ts';
import { Problem } from '#contract/problem.ts';
import type { Config } from '#server/config.ts';

/** A picture's place in the shop: kept once as a master, served in several widths and formats that are made at the first request. */
export interface Pictures {
  /** Checks and re-encodes a picture from outside; the same content gives the same address. Throws 400, 413 or 415, and 503 when it cannot be stored. */
  add(bytes: Buffer, filename: string): Promise<string>;
  /** Takes a picture of the shop's own making as it is: a WebP at most 1200 pixels on its long side. */
  keep(bytes: Buffer): Promise<string>;
  /** The bytes of one width and format, or undefined when there is no such picture. */
  read(id: string, width: PictureWidth, format: PictureFormat): Promise<Buffer | undefined>;
  /** The picture as it is kept, or undefined when there is none; given to `keep`, it has the same address again. */
  master(id: string): Promise<Buffer | undefined>;
  /** Ids of all pictures older than that moment. */
  list(before: Date): Promise<string[]>;
  remove(id: string): Promise<void>;
}

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
const LONG_SIDE = 1_600;
const ACCEPTED = new Set(['jpeg', 'png', 'webp', 'heif', 'gif']);

// Encoding must leave a core to the requests.
sharp.concurrency(1);

/** The content decides, not the name or the type that was sent: what decodes is a picture. Nothing but the pixels survives. */
async function reencode(bytes: Buffer, filename: string): Promise<Buffer> {
  if (bytes.length > MAX_BYTES) throw new Problem(413, `${filename} is larger than 10 MB.`);
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
    .resize({ width: LONG_SIDE, height: LONG_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 90 })
    .toBuffer()
    .catch(() => {
      throw unreadable;
    });
}

function diskOf({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Disk {
  if (!s3) return new Disk(new FSDriver({ location: resolve(dataDir, 'pictures'), visibility: 'public' }));
  return new Disk(
    new S3Driver({
      credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
      region: s3.region,
      bucket: s3.bucket,
      visibility: 'private',
      supportsACL: false,
      // Streamed checksums arrive corrupted at storage that speaks an older protocol.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      ...(s3.endpoint && { endpoint: s3.endpoint, forcePathStyle: true }),
    }),
  );
}

/** Pictures on the local disk, or in S3-compatible object storage where that is set. */
export function pictureStore(config: Pick<Config, 's3' | 'dataDir'>): Pictures {
  const disk = diskOf(config);
  const masterOf = (id: string) => `masters/${id}.webp`;
  const making = new Map<string, Promise<Buffer | undefined>>();
  const bytesOf = async (key: string) => ((await disk.exists(key)) ? Buffer.from(await disk.getBytes(key)) : undefined);

  async function keep(bytes: Buffer): Promise<string> {
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    await disk.put(masterOf(id), bytes, { contentType: 'image/webp' }).catch((cause: unknown) => {
      throw Object.assign(new Problem(503, 'Pictures cannot be stored right now, so nothing was changed. Please try again later.'), {
        cause,
      });
    });
    return pictureUrl(id);
  }

  async function make(id: string, width: PictureWidth, format: PictureFormat, key: string): Promise<Buffer | undefined> {
    const master = await bytesOf(masterOf(id));
    if (!master) return undefined;
    const resized = sharp(master).resize({ width, withoutEnlargement: true });
    const bytes = await (format === 'avif' ? resized.avif({ quality: 55, effort: 2 }) : resized.webp({ quality: 78 })).toBuffer();
    // One that cannot be kept, or not be read again, is made once more.
    await disk.put(key, bytes, { contentType: `image/${format}` }).catch(() => undefined);
    return bytes;
  }

  return {
    add: async (bytes, filename) => keep(await reencode(bytes, filename)),
    keep,
    async read(id, width, format) {
      const key = `widths/${id}/${width}.${format}`;
      const kept = await bytesOf(key).catch(() => undefined);
      if (kept) return kept;
      // Requests that arrive together wait for one encoding.
      const running = making.get(key) ?? make(id, width, format, key).finally(() => making.delete(key));
      making.set(key, running);
      return running;
    },
    master: (id) => bytesOf(masterOf(id)),
    async list(before) {
      const ids: string[] = [];
      let paginationToken: string | undefined;
      do {
        const page = await disk.listAll('masters', { recursive: false, ...(paginationToken && { paginationToken }) });
        for (const entry of page.objects) {
          if (!entry.isFile) continue;
          const { lastModified } = await disk.getMetaData(entry.key);
          if (lastModified < before) ids.push(entry.name.replace(/\.webp$/, ''));
        }
        paginationToken = page.paginationToken;
      } while (paginationToken);
      return ids;
    },
    async remove(id) {
      await disk.deleteAll(`widths/${id}`);
      await disk.delete(masterOf(id));
    },
  };
}
