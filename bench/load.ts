import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import autocannon from 'autocannon';

const CONNECTIONS = 20;

/** Requests a second that a server answers when asked for one address over and over, and its slowest hundredth in milliseconds. */
export async function flood(url: string, seconds: number): Promise<{ perSecond: number; p99: number }> {
  const headers = { 'accept-encoding': 'br' };
  const { requests, latency, non2xx, errors } = await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers were not 2xx, ${errors} failed.`);
  return { perSecond: requests.average, p99: latency.p99 };
}

/** One request of a client, to be answered with 2xx. */
export interface Ask {
  path: string;
  options?: RequestOptions;
  body?: string;
}

async function send(agent: Agent, url: string, { path, options, body }: Ask): Promise<number> {
  const start = performance.now();
  const asked = request(url + path, { ...options, agent }).end(body);
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of reply) text += part;
  if (reply.statusCode === undefined || reply.statusCode >= 300) throw new Error(`${path}: ${reply.statusCode} ${text}`);
  return performance.now() - start;
}

/** How requests went. Times in milliseconds. */
export interface Went {
  perSecond: number;
  p50: number;
  p99: number;
  times: number[];
}

export function summaryOf(times: number[], seconds: number): Went {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), times };
}

/** So many clients that each send one request after the other for so long; `next` says what, by client and turn. */
export async function clients(url: string, count: number, seconds: number, next: (client: number, turn: number) => Ask): Promise<Went> {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const times: number[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, client) => {
      for (let turn = 0; performance.now() - began < seconds * 1000; turn += 1) times.push(await send(agent, url, next(client, turn)));
    }),
  );
  agent.destroy();
  return summaryOf(times, (performance.now() - began) / 1000);
}

/** Each request once, one after the other. */
export async function oneByOne(url: string, asks: Ask[]): Promise<Went> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const began = performance.now();
  const times: number[] = [];
  for (const ask of asks) times.push(await send(agent, url, ask));
  agent.destroy();
  return summaryOf(times, (performance.now() - began) / 1000);
}
