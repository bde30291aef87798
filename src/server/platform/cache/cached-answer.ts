import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { type Dependency, dependenciesOf } from './catalogue-changes.ts';

/** An answer before it is compressed. */
export interface Content {
  status: number;
  type: string;
  body: string;
  /** The target of a redirect. */
  location?: string | undefined;
  dependsOn: readonly Dependency[];
  /**
   * Whether an answer that names no product is cached. False for URLs with free parameters (a page past the end, a search without results): there are
   * infinitely many.
   */
  keepEmpty: boolean;
  /** Whether the URL names something that does not exist, such as a size that the product does not have: never cached. */
  isInvented?: boolean | undefined;
  /** ISO time at which it expires; undefined if only a change of the catalogue makes it stale. */
  until?: string | undefined;
}

const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** The headers that the framework and its hooks add to every answer of a route, shared by all its cached answers. */
export interface RouteHeaders {
  /** The route's pattern, for metrics. */
  route: string;
  /** Alternating names and values. */
  headers: readonly string[];
}

/** An answer, uncompressed and in the encodings that were asked for. */
export interface CachedAnswer {
  identity: Buffer;
  br?: Buffer;
  gzip?: Buffer;
  /** The encodings that are thoroughly compressed: those that were asked for twice. */
  small: Set<Encoding>;
  /** How often it was asked for from the cache, up to `POPULAR`. */
  requests: number;
  /** Thorough compression that has begun, by encoding. */
  compressing: Partial<Record<Encoding, Promise<void>>>;
  status: number;
  type: string;
  etag: string;
  location: string | undefined;
  /** False for errors, for invented URLs, and for answers without a product at URLs with free parameters. */
  mayBeKept: boolean;
  /** When it expires, in milliseconds since 1970. */
  until: number | undefined;
  /** The names and ids of changes that make it stale. */
  dependencies: ReadonlySet<string>;
  /** Set at the second request. */
  routeHeaders?: RouteHeaders;
  /** The keys by which a cache in front purges it. */
  surrogateKeys?: string;
  /** Prepared heads by encoding; `none` is for an answer without a body. */
  heads: Partial<Record<Encoding | 'none', readonly string[]>>;
}

/** Memory of an answer besides its bytes, and of each dependency; the drill `page-memory` compares both with measurements. */
const ANSWER_BYTES = 1_000;
const DEPENDENCY_BYTES = 100;
/** An id from its first hyphen on: eight times faster to search for than a whole id. */
const REST_OF_ID = /-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const START_OF_ID = /^[\da-f]{8}-/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Memory of an answer in bytes. */
export const bytesOf = ({ br, gzip: gz, identity, dependencies }: CachedAnswer) =>
  ANSWER_BYTES + (br?.length ?? 0) + (gz?.length ?? 0) + identity.length + DEPENDENCY_BYTES * dependencies.size;

/** Bytes in a buffer of their own: small buffers of Node and zlib are slices that retain 8 or 16 KB. */
function packed(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const exact = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(exact);
  return exact;
}

/**
 * Brotli's options, with a window of the input's size, by default the next larger one: setting up Brotli's default window costs a short answer more than
 * compressing it.
 */
function brotliOf(bytes: Buffer, quality: number, rounded = Math.ceil): BrotliOptions {
  const window = rounded(Math.log2(Math.max(bytes.length + 16, 2 ** constants.BROTLI_MIN_WINDOW_BITS)));
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(window, constants.BROTLI_DEFAULT_WINDOW),
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  };
}

/** Brotli's quality for the first client: a page of the usual size costs a fifth of the time of `PAGE_QUALITY`. */
const QUICK_QUALITY = 2;
/** For a larger page, so that with its head it is below the 14,600 bytes that arrive without another round trip. */
const PAGE_QUALITY = 5;
/** A page up to this size is below them in either quality: it is compressed to little more than a quarter. */
const SMALL_PAGE = 48_000;

/**
 * Compresses for the first client, since most URLs of a large shop are asked for once. Synchronous, since handing an answer to a thread and back takes
 * longer than the 0.2 ms of compressing data.
 */
export function compressFirst(bytes: Buffer, encoding: Exclude<Encoding, 'identity'>, type: string): Buffer {
  if (encoding === 'gzip') return gzipSync(bytes, { level: 1 });
  // The nearest window: for most product pages 64 KB, with which Brotli takes smaller tables and a third less time for as few bytes.
  const isLargePage = type.startsWith('text/html') && bytes.length > SMALL_PAGE;
  const options = isLargePage ? brotliOf(bytes, PAGE_QUALITY, Math.round) : brotliOf(bytes, QUICK_QUALITY);
  return brotliCompressSync(bytes, options);
}

/** Compresses well, for answers that are asked for again. */
const compressThoroughly = (bytes: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> =>
  encoding === 'gzip' ? zip(bytes, { level: 6 }) : brotli(bytes, brotliOf(bytes, 7));

/** Compresses an answer thoroughly in an encoding; concurrent callers share the work. */
export async function makeSmall(answer: CachedAnswer, encoding: Encoding): Promise<void> {
  if (encoding === 'identity' || answer.small.has(encoding)) return;
  answer.compressing[encoding] ??= compressThoroughly(answer.identity, encoding).then((bytes) => {
    answer[encoding] = packed(bytes);
    answer.small.add(encoding);
  });
  await answer.compressing[encoding];
}

/** A page that was asked for as often is compressed as small as it gets: 25 ms in a thread, for 8 % less, often a round trip. */
const POPULAR = 10;

/** Counts a request for a cached answer. Returns when a page that has become popular is smaller; undefined for any other. */
export function countRequest(answer: CachedAnswer, encoding: Encoding): Promise<void> | undefined {
  if (encoding !== 'br' || answer.requests === POPULAR || !answer.type.startsWith('text/html')) return undefined;
  answer.requests += 1;
  if (answer.requests < POPULAR) return undefined;
  return brotli(answer.identity, brotliOf(answer.identity, constants.BROTLI_MAX_QUALITY - 1)).then((bytes) => {
    answer.br = packed(bytes);
    delete answer.heads.br;
  });
}

/** Copies a part of a text: a slice would retain the whole text. */
const copyOf = (part: string) => Buffer.from(part, 'latin1').toString('latin1');

function idsIn(text: string): Set<string> {
  const ids = new Set<string>();
  for (const { index } of text.matchAll(REST_OF_ID)) {
    const id = text.slice(Math.max(0, index - 8), index + 28);
    if (START_OF_ID.test(id) && !ids.has(id)) ids.add(copyOf(id));
  }
  return ids;
}

/** Prepares an answer, compressed for its first client. */
export function prepare(
  { status, type, body, location, dependsOn, keepEmpty, isInvented = false, until }: Content,
  encoding: Encoding,
): CachedAnswer {
  const identity = packed(Buffer.from(body));
  const etag = `W/"${createHash('sha1').update(identity).digest('base64url')}"`;
  const namedIds = dependsOn.includes('named') ? idsIn(body) : new Set<string>();
  const small = new Set<Encoding>(['identity']);
  const answer: CachedAnswer = {
    identity,
    small,
    requests: 0,
    compressing: {},
    status,
    type,
    location,
    etag,
    mayBeKept: status === 200 && !isInvented && (keepEmpty || namedIds.size > 0),
    dependencies: dependenciesOf(dependsOn, namedIds),
    until: until ? Date.parse(until) : undefined,
    heads: {},
  };
  if (encoding !== 'identity') answer[encoding] = packed(compressFirst(identity, encoding, type));
  return answer;
}

/** What differs from one response to the next. */
interface Sending {
  encoding: Encoding | 'none';
  requestId: string;
  cacheControl: string;
}

/** The head of a response as alternating names and values: built once, then copied. */
export function headOf(answer: CachedAnswer, { encoding, requestId, cacheControl }: Sending): string[] {
  answer.heads[encoding] ??= [
    ...['x-request-id', '', 'cache-control', '', 'server-timing', 'cache;desc=hit', 'etag', answer.etag],
    ...(answer.surrogateKeys ? ['surrogate-key', answer.surrogateKeys] : []),
    ...(answer.routeHeaders?.headers ?? []),
    ...(encoding === 'none' ? [] : ['content-type', answer.type, 'content-length', String(answer[encoding]?.length)]),
    ...(encoding === 'none' || encoding === 'identity' ? [] : ['content-encoding', encoding]),
  ];
  const head = answer.heads[encoding].slice();
  head[1] = requestId;
  head[3] = cacheControl;
  return head;
}

/** Matches an `accept-encoding` header that does not rule the encoding out. */
const accepting = (encoding: Encoding) => new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`);
const BROTLI = accepting('br');
export const GZIP = accepting('gzip');

/** The best encoding that a request accepts. */
export function encodingFor(accepted = ''): Encoding {
  if (BROTLI.test(accepted)) return 'br';
  return GZIP.test(accepted) ? 'gzip' : 'identity';
}
