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

test('what is outdated is found as stale until it is made anew, and takes its share of the room', async () => {
  const values = newCache(1_000);
  const put = (name: string, text = 'x'.repeat(140)) => values.getOrMake(name, async () => ({ text }));
  for (const name of ['a', 'b']) await put(name);
  values.outdate((name) => name === 'a');
  expect([values.get('a'), values.getStale('a')?.text.length, values.getStale('b')]).toEqual([undefined, 140, undefined]);
  await expect(values.getOrMake('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(values.getStale('a')?.text.length).toBe(140);
  await put('a', 'new');
  expect([values.get('a')?.text, values.getStale('a')]).toEqual(['new', undefined]);
  values.outdate(() => true);
  for (const name of ['c', 'd']) await put(name);
  expect([values.getStale('a'), values.getStale('b'), values.size]).toEqual([undefined, undefined, 2]);
});

test('what is outdated while it is being made reaches who waits, and is stale', async () => {
  const values = newCache();
  let finish: (value: { text: string }) => void = () => undefined;
  const begin = () => values.getOrMake('a', () => new Promise((resolve) => (finish = resolve)));
  const waiting = begin();
  values.outdate(() => true);
  finish({ text: 'before' });
  expect([(await waiting).text, values.get('a'), values.getStale('a')?.text]).toEqual(['before', undefined, 'before']);
  const late = begin();
  const finishLate = finish;
  values.outdate(() => true);
  await values.getOrMake('a', async () => ({ text: 'after' }));
  finishLate({ text: 'between' });
  expect([(await late).text, values.get('a')?.text, values.getStale('a')]).toEqual(['between', 'after', undefined]);
});
