import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Services } from '#server/context/services.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { inBatches } from '#server/platform/in-batches.ts';
import { escapeXml } from '#server/platform/markup.ts';
import { type FeedShop, feedItems, nextArrival, productsForFeed } from './feed-items.ts';

/** The longest age of the feed's stock. Making the feed of a large shop takes seconds of CPU. */
const FRESH_MS = 15 * 60_000;
/** Products per batch, with all their variants; a batch takes a few milliseconds. */
const BATCH = 100;

/** The feed as RSS 2.0, part by part. */
async function* feedOf(db: Db, shop: FeedShop): AsyncGenerator<string> {
  const { company, publicUrl } = shop;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>${escapeXml(company.shop)}</title><link>${escapeXml(publicUrl)}</link><description>${escapeXml(`All pieces of ${company.shop}`)}</description>\n`;
  const batches = inBatches((last: { id: string } | undefined, limit) => productsForFeed(db, last?.id, limit), BATCH);
  for await (const products of batches)
    for (const product of products) {
      const items = feedItems(product, shop);
      if (items) yield `${items}\n`;
    }
  yield '</channel></rss>\n';
}

export interface MadeFeed {
  path: string;
  etag: string;
  /** When it expires, in milliseconds since 1970: at the next arrival of a product, or when its stock is too old. */
  until: number;
}

/**
 * The feed as a compressed file, since it is too large for memory: a million products are several hundred megabytes. It is made again when products or
 * settings change, and when it expires. The previous file stays for requests that are about to read it.
 */
export class FeedFile {
  readonly #services: Pick<Services, 'config' | 'readDb' | 'facts'>;
  #folder: Promise<string> | undefined;
  #paths: string[] = [];
  /** The number of feeds that have expired: part of the cache key. */
  #expired = 0;

  constructor(services: Pick<Services, 'config' | 'readDb' | 'facts'>) {
    this.#services = services;
  }

  /** Opens the current file; the caller closes it. */
  async open(): Promise<{ file: FileHandle; etag: string }> {
    let made = await this.#current();
    if (made.until <= Date.now()) {
      this.#expired += 1;
      made = await this.#current();
    }
    const { path, etag } = made;
    return { file: await open(path), etag };
  }

  #current(): Promise<MadeFeed> {
    return this.#services.facts.getOrMake(`feed ${this.#expired}`, ['settings', 'products'], () => this.#make());
  }

  async #make(): Promise<MadeFeed> {
    const { readDb, config } = this.#services;
    this.#folder ??= mkdtemp(join(tmpdir(), 'shop-feed-'));
    const path = join(await this.#folder, `${newId()}.xml.gz`);
    const until = Math.min(await nextArrival(readDb), Date.now() + FRESH_MS);
    const hash = createHash('sha256');
    const parts = feedOf(readDb, config);
    const hashed = async function* () {
      for await (const part of parts) {
        hash.update(part);
        yield part;
      }
    };
    const unfinished = `${path}.part`;
    try {
      await pipeline(
        Readable.from(hashed(), { objectMode: true, highWaterMark: 8 }),
        createGzip({ level: 4 }),
        createWriteStream(unfinished),
      );
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await rename(unfinished, path);
    this.#paths.push(path);
    for (const old of this.#paths.splice(0, this.#paths.length - 2)) await rm(old, { force: true });
    return { path, etag: `"${hash.digest('base64url')}"`, until };
  }

  /** Removes the files. */
  async close(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
  }
}
