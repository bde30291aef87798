import fc from 'fast-check';
import { z } from 'zod';
import type { Route } from '#server/platform/http/route.ts';
import { HOSTILE } from '#server/testing/hostile.ts';
import type { Actors } from './actors.ts';

/** A body and its content type. */
export type Body = readonly [type: string, text: string];

/** The names that calls read from one of their parts, so that the fields of a new call are tried without being listed. */
export function fieldsOf(routes: readonly Route[], part: 'query' | 'body'): string[] {
  const names = routes.flatMap(({ endpoint }) => (endpoint[part] instanceof z.ZodObject ? Object.keys(endpoint[part].shape) : []));
  return [...new Set(names)];
}

const noise = fc.string({ unit: 'binary', maxLength: 30 });
const anyJson = fc.jsonValue({ maxDepth: 3 });
/** Texts, of which some are hostile, some are ids and some are noise. */
export const hostileText = (ids: readonly string[]) => fc.oneof(fc.constantFrom(...HOSTILE, ...ids), noise);

const ODD = [null, true, -1, 0.5, 1e-50, 1e-200, 1e308, 2 ** 31, [], {}, [[]], { $ne: null }];
const valueFrom = (text: fc.Arbitrary<string>) =>
  fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 }), fc.constantFrom<unknown>(...ODD), anyJson);

/** A body with the fields of all calls, of which a few are wrong. */
function jsonBodies({ good }: Actors, names: readonly string[], value: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const [line] = good.orderItems as object[];
  const wrongFields = fc.array(fc.tuple(fc.constantFrom(...names, ...Object.keys(good)), value), { maxLength: 3 });
  const wrongOfLine = fc.array(fc.tuple(fc.constantFrom('_id', 'price', 'qty', 'size', 'color'), value), { maxLength: 2 });
  return fc.tuple(wrongFields, wrongOfLine).map(([fields, ofLine]) => {
    const orderItems = [{ ...line, ...Object.fromEntries(ofLine) }];
    return ['application/json', JSON.stringify({ ...good, orderItems, ...Object.fromEntries(fields) })] as const;
  });
}

const PRODUCT = { name: 'A', description: 'A', fit: 'A', category: 'A', subCategory: 'A', brand: 'A', price: '1', countInStock: '1' };
const SHEET = 'name,description,fit,category,subCategory,brand,price,countInStock,sizes\n';
const MULTIPART = 'multipart/form-data; boundary=x';

const partOf = (name: string, text: string, isFile = false) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"${isFile ? '; filename="a"\r\ncontent-type: image/png' : ''}\r\n\r\n${text}\r\n`;
const whole = Object.entries(PRODUCT)
  .map(([name, text]) => partOf(name, text))
  .join('');

/** Product forms and imports: with parts that are wrong, and sheets that are. */
function forms(names: readonly string[], text: fc.Arbitrary<string>): fc.Arbitrary<Body> {
  const name = fc.constantFrom(...names, 'images', '__proto__', '');
  const sheet = fc.array(text, { maxLength: 12 }).map((cells) => ['file', SHEET + cells.join(','), true] as const);
  const parts = fc.array(fc.oneof(fc.tuple(name, text, fc.boolean()), sheet), { maxLength: 6 });
  return fc
    .tuple(fc.constantFrom(MULTIPART, MULTIPART, 'multipart/form-data; boundary='), fc.boolean(), parts)
    .map(([type, isWhole, more]) => {
      const body = `${isWhole ? whole : ''}${more.map(([field, content, isFile]) => partOf(field, content, isFile)).join('')}--x--\r\n`;
      return [type, body] as const;
    });
}

const big = 'x'.repeat(300_000);
/** Forms that are refused in their middle, with as much behind it as does not fit into one read. */
export const refusedForms = fc
  .constantFrom(
    partOf('sizes', '['),
    partOf('__proto__', 'x'),
    partOf('name', big),
    partOf('images', 'no picture', true).repeat(14),
    partOf('a', 'x').repeat(80),
    'no part at all\r\n',
  )
  .map((start): Body => [MULTIPART, `${start}${partOf('images', big, true)}--x--\r\n`]);

/** A file above what a form may hold, refused while it is still being sent. */
export const oversizedForm: Body = [
  MULTIPART,
  `${partOf('images', 'x'.repeat(11 * 1024 * 1024), true)}${partOf('file', big, true)}--x--\r\n`,
];

/** Everything that a call may be sent as its body. */
export function bodies(actors: Actors, names: readonly string[], text: fc.Arbitrary<string>): fc.Arbitrary<Body> {
  return fc.oneof(
    { arbitrary: jsonBodies(actors, names, valueFrom(text)), weight: 4 },
    { arbitrary: forms(names, text), weight: 3 },
    { arbitrary: fc.tuple(fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', ';'), text), weight: 1 },
  );
}

/** Notices as the provider sends them, with odd shapes at each place. */
export function notices(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const value = valueFrom(text);
  const session = fc.record(
    {
      object: fc.oneof(fc.constant('checkout.session'), value),
      id: fc.oneof(fc.constant('cs_test_x'), value),
      payment_status: value,
      amount_total: value,
      metadata: value,
      customer_details: value,
    },
    { requiredKeys: [] },
  );
  const event = fc.record(
    {
      id: fc.oneof(fc.constant('evt_fuzz'), value),
      object: fc.oneof(fc.constant('event'), value),
      type: fc.oneof(fc.constantFrom('checkout.session.completed', 'checkout.session.expired', 'charge.refunded'), value),
      data: fc.oneof(fc.record({ object: session }), value),
    },
    { requiredKeys: [] },
  );
  return event.map((notice) => JSON.stringify(notice));
}
