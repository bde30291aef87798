/**
 * Ends this program with SIGTERM when its parent ends, even if killed: `node --import ./scripts/attached.mjs …` with a pipe as standard input, which the
 * system then closes.
 */
import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Threads load it as well.
if (isMainThread && (fstatSync(0).isSocket() || fstatSync(0).isFIFO())) {
  process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM')).resume();
  process.stdin.unref();
  // The output has no reader by then; a write error must not end the program early.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
