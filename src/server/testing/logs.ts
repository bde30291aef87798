import { Writable } from 'node:stream';
import type { Log } from '#server/platform/log.ts';
import { openLog } from '#server/platform/log.ts';

/** The shop's log, whose lines a test can read. */
export function readableLog(): { log: Log; lines: Record<string, unknown>[]; text(): string } {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).split('\n').filter(Boolean)) lines.push(JSON.parse(line));
      done();
    },
  });
  return { log: openLog('debug', stream), lines, text: () => JSON.stringify(lines) };
}
