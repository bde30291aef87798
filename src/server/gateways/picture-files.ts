import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { BoundedCache } from '#server/platform/bounded-cache.ts';
import type { Config } from '#server/platform/settings/config.ts';

const folderOf = ({ dataDir }: Pick<Config, 'dataDir'>) => resolve(dataDir, 'pictures');

/** What speaks to object storage is loaded only where there is one: 15 MB, and a sixth of a second at each start. */
async function diskOf({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<Disk> {
  if (!s3) return new Disk(new FSDriver({ location: folderOf({ dataDir }), visibility: 'public' }));
  const { S3Driver } = await import('flydrive/drivers/s3');
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

/** Where pictures are, and how many bytes of them are kept in memory; none unless told. */
export type PlaceOfPictures = Pick<Config, 's3' | 'dataDir'> & Partial<Pick<Config, 'pictureCacheBytes'>>;

interface Kept {
  bytes: Buffer | undefined;
}

const sizeOf = ({ bytes }: Kept) => bytes?.length ?? 0;

/** The files of pictures and models by their keys, on the local disk or in S3-compatible object storage. */
export class PictureFiles {
  #disk: Promise<Disk> | undefined;
  readonly #config: PlaceOfPictures;
  /** Widths that were read: object storage takes two requests for each, a disk six times the processor time. */
  readonly #kept: BoundedCache<Kept> | undefined;

  constructor(config: PlaceOfPictures) {
    this.#config = config;
    const { pictureCacheBytes = 0 } = config;
    if (pictureCacheBytes > 0) this.#kept = new BoundedCache(pictureCacheBytes, sizeOf, ({ bytes }) => bytes !== undefined);
  }

  /** Local disk or object storage, by one interface. */
  disk(): Promise<Disk> {
    this.#disk ??= diskOf(this.#config);
    return this.#disk;
  }

  /** A file's bytes, or undefined where there is none. Storage is asked once for each width, by all who want it meanwhile together. */
  async read(key: string): Promise<Buffer | undefined> {
    if (!this.#kept || !key.startsWith('widths/')) return this.#load(key);
    return (await this.#kept.getOrMake(key, async () => ({ bytes: await this.#load(key) }))).bytes;
  }

  /** Takes a picture's widths out of storage, and out of this process's memory. */
  async removeWidths(id: string): Promise<void> {
    await (await this.disk()).deleteAll(`widths/${id}`);
    this.#kept?.invalidate((key) => key.startsWith(`widths/${id}/`));
  }

  async #load(key: string): Promise<Buffer | undefined> {
    const disk = await this.disk();
    if (!(await disk.exists(key))) return undefined;
    const bytes = await disk.getBytes(key);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A reader never sees half of a file, which browsers would keep for good: storage puts whole objects; on disk it is written beside and renamed. */
  async put(key: string, bytes: Buffer, contentType: string): Promise<void> {
    const disk = await this.disk();
    if (this.#config.s3) return disk.put(key, bytes, { contentType });
    return this.#place(key, (part) => disk.put(part, bytes));
  }

  /** The same for a file of the shop's own making, which the system copies on disk. */
  async take(key: string, file: string, contentType: string): Promise<void> {
    if (this.#config.s3) return this.put(key, await readFile(file), contentType);
    const root = folderOf(this.#config);
    return this.#place(key, async (part) => {
      await mkdir(dirname(join(root, part)), { recursive: true });
      await copyFile(file, join(root, part));
    });
  }

  async #place(key: string, write: (part: string) => Promise<void>): Promise<void> {
    const root = folderOf(this.#config);
    const part = `parts/${randomUUID()}`;
    const place = join(root, key);
    try {
      await write(part);
      await mkdir(dirname(place), { recursive: true });
      await rename(join(root, part), place);
    } catch (error) {
      await rm(join(root, part), { force: true }).catch(() => undefined);
      throw error;
    }
  }
}
