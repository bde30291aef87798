import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports that systems assign by themselves. */
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

/** A free port of the loopback address: the preferred one if it is free. The system does not assign it to others meanwhile. Throws an Error if all are taken. */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred !== 0 && (await isFree(preferred))) return preferred;
  for (let tries = 0; tries < 1_000; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error('No port of the loopback address is free.');
}
