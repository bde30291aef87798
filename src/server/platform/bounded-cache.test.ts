import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

const newCache = (maxBytes = 10_000) => new BoundedCache<{ text: string }>(maxBytes, ({ text }) => text.length);

test('who asks together waits for one making', async () => {
  const values = newCache();
  let made = 0;
  const make = async () => ({ text: `made ${++made}` });
  const [one, two] = await Promise.all([values.getOrMake('a', make), values.getOrMake('a', make)]);
  expect([one, two, (await values.getOrMake('a', make)).text, made]).toEqual([one, one, 'made 1', 1]);
});

test('what is being made while everything is forgotten reaches who waits, but is not kept', async () => {
  const values = newCache();
  let finish: (value: { text: string }) => void = () => undefined;
  const waiting = values.getOrMake('a', () => new Promise((resolve) => (finish = resolve)));
  values.invalidate(() => true);
  const fresh = await values.getOrMake('a', async () => ({ text: 'after' }));
  finish({ text: 'before' });
  expect([(await waiting).text, fresh.text, values.get('a')?.text]).toEqual(['before', 'after', 'after']);
});

test('a failed making is tried again', async () => {
  const values = newCache();
  await expect(values.getOrMake('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect((await values.getOrMake('a', async () => ({ text: 'yes' }))).text).toBe('yes');
});

test('the oldest make room for the newest', async () => {
  const values = newCache(1_000);
  for (const name of ['a', 'b', 'c']) await values.getOrMake(name, async () => ({ text: 'x'.repeat(140) }));
  expect(['a', 'b', 'c'].map((name) => values.get(name) !== undefined)).toEqual([false, true, true]);
});
