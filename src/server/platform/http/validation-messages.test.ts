import { expect, test } from 'vitest';
import { z } from 'zod';
import { isProblem, type Problem } from '#contract/platform/problem.ts';
import { apiRoutes } from '#server/app/app.ts';
import { aLine, aPayload } from '#server/testing/factories.ts';
import { parseWith } from './route.ts';

const id = '01890000-0000-7000-8000-000000000000';
const measurement = { name: 'Depth', value: '40' };
const line = { ...aLine({ _id: id, name: 'A', price: 1 }), size: 'S', color: 'Oak' };
/** Every field of every call, each right; a call takes what it knows. */
const good = {
  ...aPayload([line], { email: 'a@example.com', fullName: 'A B', shippingMethod: 'standard' }),
  name: 'A',
  password: 'long enough',
  currentPassword: 'long enough',
  newPassword: 'long enough',
  otp: '123456',
  isAdmin: false,
  isDelivered: true,
  isPaid: true,
  ids: [id],
  customerID: id,
  file: 'a',
  fingerprint: 'b',
  description: 'A',
  fit: 'A',
  category: 'A',
  subCategory: 'A',
  brand: 'A',
  price: '1',
  countInStock: '1',
  version: '1',
  newArrivals: 'true',
  isRecommend: 'true',
  measurements: [measurement],
  colors: [{ colorName: 'Oak', hexCode: 'Oak' }],
  sizes: [{ size: 'S', quantity: 1, price: 1, measurements: [measurement] }],
  stockBefore: { countInStock: 1, sizes: { S: 1 } },
};

const WRONG = [
  undefined,
  null,
  '',
  ' ',
  'x',
  7,
  -1,
  0.5,
  1e30,
  Number.NaN,
  true,
  [],
  {},
  [null],
  [7],
  ['x'],
  [{}],
  { a: 1 },
  'x'.repeat(20_000),
];
const MANY = [Array.from({ length: 200 }, () => 'x'), Array.from({ length: 200 }, () => line)];
const JARGON =
  /expected|received|invalid input|invalid option|invalid string|invalid (number|key|element)|too (big|small)|\bnan\b|undefined|\bnull\b|\bobject\b|\bstring\b|\barray\b|\bboolean\b|regex|pattern|undefined|\[object|\^|\\/i;

/** The value with one place after the other taken wrong, at any depth. */
function* spoilt(value: unknown): Generator<unknown> {
  yield* [...WRONG, ...MANY];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    for (const wrong of spoilt(inner)) {
      const copy: unknown = structuredClone(value);
      Object.assign(copy as object, { [key]: wrong });
      yield copy;
    }
}

const all = apiRoutes.flatMap(({ endpoint }) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    endpoint[part] ? [{ title: `${part} of ${endpoint.name}`, schema: endpoint[part] }] : [],
  ),
);
/** Many calls share one. */
const parts = [...new Map(all.map((part) => [part.schema, part])).values()];

/** The fields of the call. What it does not know is left out: spoiling that changes nothing. */
const goodFor = (schema: unknown) =>
  schema instanceof z.ZodObject ? Object.fromEntries(Object.entries(good).filter(([name]) => name in schema.shape)) : good;

test.each(parts)('whatever is wrong in the $title is said in a sentence for people (§7.1)', ({ schema }) => {
  const said = new Set<string>();
  for (const value of spoilt(goodFor(schema))) {
    try {
      parseWith(schema, value);
    } catch (error) {
      if (!isProblem(error)) throw error;
      expect(error.status).toBe(400);
      for (const message of [error.message, ...Object.values(error.errors ?? {})]) said.add(message);
    }
  }
  for (const message of said) {
    expect(message).not.toMatch(JARGON);
    expect(message).toMatch(/^[A-Z“i].{5,200}$/);
  }
});

test('a missing field and a wrong one are told apart', () => {
  const Lines = z.object({ postalCode: z.string().min(3), lines: z.array(z.object({ pieces: z.number().max(9) })) });
  const errorsOf = (value: unknown) => {
    try {
      return parseWith(Lines, value);
    } catch (error) {
      return (error as Problem).errors;
    }
  };
  expect(errorsOf({ lines: [{ pieces: 10 }] })).toEqual({
    postalCode: 'Postal code is required.',
    'lines.0.pieces': 'Pieces can be at most 9.',
  });
  expect(errorsOf({ postalCode: 'x', lines: 7 })).toEqual({
    postalCode: 'Postal code is too short: at least 3 characters.',
    lines: 'Lines must be a list.',
  });
  expect(errorsOf({ postalCode: 'LS1', lines: [7] })).toEqual({ 'lines.0': 'Entry 1 of lines must be named fields.' });
});

test.each([[[7]], ['text'], [7], [true]])('%j as a whole request is refused in plain words, without a field', (value) => {
  const refused = () => parseWith(z.object({ name: z.string() }), value);
  expect(refused).toThrow('The request must consist of named fields, not of a list or a single value.');
  try {
    refused();
  } catch (error) {
    expect((error as Problem).errors).toBeUndefined();
  }
});
