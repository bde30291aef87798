import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { S3Driver } from 'flydrive/drivers/s3';
import { Problem } from '#contract/base/problem.ts';
import { PICTURE_FORMATS, PICTURE_WIDTHS, type PictureFormat, type PictureWidth, pictureUrl } from '#contract/pictures.ts';
import type { Config } from '#server/base/config.ts';
import { pictureProcess } from './picture-process.ts';

/** What is served of a picture. */
export interface ServedPicture {
  bytes: Buffer;
  format: PictureFormat;
  /** Whether it is the width and format that was asked for; else the nearest one until that is made. */
  isExact: boolean;
}

/** A picture's place in the shop: kept once as a master, served in several widths and formats that a job makes. */
export interface Pictures {
  /** Checks and re-encodes a picture from outside; the same content gives the same address. Throws 400, 413 or 415, and 503 when it cannot be stored. */
  add(bytes: Buffer, filename: string): Promise<string>;
  /** Takes a picture of the shop's own making as it is, a WebP at most 1200 pixels on its long side, with widths that are made already. */
  keep(bytes: Buffer, ready?: { width: PictureWidth; format: PictureFormat; bytes: Buffer }[]): Promise<string>;
  /** One width and format, or the nearest there is: nothing is made while somebody waits. Undefined when there is no such picture. */
  read(id: string, width: PictureWidth, format: PictureFormat): Promise<ServedPicture | undefined>;
  /** Makes the widths and formats that are missing; of a picture that is gone, none. */
  makeWidths(id: string): Promise<void>;
  /** The picture as it is kept, or undefined when there is none; given to `keep`, it has the same address again. */
  master(id: string): Promise<Buffer | undefined>;
  /** Ids of all pictures older than that moment. */
  list(before: Date): Promise<string[]>;
  remove(id: string): Promise<void>;
}

const folderOf = ({ dataDir }: Pick<Config, 'dataDir'>) => resolve(dataDir, 'pictures');

function diskOf({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Disk {
  if (!s3) return new Disk(new FSDriver({ location: folderOf({ dataDir }), visibility: 'public' }));
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

/** The id of a picture is made from its content as it is kept. */
export const pictureIdOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);
const masterOf = (id: string) => `masters/${id}.webp`;
const widthOf = (id: string, width: PictureWidth, format: PictureFormat) => `widths/${id}/${width}.${format}`;

/** Keys to look for in turn: what was asked for, larger ones of the same format, then the master. */
function candidates(id: string, width: PictureWidth, format: PictureFormat): { key: string; format: PictureFormat }[] {
  const enough = PICTURE_WIDTHS.filter((entry) => entry >= width);
  return [...enough.map((entry) => ({ key: widthOf(id, entry, format), format })), { key: masterOf(id), format: 'webp' }];
}

/** Pictures on the local disk, or in S3-compatible object storage where that is set. */
export function pictureStore(config: Pick<Config, 's3' | 'dataDir'>): Pictures {
  const disk = diskOf(config);
  const root = folderOf(config);
  async function bytesOf(key: string): Promise<Buffer | undefined> {
    if (!(await disk.exists(key))) return undefined;
    const bytes = await disk.getBytes(key);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A reader never sees half of a file, which browsers would keep for good: storage puts whole objects; on disk it is written beside and renamed. */
  async function put(key: string, bytes: Buffer, format: PictureFormat): Promise<void> {
    if (config.s3) return disk.put(key, bytes, { contentType: `image/${format}` });
    const part = `parts/${randomUUID()}`;
    const place = join(root, key);
    try {
      await disk.put(part, bytes);
      await mkdir(dirname(place), { recursive: true });
      await rename(join(root, part), place);
    } catch (error) {
      await disk.delete(part).catch(() => undefined);
      throw error;
    }
  }

  async function keep(bytes: Buffer, ready: { width: PictureWidth; format: PictureFormat; bytes: Buffer }[] = []): Promise<string> {
    const id = pictureIdOf(bytes);
    await put(masterOf(id), bytes, 'webp').catch((cause: unknown) => {
      throw Object.assign(new Problem(503, 'Pictures cannot be stored right now, so nothing was changed. Please try again later.'), {
        cause,
      });
    });
    await Promise.all(ready.map(({ width, format, bytes: made }) => put(widthOf(id, width, format), made, format)));
    return pictureUrl(id);
  }

  return {
    add: async (bytes, filename) => keep(await pictureProcess.run({ task: 'reencode', bytes, filename })),
    keep,
    async read(id, width, format) {
      const [wanted, ...others] = candidates(id, width, format);
      for (const candidate of [wanted, ...others]) {
        if (!candidate) continue;
        const reading = bytesOf(candidate.key);
        // A width that cannot be read is as good as missing; the picture itself is not.
        const bytes = await (candidate.key === masterOf(id) ? reading : reading.catch(() => undefined));
        if (bytes) return { bytes, format: candidate.format, isExact: candidate === wanted };
      }
      return undefined;
    },
    async makeWidths(id) {
      const master = await bytesOf(masterOf(id));
      if (!master) return;
      for (const width of PICTURE_WIDTHS) {
        for (const format of PICTURE_FORMATS) {
          const key = widthOf(id, width, format);
          if (await disk.exists(key)) continue;
          await put(key, await pictureProcess.run({ task: 'encode', master, width, format }), format);
        }
      }
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
