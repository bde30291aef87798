import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface StoredObject {
  bytes: Buffer;
  type: string;
  modified: Date;
}

/** Object storage with the part of S3's API that the shop uses. It accepts only requests signed with its key. */
export interface ObjectStorage {
  url: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Stored objects by key. */
  objects: Map<string, StoredObject>;
  /** Requests that were refused, with the reason. */
  refused: string[];
  /** Set to fail every request with this status. */
  failure: number | undefined;
  /** Set to n to fail every nth request with 500. */
  failsOneIn: number | undefined;
  close(): Promise<void>;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();
const encoded = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const escaped = (text: string) => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The error of a request's signature (AWS Signature Version 4), or undefined. */
function signatureProblem({ method, headers }: IncomingMessage, url: URL, body: Buffer, secret: string, keyId: string): string | undefined {
  const parts = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  );
  const [, id = '', scope = '', names = '', signature] = parts ?? [];
  if (id !== keyId) return 'InvalidAccessKeyId';
  const bodyHash = String(headers['x-amz-content-sha256']);
  if (bodyHash !== sha256(body)) return `the body is not what ${bodyHash} says`;
  const pairs = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const request = [method, url.pathname, pairs.join('&'), lines.join(''), names, bodyHash].join('\n');
  const [day = '', region = '', service = ''] = scope.split('/');
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), service), 'aws4_request');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n');
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}

function answer(response: ServerResponse, status: number, body: string | Buffer = '', headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': String(Buffer.byteLength(body)), ...headers });
  response.end(body);
}

const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;

/** A page of keys; with a delimiter, folders are rolled up. */
function listing(objects: ObjectStorage['objects'], query: URLSearchParams, pageSize: number): string {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter')];
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const isInside = (key: string) => Boolean(delimiter && key.slice(prefix.length).includes(delimiter));
  const folders = new Set(keys.filter(isInside).map((key) => prefix + key.slice(prefix.length).split(delimiter ?? '')[0] + delimiter));
  const left = keys.filter((key) => !isInside(key) && key > after);
  const page = left.slice(0, pageSize);
  const contents = page.map((key) => {
    const { bytes, modified } = objects.get(key) ?? { bytes: '', modified: new Date(0) };
    return `<Contents><Key>${escaped(key)}</Key><Size>${bytes.length}</Size><LastModified>${modified.toISOString()}</LastModified></Contents>`;
  });
  const hasMore = left.length > page.length;
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${hasMore}</IsTruncated>${hasMore ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : ''}${contents.join('')}${[...folders].map((folder) => `<CommonPrefixes><Prefix>${escaped(folder)}</Prefix></CommonPrefixes>`).join('')}</ListBucketResult>`;
}

function deleteMany(objects: ObjectStorage['objects'], body: Buffer): string {
  const keys = [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
  for (const key of keys) objects.delete(key);
  return `<?xml version="1.0"?><DeleteResult>${keys.map((key) => `<Deleted><Key>${key}</Key></Deleted>`).join('')}</DeleteResult>`;
}

/** Handles a signed request for one key. */
function serveObject(
  objects: ObjectStorage['objects'],
  key: string,
  { method, headers }: IncomingMessage,
  body: Buffer,
  to: ServerResponse,
) {
  if (method === 'PUT') {
    objects.set(key, { bytes: body, type: headers['content-type'] ?? '', modified: new Date() });
    return answer(to, 200, '', { etag: `"${sha256(body)}"` });
  }
  if (method === 'DELETE') {
    objects.delete(key);
    return answer(to, 204);
  }
  const found = objects.get(key);
  if (!found) return answer(to, 404, method === 'HEAD' ? '' : error('NoSuchKey'));
  const { bytes, type, modified } = found;
  to.writeHead(200, {
    'content-type': type,
    'content-length': bytes.length,
    'last-modified': modified.toUTCString(),
    etag: `"${sha256(bytes)}"`,
  });
  return to.end(method === 'HEAD' ? undefined : bytes);
}

/** Starts object storage with one bucket on a free port of `host`; lists come in pages of `pageSize` keys. */
export async function startObjectStorage({ pageSize = 2, host = '127.0.0.1' } = {}): Promise<ObjectStorage> {
  const keys = { bucket: 'pictures', accessKeyId: 'AKIASHOP', secretAccessKey: 'a secret/with+signs' };
  const state: Pick<ObjectStorage, 'objects' | 'refused' | 'failure' | 'failsOneIn'> = {
    objects: new Map(),
    refused: [],
    failure: undefined,
    failsOneIn: undefined,
  };
  let asked = 0;
  const server = createServer(async (request, response) => {
    const url = new URL(`http://storage${request.url}`);
    const body = await buffer(request);
    if (state.failure) return answer(response, state.failure, error('InternalError'));
    asked += 1;
    if (state.failsOneIn && asked % state.failsOneIn === 0) return answer(response, 500, error('InternalError'));
    const [, bucket, ...path] = decodeURIComponent(url.pathname).split('/');
    const key = path.join('/');
    const problem = bucket === keys.bucket ? signatureProblem(request, url, body, keys.secretAccessKey, keys.accessKeyId) : 'NoSuchBucket';
    if (problem) {
      state.refused.push(problem);
      return answer(response, 403, error(problem));
    }
    if (key) return serveObject(state.objects, key, request, body, response);
    if (request.method === 'POST' && url.searchParams.has('delete')) return answer(response, 200, deleteMany(state.objects, body));
    return answer(response, 200, listing(state.objects, url.searchParams, pageSize));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return Object.assign(state, keys, {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
