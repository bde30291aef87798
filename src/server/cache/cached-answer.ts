import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** An answer before it is compressed. */
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

/** An answer as ready bytes in every encoding, all three slices of one buffer. */
export interface CachedAnswer extends Record<Encoding, Buffer> {
  status: number;
  type: string;
  etag: string;
  location: string | undefined;
  keepEmpty: boolean;
  /** Milliseconds since 1970 from which on it would be another; undefined where no clock changes it. */
  until: number | undefined;
  /** The products that are named in it: moves of their stock may show. */
  products: Set<string>;
  /** Known once the framework has sent it for the first time. */
  routeHeaders?: RouteHeaders;
  /** By which a cache in front finds it, where there is one. */
  surrogateKeys?: string;
}

/** What an answer holds besides its bytes, and what each product named in it does; `page-memory.test.ts` holds both to what is measured. */
const ANSWER_BYTES = 1_000;
const PRODUCT_BYTES = 100;
const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Bytes that an answer keeps in memory. */
export const bytesOf = ({ br, gzip: gz, identity, products }: CachedAnswer) =>
  ANSWER_BYTES + br.length + gz.length + identity.length + PRODUCT_BYTES * products.size;

/** One buffer of exactly the needed size: a small buffer of Node's, or of zlib's, keeps the 8 or 16 KB alive that it is a slice of. */
function pack(br: Buffer, gz: Buffer, identity: Buffer): Record<Encoding, Buffer> {
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

/** A copy of a part of a text: what `match` returns keeps the whole text alive. */
const copyOf = (part: string) => Buffer.from(part, 'latin1').toString('latin1');

export async function compress({ status, type, body, location, keepEmpty, until }: Content): Promise<CachedAnswer> {
  const identity = Buffer.from(body);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } };
  const [br, gz] = await Promise.all([brotli(identity, quality), zip(identity)]);
  const etag = `W/"${createHash('sha1').update(identity).digest('base64url')}"`;
  // A sitemap names products, but nothing that it says of them is about stock.
  const products = new Set(type.includes('xml') ? [] : [...new Set(body.match(ID))].map(copyOf));
  return {
    status,
    type,
    location,
    etag,
    keepEmpty,
    products,
    until: until ? Date.parse(until) : undefined,
    ...pack(br, gz, identity),
  };
}

/** The encoding to answer in: the smallest that the request accepts. */
export function encodingFor(accepted = ''): Encoding {
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? 'gzip' : 'identity';
}
