/** `npm run bench`: measures the production build on this machine, each figure beside what it is compared with in the same run. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';

const SECONDS = 5;
const CONNECTIONS = 20;
const dataDir = mkdtempSync(join(tmpdir(), 'shop-bench-'));
// Open to PostgreSQL's own account, so that the database lies inside and goes with the folder.
chmodSync(dataDir, 0o711);
const port = 20_000 + Math.floor(Math.random() * 20_000);
const url = `http://127.0.0.1:${port}`;

/** Starts the shop and returns how long it took to be ready, in milliseconds. */
async function start() {
  const began = performance.now();
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    env: { ...process.env, PORT: String(port), SHOP_DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve) => child.stdout.on('data', (text: Buffer) => text.includes('The shop is open') && resolve()));
  return { child, ms: performance.now() - began };
}

async function stop({ child }: Awaited<ReturnType<typeof start>>) {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

const memory = (pid = 0) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function measure(target: string) {
  const { requests, latency, non2xx } = await autocannon({
    url: target,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'accept-encoding': 'br' },
  });
  if (non2xx > 0) throw new Error(`${target}: ${non2xx} answers were not 2xx.`);
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 };
}

/** A server that does nothing but hand out the same bytes. */
async function bare(path: string) {
  const reply = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': bytes.length }).end(bytes),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const result = await measure(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.close();
  return result;
}

const rows: string[] = [];
const first = await start();
await stop(first);
const second = await start();
rows.push(`first start ${first.ms.toFixed(0)} ms | second start ${second.ms.toFixed(0)} ms (limit 3000)`);
rows.push(`memory idle ${memory(second.child.pid).toFixed(0)} MB`);
const { products } = (await (await fetch(`${url}/api/products`)).json()) as { products: { _id: string }[] };
for (const path of ['/', '/shop', `/product/${products[0]?._id}`, '/api/products', `/api/products/${products[0]?._id}`]) {
  const [cached, plain] = [await measure(url + path), await bare(path)];
  rows.push(
    `${path.replace(/[\da-f-]{36}/, '{id}').padEnd(20)} ${cached.perSecond.toFixed(0)} requests/s, p50 ${cached.p50} ms, p99 ${cached.p99} ms | bare ${plain.perSecond.toFixed(0)} | ratio ${(cached.perSecond / plain.perSecond).toFixed(2)}`,
  );
}
rows.push(`memory after load ${memory(second.child.pid).toFixed(0)} MB`);
await stop(second);
rmSync(dataDir, { recursive: true, force: true });
console.log(rows.join('\n'));
