import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { MAX_SIZES } from '#contract/platform/limits.ts';
import { apiRoutes } from '#server/app/app.ts';
import { ROOT } from '#server/platform/root.ts';
import { testShop } from '#server/testing/harness.ts';
import { MAX_BODY_KB } from './route.ts';

/** The part of a JSON schema that says how long a value can be. */
interface Described {
  $ref?: string;
  $defs?: Record<string, Described>;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Described[];
  oneOf?: Described[];
  type?: string;
  maxLength?: number;
  maxItems?: number;
  items?: Described;
  properties?: Record<string, Described>;
  additionalProperties?: Described | boolean;
}

/** A letter of a person, such as “£” or “漢”, has up to three bytes. */
const BYTES = 3;
/** For texts without a limit of their own, such as ids. */
const LETTERS = 40;

/** The bytes of the longest value that a person could send. */
function longest(of: Described, root: Described): number {
  if (of.$ref) return longest(root.$defs?.[of.$ref.split('/').at(-1) ?? ''] ?? {}, root);
  if (of.const !== undefined || of.enum)
    return Math.max(...[of.const, ...(of.enum ?? [])].map((value) => JSON.stringify(value ?? null).length));
  const choices = of.anyOf ?? of.oneOf;
  if (choices) return Math.max(...choices.map((choice) => longest(choice, root)));
  if (of.type === 'string') return 2 + (of.maxLength ? of.maxLength * BYTES : LETTERS);
  if (of.type === 'array') return 2 + (of.maxItems ?? 10) * (1 + longest(of.items ?? {}, root));
  const named = Object.entries(of.properties ?? {}).reduce((sum, [name, value]) => sum + name.length + 4 + longest(value, root), 2);
  return typeof of.additionalProperties === 'object' ? named + MAX_SIZES * (LETTERS + longest(of.additionalProperties, root)) : named + 10;
}

/** What all bodies of the calls that have the largest limit may be. */
const MOST_KB = 256;

const bodies = apiRoutes.flatMap(({ endpoint: { name, body, multipart, maxBodyKb = MAX_BODY_KB } }) =>
  body && !multipart ? [{ name, body, maxBodyKb }] : [],
);

test.each(bodies)('the longest that $name can be asked is within its limit', ({ body, maxBodyKb }) => {
  const described = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Described;
  expect(maxBodyKb).toBeLessThanOrEqual(MOST_KB);
  if (maxBodyKb < MOST_KB) expect(longest(described, described)).toBeLessThanOrEqual(maxBodyKb * 1024);
});

test('a body beyond the limit of its call is refused in words, and a full cart is not', async () => {
  const { app } = await testShop();
  const post = async (url: string, payload: object) => {
    const reply = await app.inject({ method: 'POST', url, payload });
    return [reply.statusCode, reply.json<{ message?: string }>().message];
  };
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`name ${n}`, n]));
  expect(await post('/api/users/login', many)).toEqual([413, 'That is too large.']);
  const line = { _id: 'x', name: '漢'.repeat(300), image: `/${'x'.repeat(1_000)}`, price: 100, qty: 1 };
  expect(await post('/api/cart/check', { orderItems: Array.from({ length: 100 }, () => line) })).toEqual([200, undefined]);
});

test.each(['nginx.conf', 'compose.yaml'])('deploy/%s lets large bodies through for the forms with files only', (file) => {
  const path = /location ~ (\S+) \{\s+client_max_body_size 125m;/.exec(readFileSync(join(ROOT, 'deploy', file), 'utf8'))?.[1];
  const large = new RegExp(path?.replace('$$', '$') ?? 'none');
  const isLarge = (url: string) => large.test(url.replace(/:\w+/g, 'x'));
  const forms = apiRoutes.filter(({ endpoint }) => endpoint.multipart).map(({ endpoint }) => endpoint.url);
  expect([forms.length > 5, forms.filter((url) => !isLarge(url))]).toEqual([true, []]);
  expect(['/api/users/login', '/api/orders', '/api/cart', '/stripe/webhook'].filter(isLarge)).toEqual([]);
});
