import { once } from 'node:events';
import { connect as dial, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { aCustomer, anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop();
const [admin, customer] = [await anAdmin(shop.db), await aCustomer(shop.db)];
const MEGABYTE = 1024 * 1024;

/** A connection on which requests are written as bytes; `next` resolves to the status of the next whole answer, or rejects when it closes. */
async function connection(): Promise<{ socket: Socket; next(): Promise<{ status: number; body: string }> }> {
  const { hostname, port } = new URL(shop.url);
  const socket = dial(Number(port), hostname);
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  let seen = Buffer.alloc(0);
  socket.on('error', () => undefined).on('data', (chunk) => (seen = Buffer.concat([seen, chunk])));
  const take = () => {
    const end = seen.indexOf('\r\n\r\n');
    const head = seen.toString('latin1', 0, Math.max(end, 0));
    const whole = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (end < 0 || seen.length < whole) return;
    const answer = { status: Number(head.split(' ')[1]), body: seen.toString('utf8', end + 4, whole) };
    seen = seen.subarray(whole);
    return answer;
  };
  return {
    socket,
    async next() {
      for (let answer = take(); ; answer = take()) {
        if (answer) return answer;
        if (socket.closed) throw new Error('The connection was closed.');
        await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      }
    },
  };
}

const head = (line: string, headers: Record<string, string | number>) =>
  `${line} HTTP/1.1\r\nHost: shop\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const form = (...parts: string[]) => `${parts.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--x--\r\n`;
const picture = (bytes: number) => `name="images"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n${'x'.repeat(bytes)}`;
const field = (name: string, text: string) => `name="${name}"\r\n\r\n${text}`;
const MULTIPART = 'multipart/form-data; boundary=x';

const twoPictures = form(picture(11 * MEGABYTE), picture(MEGABYTE));
const refusals: [string, number, string, Record<string, string>, string][] = [
  ['a picture that is too large before another', 413, 'POST /api/products', { ...admin.headers, 'content-type': MULTIPART }, twoPictures],
  ['the same in an import', 413, 'POST /api/office/dispatches/import', { ...admin.headers, 'content-type': MULTIPART }, twoPictures],
  [
    'malformed JSON in a field, before a picture',
    400,
    'POST /api/products',
    { ...admin.headers, 'content-type': MULTIPART },
    form(field('sizes', '['), picture(3 * MEGABYTE)),
  ],
  [
    'too many fields',
    413,
    'POST /api/products',
    { ...admin.headers, 'content-type': MULTIPART },
    form(...Array.from({ length: 90 }, () => field('a', 'x'.repeat(20_000)))),
  ],
  [
    'a field named as what every object has',
    400,
    'POST /api/products',
    { ...admin.headers, 'content-type': MULTIPART },
    form(field('__proto__', 'x'), picture(3 * MEGABYTE)),
  ],
  ['no boundary', 400, 'POST /api/products', { ...admin.headers, 'content-type': 'multipart/form-data' }, twoPictures],
  ['an empty boundary', 400, 'POST /api/products', { ...admin.headers, 'content-type': 'multipart/form-data; boundary=' }, twoPictures],
  ['nobody logged in', 401, 'POST /api/products', { 'content-type': MULTIPART }, twoPictures],
  ['a customer', 403, 'PUT /api/products/x', { ...customer.headers, 'content-type': MULTIPART }, twoPictures],
  ['an unknown path', 404, 'POST /api/nothing', { 'content-type': MULTIPART }, twoPictures],
  ['JSON that is too large', 413, 'POST /api/users/login', { 'content-type': 'application/json' }, `"${'x'.repeat(2 * MEGABYTE)}"`],
  ['malformed JSON', 400, 'POST /api/users/login', { 'content-type': 'application/json' }, '{"a":'],
  ['a type that is not accepted', 415, 'POST /api/users/login', { 'content-type': 'text/plain' }, 'x'.repeat(2 * MEGABYTE)],
  ['a notice that is too large', 413, 'POST /stripe/webhook', { 'content-type': 'application/json' }, 'x'.repeat(2 * MEGABYTE)],
  ['a body that a page does not read', 200, 'GET /healthz', { 'content-type': 'text/plain' }, 'x'.repeat(2 * MEGABYTE)],
];

test.each(refusals)('the connection of a refused body answers the next request: %s', async (_, status, line, headers, body) => {
  for (const isChunked of [false, true]) {
    const { socket, next } = await connection();
    for (let time = 0; time < 2; time += 1) {
      if (isChunked) {
        socket.write(head(line, { ...headers, 'transfer-encoding': 'chunked' }));
        for (let at = 0; at < body.length; at += MEGABYTE) {
          const piece = body.slice(at, at + MEGABYTE);
          socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
        }
        socket.write('0\r\n\r\n');
      } else socket.write(head(line, { ...headers, 'content-length': body.length }) + body);
      const refused = await next();
      expect([isChunked, refused.status]).toEqual([isChunked, status]);
      if (status >= 400) expect(JSON.parse(refused.body).message.length).toBeGreaterThan(5);
    }
    socket.write(head('GET /healthz', {}));
    expect((await next()).body).toBe('{"status":"ok"}');
  }
});

test.each(refusals)(
  'a client that wants the connection closed still reads why its body was refused: %s',
  async (_, status, line, headers, body) => {
    const { socket, next } = await connection();
    socket.write(head(line, { ...headers, connection: 'close', 'content-length': body.length }) + body);
    expect((await next()).status).toBe(status);
    if (!socket.closed) await once(socket, 'close');
  },
);
