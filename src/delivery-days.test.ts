import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { render } from '#web/entry-server.tsx';

const shop = await testShop({ render, env: { ORDER_CUTOFF_HOUR: '14' } });

afterEach(() => void vi.useRealTimers());

/** Moves the server's clock. */
const itIs = (time: string) => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) });

/** What a browser or a CDN gets that keeps pages as long as it may: it asks whether what it has is still good. */
async function open(path: string, etag = '') {
  const reply = await fetch(shop.url + path, { headers: { 'if-none-match': etag } });
  const text = (await reply.text()).replaceAll('\u00a0', ' ');
  const cache = reply.headers.get('server-timing');
  return { status: reply.status, etag: reply.headers.get('etag') ?? '', cache, control: reply.headers.get('cache-control'), text };
}
const arrives = ({ text }: { text: string }) => /Arrives [^<]*/.exec(text)?.[0];

test('a product’s page is kept until the cut-off and never shows yesterday’s days, also without scripts and from a browser’s cache (§2.7.6)', async () => {
  const { _id } = await aProduct(shop.db);
  const path = `/product/${_id}`;
  itIs('2026-11-20T13:59:00Z');
  const made = await open(path);
  expect(arrives(made)).toBe('Arrives Fri 27 Nov – Wed 2 Dec');
  expect(made.control).toBe('no-cache');
  itIs('2026-11-20T13:59:59.999Z');
  expect(await open(path)).toMatchObject({ cache: 'cache;desc=hit', etag: made.etag });
  expect((await open(path, made.etag)).status).toBe(304);
  itIs('2026-11-20T14:00:00Z');
  const next = await open(path, made.etag);
  expect([next.status, next.cache, arrives(next)]).toEqual([200, 'cache;desc=miss', 'Arrives Mon 30 Nov – Thu 3 Dec']);
  expect(await open(path)).toMatchObject({ cache: 'cache;desc=hit', etag: next.etag });
  // Days that nobody looked at the page.
  itIs('2026-12-24T10:00:00Z');
  expect(arrives(await open(path, next.etag))).toBe('Arrives Tue 5 Jan – Fri 8 Jan');
});

test('where the days of Scotland are others, the page says so; in later years, too, and a shop that is closed for good tells no days (§2.7.6)', async () => {
  const { _id } = await aProduct(shop.db);
  itIs('2026-11-21T10:00:00Z');
  expect((await open(`/product/${_id}`)).text).toContain('(Scotland: Tue 1 Dec – Fri 4 Dec)');
  itIs('2030-06-03T10:00:00Z');
  expect(arrives(await open(`/product/${_id}`))).toBe('Arrives Mon 10 Jun – Thu 13 Jun');
  const { delivery } = shop.services.config;
  /** As when the owner saves it. */
  const set = (changed: typeof delivery) => {
    shop.services.config.delivery = changed;
    shop.services.facts.invalidate(['settings']);
  };
  set({ ...delivery, calendar: [{ from: '2030-06-01', to: '2040-12-31', what: 'closed', note: '' }] });
  onTestFinished(() => set(delivery));
  const { text } = await open(`/product/${(await aProduct(shop.db))._id}`);
  expect(text).not.toContain('Arrives');
  expect(text).toContain('Delivery included, in 5-7 business days all over the UK.');
});

test('the answer has the days of now, is not cached, and says until when they hold', async () => {
  itIs('2026-11-21T10:00:00Z');
  const reply = await shop.app.inject({ url: '/api/delivery' });
  expect(reply.headers['cache-control']).toBe('no-store');
  const { options, until } = reply.json<Delivery>();
  expect(until).toBe('2026-11-21T14:00:00.000Z');
  expect(options).toMatchObject([
    { id: 'standard', windows: { 'england-and-wales': { from: '2026-11-30', to: '2026-12-03' }, scotland: { from: '2026-12-01' } } },
  ]);
});

test('a piece that is made to order says so, and its page has its own days, after a bank holiday', async () => {
  itIs('2026-11-20T10:00:00Z');
  const made = await open(`/product/${(await aProduct(shop.db, { leadWeeks: 6 }))._id}`);
  expect(arrives(made)).toBe('Arrives Mon 11 Jan – Thu 14 Jan');
  expect(made.text).toContain('Made to order in about 6 weeks');
  // A Saturday: nothing leaves before Monday.
  const later = await open(`/product/${(await aProduct(shop.db, { readyFrom: '2027-01-02T09:00:00Z' }))._id}`);
  expect(later.text).toContain('Ready to leave from Mon 4 Jan.');
  // The usual days and the cut-off are those of pieces in stock, also once the date is past.
  const [promise, cutOff] = ['<p>Delivery included, in 5-7 business days', 'Order by <!-- -->2pm'];
  for (const { text } of [made, later]) {
    expect(text).not.toContain(promise);
    expect(text).not.toContain(cutOff);
  }
  const there = await open(`/product/${(await aProduct(shop.db, { readyFrom: '2026-11-01T09:00:00Z' }))._id}`);
  expect(there.text).toContain(promise);
  expect(there.text).toContain(cutOff);
});
