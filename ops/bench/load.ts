import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type Cpu, cpuEach, cpuOf } from './cpu.ts';
import type { Running } from './shop.ts';

/** One request, to be answered with 2xx. */
export interface Ask {
  path: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/** How requests went: their number, times in milliseconds, and what one of them cost in processor time. */
export interface LoadResult {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  cpu: Cpu;
}

/** wrk keeps up with any of these servers; autocannon, written in JavaScript as they are, is slower than some of them. */
export const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

const HEADERS = { 'accept-encoding': 'br' };
const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/** A text as a literal of Lua, which knows bytes by their decimal number. */
const lua = (text: string) => `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`;

/** A script for wrk that sends the requests in turn. */
function scriptOf(asks: Ask[]): string {
  const lines = asks.map(({ path, method = 'GET', headers, body }) => {
    const fields = Object.entries({ ...HEADERS, ...headers }).map(([name, value]) => `[${lua(name)}]=${lua(value)}`);
    return `  { ${lua(method)}, ${lua(path)}, { ${fields.join(', ')} }, ${body === undefined ? 'nil' : lua(body)} },`;
  });
  return [
    'local asks = {',
    ...lines,
    '}',
    'local ready, turn = {}, 0',
    'function init() for n, ask in ipairs(asks) do ready[n] = wrk.format(ask[1], ask[2], ask[3], ask[4]) end end',
    'function request() turn = turn + 1; return ready[(turn - 1) % #ready + 1] end',
  ].join('\n');
}

type Counted = Omit<LoadResult, 'cpu'>;

async function byWrk(url: string, asks: Ask[], connections: number, seconds: number): Promise<Counted> {
  const dir = mkdtempSync(join(tmpdir(), 'shop-wrk-'));
  const script = join(dir, 'asks.lua');
  writeFileSync(script, scriptOf(asks));
  const child = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, url]);
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes;
  });
  await once(child, 'close');
  rmSync(dir, { recursive: true });
  if (/Non-2xx|Socket errors/.test(output) || !output.includes('Requests/sec')) throw new Error(`${url}${asks[0]?.path}:\n${output}`);
  const at = (percent: number) => {
    const [, value, unit = 'ms'] = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s|m)`).exec(output) ?? [];
    return Number(value) * (UNITS[unit] ?? 1);
  };
  return {
    requests: Number(/(\d+) requests in/.exec(output)?.[1]),
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    p50: at(50),
    p99: at(99),
  };
}

async function byAutocannon(url: string, asks: Ask[], connections: number, seconds: number): Promise<Counted> {
  const requests = asks.map(({ path, method = 'GET', headers, body }) => ({
    path,
    method,
    headers: { ...HEADERS, ...headers },
    ...(body !== undefined && { body }),
  }));
  // As each connection sends all requests in turn, it begins at another one: the shop makes an answer once for all who ask for it at the same time.
  let clients = 0;
  const setupClient = (client: autocannon.Client) => {
    const start = Math.floor((requests.length * clients) / connections);
    clients += 1;
    client.setRequests([...requests.slice(start), ...requests.slice(0, start)]);
  };
  const { requests: sent, latency, non2xx, errors } = await autocannon({ url, connections, duration: seconds, requests, setupClient });
  if (non2xx + errors > 0) throw new Error(`${url}${asks[0]?.path}: ${non2xx} answers were not 2xx, ${errors} failed.`);
  return { requests: sent.total, perSecond: sent.average, p50: latency.p50, p99: latency.p99 };
}

/** Sends requests in turn over a number of connections, for a number of seconds. Throws when one is not answered with 2xx. */
export async function load({ url, pid }: Running, asks: Ask[], connections: number, seconds: number): Promise<LoadResult> {
  const before = cpuOf(pid);
  const result = await (hasWrk ? byWrk : byAutocannon)(url, asks, connections, seconds);
  return { ...result, cpu: cpuEach(before, cpuOf(pid), result.requests) };
}

async function send(agent: Agent, url: string, { path, method = 'GET', headers, body }: Ask): Promise<number> {
  const start = performance.now();
  const asked = request(url + path, { method, headers: { ...HEADERS, ...headers }, agent }).end(body);
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  for await (const _ of reply);
  if (reply.statusCode === undefined || reply.statusCode >= 300) throw new Error(`${path}: ${reply.statusCode}`);
  return performance.now() - start;
}

/** Each request once, one after the other; returns how long each took in milliseconds. */
export async function oneByOne(url: string, asks: Ask[]): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (const ask of asks) times.push(await send(agent, url, ask));
  agent.destroy();
  return times;
}
