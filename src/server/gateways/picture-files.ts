import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { Disk, type DriveFile } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { Problem } from '#contract/platform/problem.ts';
import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { BUDGETS } from '#server/platform/budgets.ts';
import type { Config } from '#server/platform/settings/config.ts';

const folderOf = ({ dataDir }: Pick<Config, 'dataDir'>) => resolve(dataDir, 'pictures');

/** Loads the S3 client only if configured: 15 MB, and a sixth of a second per start. */
export async function diskOf({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Promise<Disk> {
  if (!s3) return new Disk(new FSDriver({ location: folderOf({ dataDir }), visibility: 'public' }));
  const { S3Driver } = await import('flydrive/drivers/s3');
  return new Disk(
    new S3Driver({
      credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
      region: s3.region,
      bucket: s3.bucket,
      visibility: 'private',
      supportsACL: false,
      // Storage with an older protocol corrupts streamed checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      // Without these a bucket that does not answer holds its callers without end.
      requestHandler: { connectionTimeout: BUDGETS.storageConnection, requestTimeout: BUDGETS.storage, throwOnRequestTimeout: true },
      ...(s3.endpoint && { endpoint: s3.endpoint, forcePathStyle: true }),
    }),
  );
}

/** The files whose keys begin with a prefix. */
export async function* filesOf(disk: Disk, prefix: string): AsyncGenerator<DriveFile> {
  let paginationToken: string | undefined;
  do {
    const page = await disk.listAll(prefix, { recursive: true, ...(paginationToken && { paginationToken }) });
    for (const entry of page.objects) if (entry.isFile) yield entry;
    paginationToken = page.paginationToken;
  } while (paginationToken);
}

/** Where pictures are stored, and the bytes of memory for cached widths (0 by default). */
export type PlaceOfPictures = Pick<Config, 's3' | 'dataDir'> & Partial<Pick<Config, 'pictureCacheBytes'>>;

interface CachedFile {
  bytes: Buffer | undefined;
}

const sizeOf = ({ bytes }: CachedFile) => bytes?.length ?? 0;

/** Files of pictures and models by key, on the local disk or in S3-compatible object storage. */
export class PictureFiles {
  #disk: Promise<Disk> | undefined;
  readonly #config: PlaceOfPictures;
  /** Cached widths: object storage takes two requests for each, a disk 6× the processor time. */
  readonly #widths: BoundedCache<CachedFile> | undefined;

  constructor(config: PlaceOfPictures) {
    this.#config = config;
    const { pictureCacheBytes = 0 } = config;
    if (pictureCacheBytes > 0) this.#widths = new BoundedCache(pictureCacheBytes, sizeOf, ({ bytes }) => bytes !== undefined);
  }

  disk(): Promise<Disk> {
    this.#disk ??= diskOf(this.#config);
    return this.#disk;
  }

  /** A file's bytes, or undefined. Single flight: concurrent reads of one width share one request. */
  async read(key: string): Promise<Buffer | undefined> {
    if (!this.#widths || !key.startsWith('widths/')) return this.#load(key);
    return (await this.#widths.getOrMake(key, async () => ({ bytes: await this.#load(key) }))).bytes;
  }

  /** Removes a picture's widths from storage and from this process's cache. */
  async removeWidths(id: string): Promise<void> {
    await (await this.disk()).deleteAll(`widths/${id}`);
    this.#widths?.invalidate((key) => key.startsWith(`widths/${id}/`));
  }

  async #load(key: string): Promise<Buffer | undefined> {
    const bytes = await this.#ifStored(key, (disk) => disk.getBytes(key));
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The bytes of a large file as they are read, with their number, or undefined: a slow reader holds little of it in memory. */
  stream(key: string): Promise<{ body: Readable; length: number } | undefined> {
    return this.#ifStored(key, async (disk) => {
      const { contentLength: length } = await disk.getMetaData(key);
      return { body: await disk.getStream(key), length };
    });
  }

  /** Throws 503 if the storage does not answer. */
  async #ifStored<T>(key: string, read: (disk: Disk) => Promise<T>): Promise<T | undefined> {
    const disk = await this.disk();
    try {
      return (await disk.exists(key)) ? await read(disk) : undefined;
    } catch (cause) {
      throw Object.assign(new Problem(503, 'This file cannot be read right now. Please try again in a moment.', undefined, 5), { cause });
    }
  }

  /** Atomic, since browsers would keep half a file for good: object storage puts whole objects, a disk gets a temporary file that is renamed. */
  async put(key: string, bytes: Buffer, contentType: string): Promise<void> {
    const disk = await this.disk();
    if (this.#config.s3) return disk.put(key, bytes, { contentType });
    return this.#writeAtomically(key, (temporaryKey) => disk.put(temporaryKey, bytes));
  }

  /** Like `put`, for a file on disk, which the system copies. */
  async putFile(key: string, file: string, contentType: string): Promise<void> {
    if (this.#config.s3) return this.put(key, await readFile(file), contentType);
    const root = folderOf(this.#config);
    return this.#writeAtomically(key, async (temporaryKey) => {
      await mkdir(dirname(join(root, temporaryKey)), { recursive: true });
      await copyFile(file, join(root, temporaryKey));
    });
  }

  async #writeAtomically(key: string, write: (temporaryKey: string) => Promise<void>): Promise<void> {
    const root = folderOf(this.#config);
    const temporaryKey = `parts/${randomUUID()}`;
    const target = join(root, key);
    try {
      await write(temporaryKey);
      await mkdir(dirname(target), { recursive: true });
      await rename(join(root, temporaryKey), target);
    } catch (error) {
      await rm(join(root, temporaryKey), { force: true }).catch(() => undefined);
      throw error;
    }
  }
}
