import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, pino } from 'pino';

/** Where a part of the shop says what an operator should know. */
export type Log = FastifyBaseLogger;

/**
 * Mail servers and the database quote what they were given; addresses do not belong in a log. They have a longest length, which keeps the
 * time for a long text without one from growing with its square.
 */
export const withoutAddresses = (text: string): string => text.replace(/[^\s<>"'(),=]{1,254}@[^\s<>"'(),]+/g, '…@…');

/** What a log keeps of an error. The database's `detail` holds whole rows, so that only named fields pass. */
export function errorFields(error: Error & { code?: string; constraint?: string }) {
  return {
    type: error.name,
    message: withoutAddresses(error.message),
    stack: withoutAddresses(error.stack ?? ''),
    ...(error.code && { code: error.code }),
    ...(error.constraint && { constraint: error.constraint }),
  };
}

/** Lines are written together, so many bytes or milliseconds of them: a write for each nearly doubles what a line costs. */
const BATCH_BYTES = 16_000;
const BATCH_MS = 200;
const BYTES_A_CHARACTER = 3;
const WARN = 40;

/** One for the whole process, so that the lines of two logs keep their order. */
let output: DestinationStream | undefined;

/**
 * Standard output in batches. A warning or an error is written at once, with all before it, and so is what is left when the process ends. Only
 * one that is killed loses lines, those of its last fifth of a second. Each line becomes bytes when it comes: pino's own batches measure all
 * that they hold at each line, and a text of a hundred lines, put together from their parts, takes as long to write as the lines took to make.
 */
function standardOutput(): DestinationStream {
  if (output) return output;
  const out = pino.destination({ sync: true });
  const batch = Buffer.allocUnsafeSlow(4 * BATCH_BYTES);
  let used = 0;
  const writeOut = () => {
    if (used > 0) out.write(batch.toString('utf8', 0, used));
    used = 0;
  };
  setInterval(writeOut, BATCH_MS).unref();
  process.once('exit', () => {
    writeOut();
    out.flushSync();
  });
  const stream = {
    // Asks pino to note the level of each line.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      const most = BYTES_A_CHARACTER * line.length;
      if (used + most > batch.length) writeOut();
      if (most > batch.length) out.write(line);
      else used += batch.write(line, used);
      if (used >= BATCH_BYTES || stream.lastLevel >= WARN) writeOut();
    },
  };
  output = stream;
  return stream;
}

/** The shop's log: one JSON line an entry, to standard output unless said. */
export function openLog(level: string, to: DestinationStream = standardOutput()): Log {
  return pino({ level, serializers: { err: errorFields } }, to);
}
