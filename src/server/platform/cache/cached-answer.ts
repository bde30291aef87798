import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { type Dependency, dependenciesOf } from './catalogue-changes.ts';

/** An answer before it is compressed. */
export interface Content {
  status: number;
  type: string;
  body: string;
  /** Where a redirect leads. */
  location?: string | undefined;
  dependsOn: readonly Dependency[];
  /**
   * Whether it is kept when it names no product. False where the address holds what anybody may choose (a page past the end, a search that
   * finds nothing): no list leads there, and there is no end of such addresses.
   */
  keepEmpty: boolean;
  /** ISO time from which on it would be another; undefined where only a change of the catalogue makes it so. */
  until?: string | undefined;
}

const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** What the framework and its hooks add to every answer of a route. One object for all cached answers, since it is the same for them. */
export interface RouteHeaders {
  /** The pattern of the address, for counts. */
  route: string;
  /** Names and values in turn. */
  headers: readonly string[];
}

/** An answer, as it is and in the encodings that were asked for. */
export interface CachedAnswer {
  identity: Buffer;
  br?: Buffer;
  gzip?: Buffer;
  /** The encodings that are as small as they can be: all that was asked for twice. */
  small: Set<Encoding>;
  status: number;
  type: string;
  etag: string;
  location: string | undefined;
  /** Only successes are, and of those without a product the ones that lists lead to. */
  mayBeKept: boolean;
  /** Milliseconds since 1970 from which on it would be another; undefined where no clock changes it. */
  until: number | undefined;
  /** The words and ids of the changes that may show in it. */
  dependencies: ReadonlySet<string>;
  /** Known once it has been asked for again. */
  routeHeaders?: RouteHeaders;
  /** By which a cache in front finds it, where there is one. */
  surrogateKeys?: string;
  /** The heads that it was sent with, by encoding; `none` is that of an answer without a body. */
  heads: Partial<Record<Encoding | 'none', readonly string[]>>;
}

/** What an answer holds besides its bytes, and what each of its dependencies does; `page-memory.test.ts` holds both to what is measured. */
const ANSWER_BYTES = 1_000;
const DEPENDENCY_BYTES = 100;
/** An id from its first hyphen on: searching for that instead of for any letter of an id takes an eighth of the time. */
const REST_OF_ID = /-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const START_OF_ID = /^[\da-f]{8}-/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Bytes that an answer keeps in memory. */
export const bytesOf = ({ br, gzip: gz, identity, dependencies }: CachedAnswer) =>
  ANSWER_BYTES + (br?.length ?? 0) + (gz?.length ?? 0) + identity.length + DEPENDENCY_BYTES * dependencies.size;

/** A buffer of exactly the needed size: a small one of Node's, or of zlib's, keeps the 8 or 16 KB alive that it is a slice of. */
function packed(bytes: Buffer): Buffer {
  const exact = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(exact);
  return exact;
}

/** What Brotli is told: how much work to do, and to set up no more memory than the bytes need, which costs a short answer more than its compression. */
function brotliOf(bytes: Buffer, quality: number): BrotliOptions {
  const window = Math.ceil(Math.log2(Math.max(bytes.length + 16, 2 ** constants.BROTLI_MIN_WINDOW_BITS)));
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(window, constants.BROTLI_DEFAULT_WINDOW),
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  };
}

/**
 * Compressed in a third of the time for a sixth more bytes, for what may be asked for once. Here and not in another thread: the way there and back takes
 * longer than the work, which is 0.2 ms for a page.
 */
const quickly = (bytes: Buffer, encoding: Exclude<Encoding, 'identity'>): Buffer =>
  encoding === 'gzip' ? gzipSync(bytes, { level: 1 }) : brotliCompressSync(bytes, brotliOf(bytes, 2));

/** As small as it can be. */
const thoroughly = (bytes: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> =>
  encoding === 'gzip' ? zip(bytes, { level: 6 }) : brotli(bytes, brotliOf(bytes, 5));

const underWay = new WeakMap<CachedAnswer, Map<Encoding, Promise<void>>>();

/** Makes an answer's bytes in an encoding as small as they can be, once for all who ask meanwhile. */
export async function makeSmall(answer: CachedAnswer, encoding: Encoding): Promise<void> {
  if (encoding === 'identity' || answer.small.has(encoding)) return;
  const all = underWay.get(answer) ?? new Map<Encoding, Promise<void>>();
  underWay.set(answer, all);
  const making =
    all.get(encoding) ??
    thoroughly(answer.identity, encoding).then((bytes) => {
      answer[encoding] = packed(bytes);
      answer.small.add(encoding);
    });
  all.set(encoding, making);
  await making;
}

/** A copy of a part of a text: a slice keeps the whole text alive. */
const copyOf = (part: string) => Buffer.from(part, 'latin1').toString('latin1');

/** All ids that stand in a text. */
function idsIn(text: string): Set<string> {
  const ids = new Set<string>();
  for (const { index } of text.matchAll(REST_OF_ID)) {
    const id = text.slice(Math.max(0, index - 8), index + 28);
    if (START_OF_ID.test(id) && !ids.has(id)) ids.add(copyOf(id));
  }
  return ids;
}

/** An answer with its bytes in the encoding of whoever asks first, made quickly: most addresses of a large shop are asked for once. */
export function prepare({ status, type, body, location, dependsOn, keepEmpty, until }: Content, encoding: Encoding): CachedAnswer {
  const identity = packed(Buffer.from(body));
  const etag = `W/"${createHash('sha1').update(identity).digest('base64url')}"`;
  const named = dependsOn.includes('named') ? idsIn(body) : new Set<string>();
  const small = new Set<Encoding>(['identity']);
  const answer: CachedAnswer = {
    identity,
    small,
    status,
    type,
    location,
    etag,
    mayBeKept: status === 200 && (keepEmpty || named.size > 0),
    dependencies: dependenciesOf(dependsOn, named),
    until: until ? Date.parse(until) : undefined,
    heads: {},
  };
  if (encoding !== 'identity') answer[encoding] = packed(quickly(identity, encoding));
  return answer;
}

/** What differs from one sending of an answer to the next. */
interface Sending {
  encoding: Encoding | 'none';
  requestId: string;
  cacheControl: string;
}

/** The head of an answer that has been sent before, as names and values in turn: put together once, then copied. */
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

/** What clients of this process have sent as their `accept-encoding`: browsers send a handful of texts between them. */
const accepts = new LRUCache<string, Encoding>({ max: 100 });

/** The encoding to answer in: the smallest that the request accepts. */
export function encodingFor(accepted = ''): Encoding {
  const known = accepts.get(accepted);
  if (known) return known;
  const encoding = smallestOf(accepted);
  accepts.set(accepted, encoding);
  return encoding;
}

function smallestOf(accepted: string): Encoding {
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? 'gzip' : 'identity';
}
