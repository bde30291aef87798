import fc from 'fast-check';
import { sign } from '#sandbox/notifier.ts';
import { apiRoutes } from '#server/app/app.ts';
import { WEBHOOK_SECRET } from '#server/testing/harness.ts';
import { JUNK, METHODS, NAMES, PATHS } from '#server/testing/hostile.ts';
import type { Actors } from './actors.ts';
import { bodies, fieldsOf, hostileText, notices, oversizedForm, refusedForms } from './bodies.ts';

/** One request, sent on a connection that stays open. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** A request; bytes on a connection of their own, whose sender may vanish; or requests written at once that must all be answered. */
export type Exchange = { sent: Sent } | { bytes: string; vanishes: boolean } | { pipeline: Sent[] };

const NOBODY = '01890000-0000-7000-8000-000000000000';
const NOISE = fc.string({ unit: 'binary', maxLength: 200 });
const CALLS = apiRoutes.map(({ endpoint }) => endpoint);
const BODY_FIELDS = fieldsOf(apiRoutes, 'body');
const PARAMETERS = [...new Set([...NAMES, ...fieldsOf(apiRoutes, 'query')])];

/** Half of a pair of surrogates cannot be sent in an address. */
const wellFormed = (text: string) => Buffer.from(text).toString();
/** As it can stand on a request line; signs that cannot are escaped, since the parser refuses them before the shop is asked. */
const online = (text: string) => text.replace(/[^\x21-\x7e]/gu, (sign) => encodeURIComponent(wellFormed(sign)));
/** As a header may hold it; anything else Node's client would refuse to send. */
const inHeader = (text: string) => text.replace(/[^\x20-\x7e]/gu, '?');

function queries(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const pair = fc.tuple(fc.constantFrom(...PARAMETERS), text, fc.boolean());
  const written = pair.map(([name, value, isRaw]) => `${name}=${isRaw ? value : encodeURIComponent(wellFormed(value))}`);
  return fc.array(written, { maxLength: 5 }).map((pairs) => pairs.join('&'));
}

const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'bearer',
  'cookie',
  'idempotency-key',
  'if-modified-since',
  'if-none-match',
  'origin',
  'range',
  'referer',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
];
const GOOD_HEADERS = ['gzip', 'br', '*', 'text/html', 'bytes=0-1', 'https', 'Bearer x', 'x'.repeat(300)];
const oddHeaders = (text: fc.Arbitrary<string>) =>
  fc.dictionary(fc.constantFrom(...HEADERS), fc.oneof(fc.constantFrom(...GOOD_HEADERS), text.map(inHeader)), { maxKeys: 3 });

/** The paths of the routes that the server prints as a tree, short of the slash at their start. */
export function pathsOf(printed: string): string[] {
  const above: string[] = [];
  return [...printed.matchAll(/^([│ ]*)[├└]── (.*) \(.*\)$/gm)].map(([, indent = '', part = '']) => {
    above.splice(indent.length / 4, above.length, part);
    return above.join('').replace(/^\//, '');
  });
}

/** Addresses of pages, files and calls, with raw starts, more behind them and parameters. */
function paths({ kept }: Actors, routes: readonly string[], text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const start = fc.constantFrom('/', '/', '/', '//', '/\\', 'http://h/', '/./', '/%2e/');
  const known = fc.constantFrom(...PATHS, `product/${kept[0]}`, ...routes.map((route) => route.replace(/:\w+/g, kept[0] ?? '')));
  return fc
    .tuple(start, known, fc.array(text, { maxLength: 2 }), queries(text))
    .map(([first, path, more, asked]) => `${first}${path}${more.map((part) => `/${part}`).join('')}${asked && `?${asked}`}`);
}

/** Requests to these calls of the API by each actor. */
function calls(actors: Actors, text: fc.Arbitrary<string>, which = CALLS): fc.Arbitrary<Sent> {
  const who = fc.constantFrom('visitor', 'customer', 'admin', 'admin', 'stranger');
  const parts = {
    call: fc.constantFrom(...which),
    who,
    body: bodies(actors, BODY_FIELDS, text),
    asked: queries(text),
    odd: oddHeaders(text),
  };
  return fc
    .record({
      ...parts,
      keptId: fc.oneof(fc.constantFrom(...actors.kept, NOBODY), text),
      spareId: fc.oneof(fc.constantFrom(...actors.spare), text),
    })
    .map(({ call: { method, url }, who: name, body: [type, content], asked, odd, keptId, spareId }) => {
      const isRead = method === 'GET';
      const id = isRead ? keptId : spareId;
      const headers = url === '/api/users/logout' ? actors.headers.leaver : actors.headers[name as 'visitor'];
      return {
        method,
        path: online(`${url.replace(/:\w+/g, () => (id.includes('/') ? encodeURIComponent(id) : id))}?${asked}`),
        headers: { ...odd, ...headers, ...(!isRead && { 'content-type': type }) },
        ...(!isRead && { body: content }),
      };
    });
}

/** Requests to one call of the API, by its name. */
export const requestsTo = (actors: Actors, name: string): fc.Arbitrary<Exchange> =>
  calls(
    actors,
    hostileText([...actors.kept, NOBODY]),
    CALLS.filter((call) => call.name === name),
  ).map((sent) => ({ sent }));

/** Everything that is tried, for one cast of people and things, on a server with these routes. */
export function exchanges(actors: Actors, routes: readonly string[]): fc.Arbitrary<Exchange> {
  const text = hostileText([...actors.kept, NOBODY]);
  const who = fc.constantFrom<Record<string, string>[]>({}, actors.headers.customer, actors.headers.admin);
  const rawPath = paths(actors, routes, text);
  const page = fc
    .record({ method: fc.constantFrom(...METHODS), path: rawPath.map(online), who, odd: oddHeaders(text) })
    // Nobody logs out here: the rest would be asked by strangers.
    .map(({ method, path, who: headers, odd }): Sent => ({ method, path, headers: { ...odd, ...(!path.includes('logout') && headers) } }));
  const call = calls(actors, text);
  const notice = notices(text).map((body): Sent => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': sign(body, WEBHOOK_SECRET) };
    return { method: 'POST', path: '/stripe/webhook', headers, body };
  });
  const upload = fc.tuple(
    fc.constantFrom('/api/products', '/api/products/import', '/api/office/dispatches/import'),
    fc.constantFrom(...[actors.headers.admin, {}]),
  );
  const refused = fc.tuple(upload, refusedForms).map(([[path, headers], [type, body]]): Sent => {
    return { method: 'POST', path, headers: { ...headers, 'content-type': type }, body };
  });
  const [type, body] = oversizedForm;
  const oversized: Sent = { method: 'POST', path: '/api/products', headers: { ...actors.headers.admin, 'content-type': type }, body };
  const noise = fc.oneof(
    fc.constantFrom(...JUNK),
    NOISE,
    rawPath.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
  );
  const junk = fc.record({ parts: fc.array(noise, { minLength: 1, maxLength: 4 }), vanishes: fc.boolean() });
  const one = fc.oneof({ arbitrary: page, weight: 5 }, { arbitrary: call, weight: 8 }, { arbitrary: notice, weight: 3 });
  return fc.oneof(
    { arbitrary: one.map((sent) => ({ sent })), weight: 8_000 },
    { arbitrary: refused.map((sent) => ({ sent })), weight: 60 },
    { arbitrary: fc.constant({ sent: oversized }), weight: 1 },
    { arbitrary: junk.map(({ parts, vanishes }) => ({ bytes: parts.join(''), vanishes })), weight: 1_200 },
    {
      arbitrary: fc
        .array(fc.oneof({ arbitrary: one, weight: 60 }, { arbitrary: refused, weight: 1 }), { minLength: 2, maxLength: 6 })
        .map((pipeline) => ({ pipeline })),
      weight: 700,
    },
  );
}
