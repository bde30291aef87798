import { createServer, connect as dial, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** A delay that is longer than any drill. */
export const NEVER = 2_147_483_647;

/** A proxy to a server, which can delay whatever is sent there. */
export interface SlowWire {
  port: number;
  delayMs: number;
}

export async function aSlowWire(target: { host: string; port: number }): Promise<SlowWire> {
  const wire: SlowWire = { port: 0, delayMs: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = dial(target.port, target.host);
    let sent: Promise<unknown> = Promise.resolve();
    near.on('data', (bytes) => {
      sent = Promise.all([sent, setTimeout(wire.delayMs, undefined, { ref: false })]).then(() => far.destroyed || far.write(bytes));
    });
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy() && sockets.delete(one));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  wire.port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return wire;
}
