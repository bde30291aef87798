import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { MadeKey } from '#contract/integrations/integrations.schema.ts';
import type { Order } from '#contract/orders/orders.ts';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const folder = aFolder('guide', afterAll);
const [courier, receiver] = [...readFileSync(join(ROOT, 'docs/guide/programs.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, script = ''], index) => {
    const file = join(folder, `${index}.mjs`);
    writeFileSync(file, script);
    return file;
  },
) as [string, string];

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

test('the courier’s script in the guide lists what waits, and dispatches it', async () => {
  const [owner, buyer] = [await anAdmin(db), await aCustomer(db, { name: 'Nia Oak' })];
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers: owner.headers, payload });
  const rights = ['see orders', 'change orders'];
  const endsOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const { key } = (await post('/api/office/keys', { name: 'Courier', rights, endsOn })).json<MadeKey>();
  const placed = await app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: buyer.headers,
    payload: aPayload([aLine(await aProduct(db))]),
  });
  const { _id, reference } = placed.json<Order>();
  await app.inject({ method: 'PUT', url: `/api/orders/${_id}/stage`, headers: owner.headers, payload: { stage: 'packing' } });
  const { port } = app.server.address() as { port: number };
  const SHOP = `http://127.0.0.1:${port}`;
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [courier, ...args], { env: { ...process.env, SHOP, KEY: key } }).then(({ stdout }) =>
      stdout.trim(),
    );
  expect(await run()).toMatch(new RegExp(`^${reference}, .+, .+$`));
  expect(await run(reference, 'DPD', '1550 1234 567')).toBe(`${reference} is dispatched.`);
  expect(await run()).toBe('');
  const order = (await app.inject({ url: `/api/orders/${_id}`, headers: buyer.headers })).json<Order>();
  expect(order.parcels).toMatchObject([{ carrier: 'DPD', trackingNumber: '1550 1234 567' }]);
  await expect(run(reference, 'DPD', '1')).rejects.toThrow('does not wait for the courier');
});

test('the receiver in the guide takes what is signed, once, and refuses everything else', async () => {
  const [key, PORT] = [Buffer.alloc(32, 7), String(await freePort())];
  const child = spawn(process.execPath, [receiver], { env: { ...process.env, SECRET: `whsec_${key.toString('base64')}`, PORT } });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  try {
    await expect.poll(() => lines).toEqual(['Listening']);
    const body = JSON.stringify({ id: 'm1', topic: 'order', at: '2026-11-26T10:00:00.000Z', items: [{ order: 'o1', event: 'paid' }] });
    const send = async (change: { time?: number; body?: string } = {}) => {
      const time = String(change.time ?? Math.floor(Date.now() / 1_000));
      const signature = `v1,${createHmac('sha256', key).update(`m1.${time}.${body}`).digest('base64')}`;
      const headers = { 'webhook-id': 'm1', 'webhook-timestamp': time, 'webhook-signature': signature };
      return (await fetch(`http://127.0.0.1:${PORT}`, { method: 'POST', headers, body: change.body ?? body })).status;
    };
    expect([await send(), await send()]).toEqual([204, 204]);
    expect([await send({ time: 1_000 }), await send({ body: body.replace('paid', 'cancelled') })]).toEqual([401, 401]);
    await expect.poll(() => lines).toEqual(['Listening', 'order {"order":"o1","event":"paid"}']);
  } finally {
    child.kill();
  }
});
