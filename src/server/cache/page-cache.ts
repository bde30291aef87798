import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { BoundedCache } from '#server/base/bounded-cache.ts';
import type { Log } from '#server/base/log.ts';
import { requestId } from '#server/base/request-id.ts';
import type { Metrics } from '#server/metrics/metrics.ts';
import { type CatalogueChange, EVERYTHING } from './catalogue-changes.ts';

/** What is answered, before it is compressed. */
export interface Content {
  status: number;
  type: string;
  body: string;
  /** Where a redirect leads. */
  location?: string | undefined;
  /**
   * Whether it is kept when it names no product. False where the address holds what anybody may choose (a page past the end, a search that
   * finds nothing): no list leads there, and there is no end of such addresses.
   */
  keepEmpty: boolean;
}

const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** What the server adds to every answer of a route: names and values in turn. Shared by all entries, since it is the same for them. */
interface Common {
  /** The pattern of the address, for counts. */
  route: string;
  headers: readonly string[];
}

/** An answer as ready bytes in every encoding, all three in one exact piece of memory. */
interface Entry extends Record<Encoding, Buffer> {
  status: number;
  type: string;
  tag: string;
  location: string | undefined;
  keepEmpty: boolean;
  /** The products that are named in it: moves of their stock may show. */
  products: Set<string>;
  /** Known once the framework has sent a first answer. */
  common?: Common;
}

/** Bytes of spellings of addresses that are remembered, and how long one may be. */
const ADDRESS_BYTES = 4 * 1024 * 1024;
const LONGEST_ADDRESS = 500;
/** What an entry holds besides its bytes, and what each product named in it does; `page-memory.test.ts` holds both to what is measured. */
const ENTRY_BYTES = 1_000;
const PRODUCT_BYTES = 100;
const KEY = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Copies into one allocation of exactly that size: a small buffer of Node's, or of zlib's, keeps the 8 or 16 KB alive that it was cut from. */
function packed(br: Buffer, gz: Buffer, identity: Buffer): Record<Encoding, Buffer> {
  const bytes = Buffer.allocUnsafeSlow(br.length + gz.length + identity.length);
  br.copy(bytes);
  gz.copy(bytes, br.length);
  identity.copy(bytes, br.length + gz.length);
  return {
    br: bytes.subarray(0, br.length),
    gzip: bytes.subarray(br.length, br.length + gz.length),
    identity: bytes.subarray(br.length + gz.length),
  };
}

/** A part of a text as a string of its own: what `match` returns keeps the whole text alive. */
const own = (part: string) => Buffer.from(part, 'latin1').toString('latin1');

async function entryOf({ status, type, body, location, keepEmpty }: Content): Promise<Entry> {
  const identity = Buffer.from(body);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } };
  const [br, gz] = await Promise.all([brotli(identity, quality), zip(identity)]);
  const tag = `W/"${createHash('sha1').update(identity).digest('base64url')}"`;
  // A sitemap names products, but nothing that it says of them is about stock.
  const products = new Set(type.includes('xml') ? [] : [...new Set(body.match(KEY))].map(own));
  return { status, type, location, tag, keepEmpty, products, ...packed(br, gz, identity) };
}

const bytesOf = ({ br, gzip: gz, identity, products }: Entry) =>
  ENTRY_BYTES + br.length + gz.length + identity.length + PRODUCT_BYTES * products.size;

/** The encoding to answer in: the smallest that is accepted. */
function encodingFor(accepted = ''): Encoding {
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? 'gzip' : 'identity';
}

/** Headers that are one answer's own; all others are the same in every answer of the route. */
const OWN_HEADER = /^(x-request-id|server-timing|etag|content-(length|encoding|type)|access-control-.*)$/;

/**
 * Ready answers of catalogue pages and catalogue JSON, in bounded memory. `forget` drops what a change may show in; what was being made then is
 * given to those who wait for it but not kept.
 */
export class PageCache {
  /** How many answers were there already, and how many had to be made. */
  readonly counts = { hit: 0, miss: 0 };
  readonly #entries: BoundedCache<Entry>;
  /** Keys by the addresses that were asked for as they were written. */
  readonly #keys = new LRUCache<string, string>({
    maxSize: ADDRESS_BYTES,
    sizeCalculation: (key, address) => 2 * (key.length + address.length) + 200,
  });
  readonly #commons = new LRUCache<string, Common>({ max: 100 });

  /** Holds at most so many bytes; with 0, every answer is made anew. */
  constructor(maxBytes: number) {
    const isWorthKeeping = ({ status, keepEmpty, products }: Entry) => maxBytes > 0 && status === 200 && (keepEmpty || products.size > 0);
    this.#entries = new BoundedCache(Math.max(1, maxBytes), bytesOf, isWorthKeeping);
  }

  /** How many answers are held. */
  get size(): number {
    return this.#entries.size;
  }

  /** The catalogue has changed: nothing that may show it is answered from now on. */
  forget({ products, movesLists }: CatalogueChange = EVERYTHING): void {
    this.#entries.forget(
      (key, entry) => !products || !entry || (movesLists && /in stock|inStock=/.test(key)) || products.some((id) => entry.products.has(id)),
    );
  }

  /** Answers from the cache, or with what `make` brings; requests that arrive together wait for one making. Only successes are kept. */
  async answer(key: string, request: FastifyRequest, reply: FastifyReply, make: () => Promise<Content>): Promise<FastifyReply> {
    const kept = this.#entries.find(key);
    this.counts[kept ? 'hit' : 'miss'] += 1;
    const entry = kept ?? (await this.#entries.read(key, async () => entryOf(await make())));
    reply.header('cache-control', 'no-cache').header('etag', entry.tag).header('vary', varyOf(reply));
    if (entry.location) return reply.redirect(entry.location, entry.status);
    entry.common ??= this.#commonOf(reply);
    const { url = '', method } = request.raw;
    if (method === 'GET' && url.length <= LONGEST_ADDRESS && this.#entries.find(key)) this.#keys.set(url, key);
    reply.header('server-timing', `cache;desc=${kept ? 'hit' : 'miss'}`);
    if (request.headers['if-none-match']?.includes(entry.tag)) return reply.status(304).send();
    const encoding = encodingFor(String(request.headers['accept-encoding'] ?? ''));
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.status(entry.status).type(entry.type).send(entry[encoding]);
  }

  /** The headers of this very answer that are the same in every other: one list for all entries that share them. */
  #commonOf(reply: FastifyReply): Common {
    const route = reply.request.routeOptions.url ?? 'none';
    const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => (OWN_HEADER.test(name) ? [] : [name, String(value)]));
    const name = JSON.stringify([route, headers]);
    const known = this.#commons.get(name);
    if (known) return known;
    const common = { route, headers };
    this.#commons.set(name, common);
    return common;
  }

  /**
   * Answers a request before the framework sees it, when everything about the answer is ready: the same headers and bytes as `answer` sends,
   * the same line in the log and the same count. Returns false when the framework must see to it.
   */
  handOut(request: IncomingMessage, response: ServerResponse, { log, metrics }: { log: Log; metrics: Metrics }): boolean {
    const { method, url = '', headers } = request;
    // What other sites may read depends on who asks.
    if (method !== 'GET' || headers.origin !== undefined) return false;
    const key = this.#keys.get(url);
    const entry = key === undefined ? undefined : this.#entries.find(key);
    if (!entry?.common) return false;
    const start = performance.now();
    const reqId = requestId(request);
    const head = ['x-request-id', reqId, 'server-timing', 'cache;desc=hit', ...entry.common.headers, 'etag', entry.tag];
    const status = headers['if-none-match']?.includes(entry.tag) ? 304 : 200;
    if (status === 304) response.writeHead(status, head).end();
    else {
      const encoding = encodingFor(String(headers['accept-encoding'] ?? ''));
      const body = entry[encoding];
      head.push('content-type', entry.type, 'content-length', String(body.length));
      if (encoding !== 'identity') head.push('content-encoding', encoding);
      response.writeHead(status, head).end(body);
    }
    this.counts.hit += 1;
    const ms = performance.now() - start;
    log.info({ reqId, method, path: url.split('?', 1)[0], status, ms: Math.round(ms) }, 'request');
    metrics.requestEnded(method, entry.common.route, status, ms / 1000);
    return true;
  }
}

/** What an answer depends on besides its address: the encoding, and what was said before (who may read it, by CORS). */
function varyOf(reply: FastifyReply): string {
  const said = reply.getHeader('vary');
  return said ? `${said}, accept-encoding` : 'accept-encoding';
}
