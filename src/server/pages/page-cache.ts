import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type CatalogueChange, EVERYTHING } from '#server/catalogue/version.service.ts';
import { requestId } from '#server/http/requests.ts';
import type { Services } from '#server/services.ts';
import { Shelf } from '#server/shelf.ts';

/** What is answered, before it is compressed. */
export interface Content {
  status: number;
  type: string;
  body: string;
  /** Where a redirect leads. */
  location?: string | undefined;
}

const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** A whole answer but for its request's id, which stands at ID in the headers: names and values in turn. */
interface Ready {
  /** The pattern of the address, for counts. */
  route: string;
  headers: string[];
  body: Buffer;
}
const ID = 1;

/** An answer as ready bytes in every encoding. */
interface Entry extends Record<Encoding, Buffer> {
  status: number;
  type: string;
  tag: string;
  location: string | undefined;
  /** The products that are named in it: moves of their stock may show. */
  products: Set<string>;
  /** With all headers, once the server has put them on a first answer. */
  ready?: Record<Encoding, Ready>;
}

/** Spellings of addresses that are remembered, and how long one may be. */
const ADDRESSES = 5_000;
const LONGEST_ADDRESS = 500;
const KEY = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

async function entryOf({ status, type, body, location }: Content): Promise<Entry> {
  const identity = Buffer.from(body);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  const [br, gz] = await Promise.all([brotli(identity, quality), zip(identity)]);
  const tag = `W/"${createHash('sha1').update(identity).digest('base64url')}"`;
  // A sitemap names products, but nothing that it says of them is about stock.
  const products = new Set(type.includes('xml') ? [] : body.match(KEY));
  return { status, type, location, tag, products, identity, gzip: gz, br };
}

/** The encoding to answer in: the smallest that is accepted. */
function encodingFor(accepted = ''): Encoding {
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? 'gzip' : 'identity';
}

/** The headers of this very answer that are the same in every other of the page, with those of each encoding. */
function readyOf(entry: Entry, reply: FastifyReply): Record<Encoding, Ready> {
  const route = reply.request.routeOptions.url ?? 'none';
  const own = /^(x-request-id|server-timing|content-(length|encoding|type)|access-control-.*)$/;
  const shared = Object.entries(reply.getHeaders()).flatMap(([name, value]) => (own.test(name) ? [] : [name, String(value)]));
  const make = (encoding: Encoding): Ready => {
    const body = entry[encoding];
    const encoded = encoding === 'identity' ? [] : ['content-encoding', encoding];
    const described = ['content-type', entry.type, 'content-length', String(body.length), ...encoded];
    return { route, body, headers: ['x-request-id', '', 'server-timing', 'cache;desc=hit', ...shared, ...described] };
  };
  return { br: make('br'), gzip: make('gzip'), identity: make('identity') };
}

/**
 * Ready answers of catalogue pages and catalogue JSON, in bounded memory. `forget` drops what a change may show in; what was being made then is
 * given to those who wait for it but not kept.
 */
export class PageCache {
  /** How many answers were there already, and how many had to be made. */
  readonly counts = { hit: 0, miss: 0 };
  readonly #entries: Shelf<Entry>;
  /** Keys by the addresses that were asked for as they were written. */
  readonly #keys = new LRUCache<string, string>({ max: ADDRESSES });

  /** Holds at most so many bytes; with 0, every answer is made anew. */
  constructor(maxBytes: number) {
    const sizeOf = ({ identity, gzip: gz, br, products }: Entry) => identity.length + gz.length + br.length + 100 * products.size;
    this.#entries = new Shelf(Math.max(1, maxBytes), sizeOf, ({ status }) => maxBytes > 0 && status === 200);
  }

  /** The catalogue has changed: nothing that may show it is answered from now on. */
  forget({ products, movesLists }: CatalogueChange = EVERYTHING): void {
    this.#entries.forget(
      (key, entry) =>
        !products ||
        !entry ||
        key.includes('by stock') ||
        (movesLists && /in stock|inStock=/.test(key)) ||
        products.some((id) => entry.products.has(id)),
    );
  }

  /** Answers from the cache, or with what `make` brings; requests that arrive together wait for one making. Only successes are kept. */
  async answer(key: string, request: FastifyRequest, reply: FastifyReply, make: () => Promise<Content>): Promise<FastifyReply> {
    const kept = this.#entries.find(key);
    this.counts[kept ? 'hit' : 'miss'] += 1;
    const entry = kept ?? (await this.#entries.read(key, async () => entryOf(await make())));
    reply.header('cache-control', 'no-cache').header('etag', entry.tag).header('vary', 'accept-encoding');
    if (entry.location) return reply.redirect(entry.location, entry.status);
    entry.ready ??= readyOf(entry, reply);
    const { url = '', method } = request.raw;
    if (method === 'GET' && url.length <= LONGEST_ADDRESS) this.#keys.set(url, key);
    reply.header('server-timing', `cache;desc=${kept ? 'hit' : 'miss'}`);
    if (request.headers['if-none-match']?.includes(entry.tag)) return reply.status(304).send();
    const encoding = encodingFor(String(request.headers['accept-encoding'] ?? ''));
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.status(entry.status).type(entry.type).send(entry[encoding]);
  }

  /**
   * Answers a request before the framework sees it, when everything about the answer is ready: the same headers and bytes as `answer` sends,
   * the same line in the log and the same count. Returns false when the framework must see to it.
   */
  handOut(request: IncomingMessage, response: ServerResponse, { log, metrics }: Pick<Services, 'log' | 'metrics'>): boolean {
    const { method, url = '', headers } = request;
    // What other sites may read depends on who asks.
    if (method !== 'GET' || headers.origin !== undefined) return false;
    const key = this.#keys.get(url);
    const entry = key === undefined ? undefined : this.#entries.find(key);
    if (!entry?.ready) return false;
    const start = performance.now();
    const ready = entry.ready[encodingFor(String(headers['accept-encoding'] ?? ''))];
    const reqId = requestId(request);
    ready.headers[ID] = reqId;
    const status = headers['if-none-match']?.includes(entry.tag) ? 304 : 200;
    if (status === 304) response.writeHead(status, without(ready.headers)).end();
    else response.writeHead(status, ready.headers).end(ready.body);
    this.counts.hit += 1;
    const ms = performance.now() - start;
    log.info({ reqId, method, path: url.split('?', 1)[0], status, ms: Math.round(ms) }, 'request');
    metrics.requestEnded(method, ready.route, status, ms / 1000);
    return true;
  }
}

/** The headers of an answer that sends no body. */
function without(headers: string[]): string[] {
  const end = headers.indexOf('content-type');
  return headers.slice(0, end);
}
