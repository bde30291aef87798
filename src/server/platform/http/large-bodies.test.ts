import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1' } });

/** Begins a body for the webhook, from a network. */
async function begin(network: string, length: string) {
  const { hostname, port } = new URL(shop.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const held = { socket, answer: '' };
  socket.on('error', () => undefined).on('data', (part) => (held.answer += part));
  await once(socket, 'connect');
  socket.write(`POST /stripe/webhook HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${network}\r\n${length}\r\n\r\n`);
  return held;
}

const LARGE = { orderItems: Array.from({ length: 100 }, () => ({ _id: 'x', name: 'x'.repeat(300), image: '', price: 1, qty: 1 })) };

async function check(body: object, network: string): Promise<{ status: number; ms: number }> {
  const start = performance.now();
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': network };
  const { status } = await fetch(`${shop.url}/api/cart/check`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status, ms: performance.now() - start };
}

test('large bodies that do not end neither fill the memory nor keep a full cart from being read', async () => {
  const [attacker, buyer] = ['198.51.100.1', '198.51.100.2'];
  const lengths = ['content-length: 250000', 'transfer-encoding: chunked'];
  const held = await Promise.all(Array.from({ length: 160 }, () => lengths.map((length) => begin(attacker, length))).flat());
  // A hundred are read and two hundred wait.
  await eventually(() => expect(held.filter(({ answer }) => answer.startsWith('HTTP/1.1 503'))).toHaveLength(20));
  expect(await check({ orderItems: [] }, buyer)).toMatchObject({ status: 200 });
  // The first of those that are read have had their time, and the next place goes to another network.
  const full = await check(LARGE, buyer);
  expect(full.status).toBe(200);
  expect(full.ms).toBeLessThan(9_000);
  // One who leaves gives the place back.
  for (const { socket } of held) socket.destroy();
  await eventually(async () => expect((await check(LARGE, attacker)).ms).toBeLessThan(1_000));
}, 40_000);

test('a full cart is read at once while few others are, and a body beyond its call’s limit is refused in words', async () => {
  expect(await check(LARGE, '198.51.100.3')).toMatchObject({ status: 200 });
  expect(await check({ ...LARGE, rest: 'x'.repeat(300_000) }, '198.51.100.3')).toMatchObject({ status: 413 });
});
