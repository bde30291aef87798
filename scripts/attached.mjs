/**
 * Ends this program with SIGTERM once the one that started it is gone, however that ended: `node --import ./scripts/attached.mjs …` with a pipe as
 * its standard input, which the system closes then.
 */
import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Threads load it as well.
if (isMainThread && (fstatSync(0).isSocket() || fstatSync(0).isFIFO())) {
  process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM')).resume();
  process.stdin.unref();
  // Nobody reads what it says by then, which is no reason to end at once.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
