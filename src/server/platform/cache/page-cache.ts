import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { requestId } from '#server/platform/request-id.ts';
import { type Recorder, recordAnswer } from '#server/platform/telemetry/request-log.ts';
import { bytesOf, type CachedAnswer, type Content, encodingFor, headOf, makeSmall, prepare, type RouteHeaders } from './cached-answer.ts';
import { ANYTHING, type CatalogueChange, isStale } from './catalogue-changes.ts';

/** Bytes of addresses that are remembered, and how long one may be. */
const ADDRESS_BYTES = 4 * 1024 * 1024;
const LONGEST_ADDRESS = 500;

/** Headers that belong to one answer; all others are the same in every answer of the route. */
const OWN_HEADER = /^(x-request-id|server-timing|etag|cache-control|surrogate-key|content-(length|encoding|type)|access-control-.*)$/;

/**
 * Ready answers of catalogue pages and catalogue JSON, in bounded memory (decision 81). An answer is kept under what its address means
 * (`answer`). Once it has been asked for again, its address as it was written leads to it without the framework (`answerAtOnce`).
 */
export class PageCache {
  /** How many answers were there already, and how many had to be made. */
  readonly counts = { hit: 0, miss: 0 };
  readonly #answers: BoundedCache<CachedAnswer>;
  /** Keys of answers, by addresses as they were written. */
  readonly #keys = new LRUCache<string, string>({
    maxSize: ADDRESS_BYTES,
    sizeCalculation: (key, address) => 2 * (key.length + address.length) + 200,
  });
  readonly #routeHeaders = new LRUCache<string, RouteHeaders>({ max: 100 });

  readonly #frontSeconds: number;

  /** Holds at most so many bytes; with 0, every answer is made anew. A cache in front may keep what is held for so many seconds. */
  constructor(maxBytes: number, frontSeconds = 0) {
    this.#frontSeconds = frontSeconds;
    const isWorthKeeping = ({ mayBeKept, until }: CachedAnswer) => maxBytes > 0 && mayBeKept && (until === undefined || Date.now() < until);
    this.#answers = new BoundedCache(Math.max(1, maxBytes), bytesOf, isWorthKeeping);
  }

  /** How many answers are held. */
  get size(): number {
    return this.#answers.size;
  }

  /** Drops the answers in which a change may show. */
  invalidate(change: CatalogueChange = ANYTHING): void {
    // What is named in an answer is not known until it is made.
    this.#answers.invalidate((_, answer) => !answer || isStale(answer.dependencies, change));
  }

  /** Answers from the cache, or with what `make` makes: once for all who ask meanwhile (single flight). Only successes are kept. */
  async answer(key: string, request: FastifyRequest, reply: FastifyReply, make: () => Promise<Content>): Promise<FastifyReply> {
    const hit = this.#answers.get(key);
    this.counts[hit ? 'hit' : 'miss'] += 1;
    const encoding = encodingFor(String(request.headers['accept-encoding'] ?? ''));
    const answer = hit ?? (await this.#answers.getOrMake(key, async () => prepare(await make(), encoding)));
    // Asked for again, or in another encoding by somebody who waited for it: it is worth more work now.
    if (hit || !answer[encoding]) {
      await makeSmall(answer, encoding);
      this.#answers.weighAgain(key, answer);
    }
    const [control, keys] = this.#forCaches(key, answer);
    reply.header('cache-control', control).header('etag', answer.etag).header('vary', varyOf(reply));
    if (keys) reply.header('surrogate-key', keys);
    if (answer.location) return reply.redirect(answer.location, answer.status);
    // Most addresses of a large shop are asked for once: the way past the framework is laid for those that are asked for again.
    if (hit && this.#answers.get(key)) this.#remember(key, answer, request, reply);
    reply.header('server-timing', `cache;desc=${hit ? 'hit' : 'miss'}`);
    if (request.headers['if-none-match']?.includes(answer.etag)) return reply.status(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.status(answer.status).type(answer.type).send(answer[encoding]);
  }

  /** From now on this address, as it was written, leads to the answer without the framework. */
  #remember(key: string, answer: CachedAnswer, { raw }: FastifyRequest, reply: FastifyReply): void {
    const { url = '', method } = raw;
    if (method !== 'GET' || url.length > LONGEST_ADDRESS) return;
    answer.routeHeaders ??= this.#routeHeadersOf(reply);
    this.#keys.set(url, key);
  }

  /**
   * What caches are told of an answer: browsers ask each time whether it is still right. One in front may keep it until it is told of a change
   * of one of its keys, or its time is over; but only what is held here, since during whose making nothing has changed.
   */
  #forCaches(key: string, answer: CachedAnswer): [control: string, keys?: string] {
    if (this.#frontSeconds === 0 || this.#answers.get(key) !== answer) return ['no-cache'];
    const left = answer.until === undefined ? this.#frontSeconds : Math.floor((answer.until - Date.now()) / 1000);
    answer.surrogateKeys ??= [...answer.dependencies].join(' ');
    return [`public, max-age=0, must-revalidate, s-maxage=${Math.min(this.#frontSeconds, left)}`, answer.surrogateKeys];
  }

  /** The headers of this answer that are the same in every answer of its route. */
  #routeHeadersOf(reply: FastifyReply): RouteHeaders {
    const route = reply.request.routeOptions.url ?? 'none';
    const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => (OWN_HEADER.test(name) ? [] : [name, String(value)]));
    const name = JSON.stringify([route, headers]);
    const known = this.#routeHeaders.get(name) ?? { route, headers };
    this.#routeHeaders.set(name, known);
    return known;
  }

  /**
   * Answers a request before the framework sees it, where the answer is ready: with the same headers and bytes as `answer`, the same line in
   * the log and the same count. Returns false when the framework must see to it.
   */
  answerAtOnce(request: IncomingMessage, response: ServerResponse, recorder: Recorder): boolean {
    const { method, url = '', headers } = request;
    // With an origin the headers differ by who asks (CORS).
    if (method !== 'GET' || headers.origin !== undefined) return false;
    const key = this.#keys.get(url);
    const answer = key === undefined ? undefined : this.#answers.get(key);
    const encoding = encodingFor(String(headers['accept-encoding'] ?? ''));
    if (key === undefined || !answer?.routeHeaders || !answer.small.has(encoding)) return false;
    const start = performance.now();
    const reqId = requestId(request);
    const [cacheControl] = this.#forCaches(key, answer);
    const status = headers['if-none-match']?.includes(answer.etag) ? 304 : 200;
    const head = headOf(answer, { encoding: status === 304 ? 'none' : encoding, requestId: reqId, cacheControl });
    response.writeHead(status, head).end(status === 304 ? undefined : answer[encoding]);
    this.counts.hit += 1;
    const { route } = answer.routeHeaders;
    recordAnswer(recorder, { reqId, method, url, route, status, ms: performance.now() - start, isCached: true });
    return true;
  }
}

/** What an answer depends on besides its address: the encoding, and what was set before (who may read it, by CORS). */
function varyOf(reply: FastifyReply): string {
  const before = reply.getHeader('vary');
  return before ? `${before}, accept-encoding` : 'accept-encoding';
}
