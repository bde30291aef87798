import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems give by themselves to programs that ask for any port, and to outgoing connections. */
const [LOWEST, HIGHEST] = [10_240, 32_767];

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/**
 * A port of the loopback address that nobody uses right now: the preferred one if it is free, else any. Between this answer and its use the system
 * gives it to nobody. Throws an Error when none is found.
 */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred !== 0 && (await isFree(preferred))) return preferred;
  for (let tries = 0; tries < 1_000; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error('No port of the loopback address is free.');
}
