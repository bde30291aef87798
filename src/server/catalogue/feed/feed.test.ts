import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop();

/** A reader who takes nothing of the feed after its head. */
async function aSlowReader(): Promise<IncomingMessage> {
  const request = get(`${shop.url}/api/feed.xml`, { agent: false });
  const [reply] = (await once(request, 'response')) as [IncomingMessage];
  reply.pause().on('error', () => undefined);
  onTestFinished(() => void reply.destroy());
  return reply;
}

test('two readers at once get the feed unpacked, and the next when one of them has ended; those who take gzip never wait', async () => {
  // Each of these variants has the whole description.
  const names = Array.from({ length: 50 }, (_, n) => String(n));
  await aProduct(shop.db, {
    description: 'Oak. '.repeat(950),
    images: ['/images/one-1200.webp'],
    sizes: names.map((size) => ({ size })),
    colors: names.map((name) => `#${name.padStart(6, '0')}`),
  });
  const first = await aSlowReader();
  await aSlowReader();
  const third = fetch(`${shop.url}/api/feed.xml`, { headers: { 'accept-encoding': 'identity' } });
  const packed = await fetch(`${shop.url}/api/feed.xml`, { headers: { 'accept-encoding': 'gzip' } });
  const size = (await packed.text()).length;
  expect(await Promise.race([third, packed.status])).toBe(200);
  first.destroy();
  expect((await (await third).text()).length).toBe(size);
});
