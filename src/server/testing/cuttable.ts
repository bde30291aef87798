import type { AddressInfo } from 'node:net';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { afterAll } from 'vitest';
import { connect, type Database } from '#server/platform/database/connect.ts';
import { freePort } from '#server/platform/ports.ts';
import { testDatabase } from './harness.ts';

interface CuttableDatabase extends Database {
  url: string;
  /** Breaks every connection and refuses new ones, as if the database's machine failed. */
  cut(): Promise<void>;
  /** The database is back, at the same address. */
  mend(): Promise<void>;
  /** Takes connections and statements and answers none, as a frozen database does, until `thaw`. */
  freeze(): void;
  thaw(): void;
}

/** A database behind a TCP proxy that a test can cut or freeze. */
export async function cuttableDatabase(): Promise<CuttableDatabase> {
  const target = new URL((await testDatabase(1)).url);
  // Without the socket, which cannot be cut.
  target.search = '';
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let isFrozen = false;
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      const listening = createServer((near) => {
        const far = dial(Number(target.port), target.hostname);
        for (const [from, to] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(from);
          from.on('error', () => to.destroy()).on('close', () => sockets.delete(from));
          from.on('data', (bytes) => to.write(bytes)).on('end', () => to.end());
          if (isFrozen) from.pause();
        }
      });
      server = listening.listen(port, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port));
    });
  const port = await listen(await freePort());
  const url = new URL(target);
  url.port = String(port);
  const freeze = () => {
    isFrozen = true;
    for (const socket of sockets) socket.pause();
  };
  const thaw = () => {
    isFrozen = false;
    for (const socket of sockets) socket.resume();
  };
  const cut = () =>
    new Promise<void>((resolve) => {
      server?.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const database = connect(url.href);
  afterAll(async () => {
    await database.close();
    await cut();
  });
  return { ...database, url: url.href, cut, mend: async () => void (await listen(port)), freeze, thaw };
}
