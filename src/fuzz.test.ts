import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect as dial } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { sign } from '#sandbox/notifier.ts';
import { apiRoutes, buildApp } from '#server/app/app.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop, WEBHOOK_SECRET } from '#server/testing/harness.ts';
import { HOSTILE, JUNK, METHODS, NAMES, PATHS } from '#server/testing/hostile.ts';
import { readableLog } from '#server/testing/logs.ts';
import { render } from '#web/entry-server.tsx';

/** Requests of one run; a long one: `FUZZ_REQUESTS=1000000 npx vitest run src/fuzz.test.ts`. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3_000);
/** Another run tries the same again: its number is in the name of a failure. */
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** No answer within so long is a hang; the shop gives every statement 15 s. */
const HANG_MS = 30_000;
const AT_ONCE = 8;
/** What a run may leave behind in memory, however long it is: caches that fill up to their settings. */
const REST_MB = 60;

const shop = await testShop({ env: { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_FACTOR: '1000000', PAGE_CACHE_MB: '4' } });
const { db, services } = shop;
const { log, lines } = readableLog();
const app = await buildApp({ ...services, log }, render);
const { hostname, port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
afterAll(async () => {
  agent.destroy();
  await app.close();
});
setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

const [customer, admin] = [await aCustomer(db), await anAdmin(db)];
const product = await aProduct(db, { stock: 1_000_000, sizes: [{ size: 'S' }], colors: ['Oak'] });
const OWN_PATHS = [`product/${product._id}`, `api/products/${product._id}`];
const ID = '01890000-0000-7000-8000-000000000000';

/** Half of a pair of surrogates cannot be sent in an address. */
const wellFormed = (text: string) => Buffer.from(text).toString();
const hostile = fc.oneof(fc.constantFrom(...HOSTILE, product._id, ID), fc.string({ unit: 'binary', maxLength: 30 }));
/** As it can stand on a request line; signs that cannot are escaped, since the parser refuses them before the shop is asked. */
const online = (text: string) => text.replace(/[^\x21-\x7e]/gu, (sign) => encodeURIComponent(wellFormed(sign)));
const query = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), hostile, fc.boolean()), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, value, isRaw]) => `${name}=${isRaw ? value : encodeURIComponent(wellFormed(value))}`).join('&'));
const path = fc
  .tuple(
    fc.constantFrom('/', '/', '/', '//', '/\\', 'http://h/', '/./', '/%2e/'),
    fc.constantFrom(...PATHS, ...OWN_PATHS),
    fc.array(hostile, { maxLength: 2 }),
    query,
  )
  .map(([start, known, more, asked]) => online(`${start}${known}${more.map((part) => `/${part}`).join('')}${asked && `?${asked}`}`));

const value = fc.oneof(
  hostile,
  fc.constantFrom<unknown>(null, true, -1, 0.5, 1e308, 2 ** 31, [], {}, [[]], { $ne: null }),
  fc.jsonValue({ maxDepth: 3 }),
);
const GOOD = {
  ...aPayload([aLine(product, { size: 'S' })]),
  ...{
    name: 'A',
    password: 'long enough',
    newPassword: 'long enough',
    otp: '123456',
    isDelivered: true,
    isPaid: true,
    ids: [ID],
    isAdmin: false,
  },
};
const json = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...Object.keys(GOOD)), value), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constantFrom('_id', 'price', 'qty', 'size', 'color'), value), { maxLength: 2 }),
  )
  .map(([changes, lineChanges]) => {
    const line = { ...aLine(product, { size: 'S' }), ...Object.fromEntries(lineChanges) };
    return JSON.stringify({ ...GOOD, orderItems: [line], ...Object.fromEntries(changes) });
  });
const form = fc
  .array(
    fc.tuple(fc.constantFrom('name', 'price', 'sizes', 'colors', 'images', 'file', 'stockBefore', '__proto__'), hostile, fc.boolean()),
    { maxLength: 6 },
  )
  .map(
    (parts) =>
      `${parts.map(([name, text, isFile]) => `--x\r\ncontent-disposition: form-data; name="${name}"${isFile ? '; filename="a"' : ''}\r\n\r\n${text}\r\n`).join('')}--x--\r\n`,
  );
const body = fc.oneof(
  json.map((text) => ['application/json', text] as const),
  form.map((text) => ['multipart/form-data; boundary=x', text] as const),
  form.map((text) => ['multipart/form-data; boundary=', text] as const),
  fc.tuple(fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded', ';'), hostile),
);
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

let address = 0;
const from = () => {
  address += 1;
  return { 'x-forwarded-for': `10.${(address >> 16) % 250}.${(address >> 8) % 250}.${address % 250}` };
};
const WHO = { visitor: {}, customer: customer.headers, admin: admin.headers, stranger: { bearer: 'x' } };
const who = fc.constantFrom(...(Object.keys(WHO) as (keyof typeof WHO)[]));

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Sends on one of a few connections that stay open, so that what an answer leaves behind meets the next request. Rejects on a 5xx, a hang or a broken connection. */
function send(sent: Sent): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${reason}: ${JSON.stringify(sent).slice(0, 3_000)}`));
    const headers = {
      ...sent.headers,
      ...from(),
      ...(sent.body !== undefined && { 'content-length': String(Buffer.byteLength(sent.body)) }),
    };
    const outgoing = request({ hostname, port, agent, method: sent.method, path: sent.path || '/', headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          clearTimeout(hang);
          const text = Buffer.concat(chunks).toString();
          const isProblem =
            reply.headers['content-type']?.startsWith('application/json') && (reply.statusCode ?? 0) >= 400 && sent.method !== 'HEAD';
          if ((reply.statusCode ?? 500) >= 500) fail(`${reply.statusCode} ${text}`);
          else if (isProblem && typeof JSON.parse(text).message !== 'string') fail(`no message in ${text}`);
          else resolve();
        });
    });
    const hang = setTimeout(() => outgoing.destroy(new Error('hangs')), HANG_MS);
    outgoing.on('error', (error) => {
      clearTimeout(hang);
      fail(String(error));
    });
    outgoing.end(sent.body);
  });
}

/** Writes bytes and ends; the server must answer with something that is no 5xx, or close. */
async function write(bytes: string): Promise<void> {
  const socket = dial(Number(port), hostname);
  let answer = '';
  socket.on('error', () => undefined).on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.end(Buffer.from(bytes, 'latin1'));
  const hang = setTimeout(() => socket.destroy(), HANG_MS);
  const start = performance.now();
  await once(socket, 'close');
  clearTimeout(hang);
  if (performance.now() - start >= HANG_MS) throw new Error(`hangs: ${JSON.stringify(bytes).slice(0, 500)}`);
  if (/^HTTP\/1\.[01] 5/m.test(answer)) throw new Error(`${answer.slice(0, 300)}: ${JSON.stringify(bytes).slice(0, 500)}`);
}

const calls = apiRoutes.filter(({ endpoint }) => endpoint.url !== '/api/users/logout').map(({ endpoint }) => endpoint);
const exchange = fc.oneof(
  fc.record({ method: fc.constantFrom(...METHODS), path, who }).map((sent) => () => send({ ...sent, headers: WHO[sent.who] })),
  fc
    .record({ call: fc.constantFrom(...calls), id: fc.oneof(fc.constantFrom(product._id, customer._id, ID), hostile), who, body, query })
    .map(({ call: { method, url }, id, who: name, body: [type, text], query: asked }) => () => {
      const target = online(`${url.replace(':id', () => (id.includes('/') ? encodeURIComponent(id) : id))}?${asked}`);
      const hasBody = method !== 'GET';
      return send({
        method,
        path: target,
        headers: { ...WHO[name], ...(hasBody && { 'content-type': type }) },
        ...(hasBody && { body: text }),
      });
    }),
  event.map((notice) => () => {
    const text = JSON.stringify(notice);
    return send({
      method: 'POST',
      path: '/stripe/webhook',
      headers: { 'content-type': 'application/json', 'stripe-signature': sign(text, WEBHOOK_SECRET) },
      body: text,
    });
  }),
  fc
    .array(fc.oneof(fc.constantFrom(...JUNK), fc.string({ unit: 'binary', maxLength: 200 })), { minLength: 1, maxLength: 4 })
    .map((parts) => () => write(parts.join(''))),
);

/** Bytes held once what is not needed is gone. */
function held(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const bugs: unknown[] = [];
let done = 0;
let exchanges = fc.sample(exchange, { numRuns: 2_000, seed: SEED });

/** Goes on, a few exchanges at a time, until so many have been made in all. */
async function runUntil(count: number): Promise<void> {
  const go = async () => {
    while (done < count) {
      done += 1;
      const mine = done;
      if (mine % 2_000 === 0) exchanges = fc.sample(exchange, { numRuns: 2_000, seed: SEED + mine });
      await exchanges[mine % 2_000]?.();
      bugs.push(...lines.splice(0).filter(({ level, err }) => Number(level) >= 50 && err));
      if (mine % 50_000 === 0) process.stdout.write(`${mine} exchanges, ${Math.round(held() / 1024 / 1024)} MB held\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
}

test(
  'whatever is sent over the wire, nothing is a 500, nothing hangs and nothing stays in memory',
  async () => {
    await runUntil(REQUESTS / 3);
    const before = held();
    await runUntil(REQUESTS);
    expect(bugs.slice(0, 3)).toEqual([]);
    expect((held() - before) / 1024 / 1024).toBeLessThan(REST_MB);
    const { rows } = await services.pool.query('select id from users where is_admin and id = any($1)', [[customer._id, admin._id]]);
    expect(rows).toEqual([{ id: admin._id }]);
  },
  24 * 3_600_000,
);
