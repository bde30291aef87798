import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect as dial } from 'node:net';
import type { Exchange, Sent } from './exchanges.ts';

/** No answer within so long is a hang; the shop gives every statement 15 s. */
const HANG_MS = 30_000;

/** On a busy machine a part may be too slow for its bound, and say when to come again: that is counted, and the test bounds how often. */
const isFault = (status: number, saysWhen: boolean) => status >= 500 && !(status === 503 && saysWhen);

/** Sends exchanges to a server, and counts what comes back. Each fault (a 5xx, a hang, a broken connection) is thrown with what was sent. */
export class Wire {
  /** Answers by their status. */
  readonly statuses = new Map<number, number>();
  readonly #address: { hostname: string; port: number };
  readonly #agent: Agent;
  #senders = 0;

  constructor(url: string, maxSockets: number) {
    const { hostname, port } = new URL(url);
    this.#address = { hostname, port: Number(port) };
    this.#agent = new Agent({ keepAlive: true, maxSockets });
  }

  send(exchange: Exchange): Promise<void> {
    if ('sent' in exchange) return this.#request(exchange.sent);
    if ('bytes' in exchange) return this.#write(exchange.bytes, exchange.vanishes);
    return this.#pipeline(exchange.pipeline);
  }

  close(): void {
    this.#agent.destroy();
  }

  #count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** Each request from somewhere else, so that the limits by network do not answer for the rest. */
  #headersOf({ headers, body }: Sent): Record<string, string> {
    this.#senders += 1;
    const from = `10.${(this.#senders >> 16) & 255}.${(this.#senders >> 8) & 255}.${this.#senders & 255}`;
    return { ...headers, 'x-forwarded-for': from, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) };
  }

  /** On one of a few connections that stay open, so that what an answer leaves behind meets the next request. */
  #request(sent: Sent): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => reject(new Error(`${reason}: ${JSON.stringify(sent).slice(0, 3_000)}`));
      const { method, path, body } = sent;
      const options = { ...this.#address, agent: this.#agent, method, path: path || '/', headers: this.#headersOf(sent) };
      const outgoing = request(options, (reply) => {
        const chunks: Buffer[] = [];
        const status = reply.statusCode ?? 500;
        const isProblem = status >= 400 && method !== 'HEAD' && reply.headers['content-type']?.startsWith('application/json');
        reply
          .on('data', (chunk: Buffer) => {
            if (isProblem) chunks.push(chunk);
          })
          .on('end', () => {
            clearTimeout(hang);
            this.#count(status);
            const text = Buffer.concat(chunks).toString();
            if (isFault(status, 'retry-after' in reply.headers)) fail(`${status} ${text}`);
            else if (isProblem && typeof JSON.parse(text).message !== 'string') fail(`no message in ${text}`);
            else resolve();
          });
      });
      const hang = setTimeout(() => outgoing.destroy(new Error('hangs')), HANG_MS);
      outgoing.on('error', (error) => {
        clearTimeout(hang);
        fail(String(error));
      });
      outgoing.end(body);
    });
  }

  /** Writes bytes and ends, or is gone at once; a client that stays must get an answer below 500, or a closed connection. */
  async #write(bytes: string, vanishes: boolean): Promise<void> {
    const answers = await this.#exchange(Buffer.from(bytes, 'latin1'), vanishes ? 'vanish' : 'end');
    if (answers.some((status) => isFault(status, false))) throw new Error(`${answers}: ${JSON.stringify(bytes).slice(0, 500)}`);
  }

  /** Writes several requests in one go: each has to be answered, in one connection. */
  async #pipeline(requests: Sent[]): Promise<void> {
    const written = requests.map((sent, index) => {
      const headers = { host: 'shop', ...this.#headersOf(sent), ...(index === requests.length - 1 && { connection: 'close' }) };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      return `${sent.method} ${sent.path || '/'} HTTP/1.1\r\n${lines.join('')}\r\n${sent.body ?? ''}`;
    });
    const answers = await this.#exchange(Buffer.from(written.join('')), 'stay');
    // Headers are not read: a 503 is taken to say when to come again.
    if (answers.length !== requests.length || answers.some((status) => isFault(status, true)))
      throw new Error(`${requests.length} requests, answers ${answers}: ${JSON.stringify(written).slice(0, 3_000)}`);
  }

  /**
   * The statuses of everything that came back until the server closed the connection. The client vanishes once it has written, says that no
   * more will come, or waits; Node's server drops what it has not answered yet in the first two cases.
   */
  async #exchange(bytes: Buffer, then: 'vanish' | 'end' | 'stay'): Promise<number[]> {
    const socket = dial(this.#address.port, this.#address.hostname);
    const chunks: Buffer[] = [];
    socket.on('error', () => undefined).on('data', (chunk) => chunks.push(chunk));
    if (then === 'end') socket.end(bytes);
    else socket.write(bytes, () => then === 'vanish' && socket.destroy());
    let isHanging = false;
    const hang = setTimeout(() => {
      isHanging = true;
      socket.destroy();
    }, HANG_MS);
    await once(socket, 'close');
    clearTimeout(hang);
    if (isHanging) throw new Error(`hangs: ${JSON.stringify(bytes.toString('latin1')).slice(0, 3_000)}`);
    const statuses = [
      ...Buffer.concat(chunks)
        .toString('latin1')
        .matchAll(/HTTP\/1\.[01] ([2-5]\d\d) [A-Z]/g),
    ].map(([, status]) => Number(status));
    for (const status of statuses) this.#count(status);
    return statuses;
  }
}
