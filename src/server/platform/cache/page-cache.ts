import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { BoundedCache } from '#server/platform/bounded-cache.ts';
import { requestId } from '#server/platform/request-id.ts';
import type { Semaphore } from '#server/platform/semaphore.ts';
import { type Recorder, recordAnswer } from '#server/platform/telemetry/request-log.ts';
import {
  bytesOf,
  type CachedAnswer,
  type Content,
  countRequest,
  encodingFor,
  headOf,
  makeSmall,
  prepare,
  type RouteHeaders,
} from './cached-answer.ts';
import { ANYTHING, type CatalogueChange, isStale } from './catalogue-changes.ts';

/** Limits of remembered URLs: bytes of all, and length of one. */
const URL_BYTES = 4 * 1024 * 1024;
const LONGEST_URL = 500;

/** The most surrogate keys of an answer: proxies take heads of some kilobytes, and a review may hold ids. */
const MOST_KEYS = 150;

/** How long an answer may take before the database is asked whether it is away. */
const PATIENCE_MS = 500;

/** Whether the database is away. */
interface Presence {
  /** As known so far. */
  readonly isAway: boolean;
  /** Asks the database; resolves within about a second. */
  findAway(): Promise<boolean>;
}
/** The places in which answers are made, and the network that asks for one. */
interface Turn {
  places: Semaphore;
  network: string;
}

interface Spelling {
  /** Whether the URL is spelled as the shop itself writes it. A cache in front would keep each other spelling once. */
  isPlain?: boolean;
}

const ALWAYS_THERE: Presence = { isAway: false, findAway: async () => false };

/** Headers of a single answer; all others are the same for every answer of a route. */
const PER_ANSWER_HEADER =
  /^(x-request-id|server-timing|etag|cache-control|surrogate-key|content-(length|encoding|type)|access-control-.*)$/;

/**
 * Caches catalogue pages and catalogue JSON in bounded memory (decision 81). `answer` finds an answer by the key of its normalised URL. After a
 * second request `answerAtOnce` finds it by its raw URL, before the framework runs.
 */
export class PageCache {
  readonly counts = { hit: 0, miss: 0, stale: 0 };
  readonly #answers: BoundedCache<CachedAnswer>;
  /** Answers that wait for their turn, by network and key. */
  readonly #waiting = new Map<string, Promise<CachedAnswer>>();
  /** Keys of answers by raw URL. */
  readonly #keys = new LRUCache<string, string>({
    maxSize: URL_BYTES,
    sizeCalculation: (key, url) => 2 * (key.length + url.length) + 200,
  });
  readonly #routeHeaders = new LRUCache<string, RouteHeaders>({ max: 100 });

  readonly #frontSeconds: number;
  readonly #database: Presence;
  /** When prices next change, in milliseconds since 1970. No cache in front may keep an answer for longer, even one that purges do not reach. */
  nextPriceChange = Infinity;

  /** With `maxBytes` 0 every answer is made again. A cache in front may keep answers for `frontSeconds`. */
  constructor(maxBytes: number, frontSeconds = 0, database = ALWAYS_THERE) {
    this.#frontSeconds = frontSeconds;
    this.#database = database;
    const isWorthKeeping = ({ mayBeKept, until }: CachedAnswer) => maxBytes > 0 && mayBeKept && (until === undefined || Date.now() < until);
    this.#answers = new BoundedCache(Math.max(1, maxBytes), bytesOf, isWorthKeeping);
  }

  get size(): number {
    return this.#answers.size;
  }

  /** Drops the answers that a change may affect. They stay in memory while there is room, to be sent while the database is away. */
  invalidate(change: CatalogueChange = ANYTHING): void {
    // The products named in an answer are not known until it is made.
    this.#answers.outdate((_, answer) => !answer || isStale(answer.dependencies, change));
  }

  /**
   * Answers from the cache or by `make`, which concurrent requests share (single flight). Only successes are kept. While the database is away, an
   * answer that a change has dropped is sent in place of one that cannot be made (decision 152). Each network waits for its own turn, so that nobody waits
   * in the queue of the one that asked first; but once an answer is being made, all share it.
   */
  async answer(
    key: string,
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<Content>,
    { isPlain = true, ...turn }: Turn & Spelling,
  ): Promise<FastifyReply> {
    const hit = this.#answers.get(key);
    const encoding = encodingFor(String(request.headers['accept-encoding'] ?? ''));
    const stale = hit ? undefined : this.#answers.getStale(key);
    const answer = hit ?? (await this.#newOr(stale, key, async () => prepare(await make(), encoding), turn));
    const source = hit ? 'hit' : answer === stale ? 'stale' : 'miss';
    this.counts[source] += 1;
    // A second request, or a waiting client with another encoding: thorough compression pays now.
    if (source !== 'miss' || !answer[encoding]) {
      await makeSmall(answer, encoding);
      this.#answers.weighAgain(key, answer);
    }
    const [control, keys] = isPlain ? this.#forCaches(key, answer) : ['no-cache'];
    reply.header('cache-control', control).header('etag', answer.etag).header('vary', varyOf(reply));
    if (keys) reply.header('surrogate-key', keys);
    if (answer.location) return reply.redirect(answer.location, answer.status);
    // Most URLs of a large shop are asked for once, so only the second request remembers the URL.
    if (hit && this.#answers.get(key) && (isPlain || this.#frontSeconds === 0)) this.#remember(key, answer, request, reply);
    reply.header('server-timing', `cache;desc=${source}`);
    if (request.headers['if-none-match']?.includes(answer.etag)) return reply.status(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.status(answer.status).type(answer.type).send(answer[encoding]);
  }

  /** A new answer, or the stale one while the database is away. */
  async #newOr(stale: CachedAnswer | undefined, key: string, make: () => Promise<CachedAnswer>, turn: Turn): Promise<CachedAnswer> {
    if (stale && this.#database.isAway) return stale;
    const making = this.#answers.makingOf(key) ?? this.#inTurn(key, make, turn);
    const success = making.then(
      ({ status }) => status < 500,
      () => false,
    );
    while (stale) {
      // A statement on a frozen database neither ends nor fails, so the database is asked while we wait.
      const isSuccess = await Promise.race([success, setTimeout(PATIENCE_MS, undefined, { ref: false })]);
      const isStillMade = isSuccess === undefined;
      if (!isSuccess && (await this.#database.findAway())) return stale;
      if (!isStillMade) break;
    }
    const answer = await making;
    // If the page is gone or has no product any more, the stale answer must not be sent later.
    if (!answer.mayBeKept && answer.status < 500) this.#answers.delete(key);
    return answer;
  }

  /** Makes an answer when it is its network's turn, for all requests of that network; or takes the one that has been made meanwhile. */
  #inTurn(key: string, make: () => Promise<CachedAnswer>, { places, network }: Turn): Promise<CachedAnswer> {
    const name = `${network} ${key}`;
    const pending = this.#waiting.get(name);
    if (pending) return pending;
    const waiting = places.run(network, () => this.#answers.getOrMake(key, make)).finally(() => this.#waiting.delete(name));
    this.#waiting.set(name, waiting);
    return waiting;
  }

  /** Lets `answerAtOnce` find the answer by its raw URL. */
  #remember(key: string, answer: CachedAnswer, { raw }: FastifyRequest, reply: FastifyReply): void {
    const { url = '', method } = raw;
    if (method !== 'GET' || url.length > LONGEST_URL) return;
    answer.routeHeaders ??= this.#routeHeadersOf(reply);
    this.#keys.set(url, key);
  }

  /**
   * The cache headers of an answer. Browsers revalidate it each time. A cache in front may keep it until it is purged or expires, but only if it is
   * cached here too: then nothing changed while it was made.
   */
  #forCaches(key: string, answer: CachedAnswer): [control: string, keys?: string] {
    if (this.#frontSeconds === 0 || answer.dependencies.size > MOST_KEYS || this.#answers.get(key) !== answer) return ['no-cache'];
    const secondsLeft = Math.floor((Math.min(answer.until ?? Infinity, this.nextPriceChange) - Date.now()) / 1000);
    answer.surrogateKeys ??= [...answer.dependencies].join(' ');
    return [`public, max-age=0, must-revalidate, s-maxage=${Math.max(0, Math.min(this.#frontSeconds, secondsLeft))}`, answer.surrogateKeys];
  }

  /** The headers that every answer of this route has, as one object for all of them. */
  #routeHeadersOf(reply: FastifyReply): RouteHeaders {
    const route = reply.request.routeOptions.url ?? 'none';
    const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      PER_ANSWER_HEADER.test(name) ? [] : [name, String(value)],
    );
    const name = JSON.stringify([route, headers]);
    const shared = this.#routeHeaders.get(name) ?? { route, headers };
    this.#routeHeaders.set(name, shared);
    return shared;
  }

  /**
   * Answers a request from the cache before the framework runs, with the same headers, bytes, log line and metrics as `answer`. Returns false if the
   * framework must answer.
   */
  answerAtOnce(request: IncomingMessage, response: ServerResponse, recorder: Recorder): boolean {
    const { method, url = '', headers } = request;
    // With an origin the CORS headers differ by client.
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
    void countRequest(answer, encoding)?.then(() => this.#answers.weighAgain(key, answer));
    const { route } = answer.routeHeaders;
    recordAnswer(recorder, { reqId, method, url, route, status, ms: performance.now() - start, isCached: true });
    return true;
  }
}

/** Adds the encoding to `Vary`, which CORS may have set. */
export function varyOf(reply: FastifyReply): string {
  const before = reply.getHeader('vary');
  return before ? `${before}, accept-encoding` : 'accept-encoding';
}
