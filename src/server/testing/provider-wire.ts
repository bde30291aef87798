import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An HTTP proxy between a shop and its payment provider, by which a test changes or blocks answers. */
export interface ProviderWire {
  url: string;
  /** The number of requests by method and path. */
  asked: string[];
  /** While true the provider hangs: no request is answered. */
  isSilent: boolean;
  /** Aborts all unanswered requests. */
  hangUp(): void;
  /** Changes this session in the provider's answers while `during` runs. */
  pretend<T>(sessionId: string, change: object, during: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Starts a proxy to the provider at `target`. */
export async function providerWire(target: string): Promise<ProviderWire> {
  const changes = new Map<string, object[]>();
  const unanswered = new Set<Socket>();
  const changed = (_: string, value: unknown): unknown => {
    const { object, id } = (value ?? {}) as { object?: unknown; id?: unknown };
    return object === 'checkout.session' ? Object.assign({}, value, ...(changes.get(String(id)) ?? [])) : value;
  };
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/', headers } = request;
    wire.asked.push(`${method} ${url}`);
    if (wire.isSilent) return void unanswered.add(request.socket);
    const names = ['authorization', 'content-type', 'idempotency-key'];
    const kept = names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]] as [string, string]] : []));
    const body = await buffer(request);
    const reply = await fetch(target + url, { method, headers: kept, ...(body.length > 0 && { body }) });
    const text = JSON.stringify(JSON.parse(await reply.text(), changed));
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((request, response) => void pass(request, response).catch(() => request.socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const wire: ProviderWire = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    isSilent: false,
    hangUp() {
      for (const socket of unanswered) socket.destroy();
      unanswered.clear();
    },
    async pretend(sessionId, change, during) {
      const before = changes.get(sessionId) ?? [];
      changes.set(sessionId, [...before, change]);
      try {
        return await during();
      } finally {
        changes.set(
          sessionId,
          (changes.get(sessionId) ?? []).filter((one) => one !== change),
        );
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return wire;
}
