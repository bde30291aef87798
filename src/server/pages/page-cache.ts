import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** What is answered, before it is compressed. */
export interface Content {
  status: number;
  type: string;
  body: string;
  /** Where a redirect leads. */
  location?: string | undefined;
}

/** An answer as ready bytes in every encoding. */
interface Entry {
  status: number;
  type: string;
  tag: string;
  location: string | undefined;
  identity: Buffer;
  gzip: Buffer;
  br: Buffer;
}

const MAX_BYTES = 64 * 1024 * 1024;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

async function entryOf({ status, type, body, location }: Content): Promise<Entry> {
  const identity = Buffer.from(body);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  const [br, gz] = await Promise.all([brotli(identity, quality), zip(identity)]);
  return { status, type, location, tag: `W/"${createHash('sha1').update(identity).digest('base64url')}"`, identity, gzip: gz, br };
}

/**
 * Ready answers of catalogue pages and catalogue JSON, in bounded memory. Everything in it is of one version of the
 * catalogue: `forget` makes a new one, and what was being made for the old is given to those who wait for it but not kept.
 */
export class PageCache {
  /** How many answers were there already, and how many had to be made. */
  readonly counts = { hit: 0, miss: 0 };
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ identity, gzip, br }) => identity.length + gzip.length + br.length + 1,
  });
  readonly #making = new Map<string, Promise<Entry>>();
  readonly #onForget: () => void;

  /** @param onForget is called before anything is let go of: what is made from then on must be read from where the change is. */
  constructor(onForget: () => void = () => undefined) {
    this.#onForget = onForget;
  }

  /** The catalogue has changed: nothing older is answered from now on. */
  forget(): void {
    this.#onForget();
    this.#entries.clear();
    this.#making.clear();
  }

  /** Answers from the cache, or with what `make` brings; requests that arrive together wait for one making. Only successes are kept. */
  async answer(key: string, request: FastifyRequest, reply: FastifyReply, make: () => Promise<Content>): Promise<FastifyReply> {
    const kept = this.#entries.get(key);
    this.counts[kept ? 'hit' : 'miss'] += 1;
    const entry = kept ?? (await this.#make(key, make));
    reply
      .header('server-timing', `cache;desc=${kept ? 'hit' : 'miss'}`)
      .header('cache-control', 'no-cache')
      .header('etag', entry.tag)
      .header('vary', 'accept-encoding');
    if (entry.location) return reply.redirect(entry.location, entry.status);
    if (request.headers['if-none-match'] === entry.tag) return reply.status(304).send();
    const accepted = request.headers['accept-encoding'] ?? '';
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : 'identity';
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.status(entry.status).type(entry.type).send(entry[encoding]);
  }

  #make(key: string, make: () => Promise<Content>): Promise<Entry> {
    const running = this.#making.get(key);
    if (running) return running;
    const made = make().then(entryOf);
    this.#making.set(key, made);
    const settle = (entry?: Entry) => {
      if (this.#making.get(key) !== made) return;
      this.#making.delete(key);
      if (entry?.status === 200) this.#entries.set(key, entry);
    };
    made.then(settle, () => settle());
    return made;
  }
}
