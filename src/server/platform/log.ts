import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, pino } from 'pino';

export type Log = FastifyBaseLogger;

/** Removes email addresses, which mail servers and the database quote in their errors. The length limit keeps the match linear in time. */
export const withoutAddresses = (text: string): string => text.replace(/[^\s<>"'(),=]{1,254}@[^\s<>"'(),]+/g, '…@…');

/** The message of whatever was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The logged fields of an error. Others are left out: the database's `detail` holds whole rows. */
export function errorFields(error: Error & { code?: string; constraint?: string }) {
  return {
    type: error.name,
    message: withoutAddresses(error.message),
    stack: withoutAddresses(error.stack ?? ''),
    ...(error.code && { code: error.code }),
    ...(error.constraint && { constraint: error.constraint }),
  };
}

/** Lines are written in batches: one write for each line nearly doubles its cost. */
const BATCH_BYTES = 16_000;
const BATCH_MS = 200;
/** The most that a character of a JavaScript text (UTF-16) takes in UTF-8. */
const BYTES_A_CHARACTER = 3;
/** Pino's number of the level. */
const WARN = 40;

/** Shared by all logs of the process, so that their lines keep their order. */
let output: DestinationStream | undefined;

/**
 * Standard output in batches. A warning or error flushes the batch at once, and so does the end of the process; only a killed process loses lines,
 * those of its last 200 ms. Pino's own batching measures the whole batch at each line, which takes as long as making the lines.
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
    // Pino then sets `lastLevel`.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line: string) {
      const mostBytes = BYTES_A_CHARACTER * line.length;
      if (used + mostBytes > batch.length) writeOut();
      if (mostBytes > batch.length) out.write(line);
      else used += batch.write(line, used);
      if (used >= BATCH_BYTES || stream.lastLevel >= WARN) writeOut();
    },
  };
  output = stream;
  return stream;
}

/** The shop's log: one JSON line for each entry. */
export function openLog(level: string, to: DestinationStream = standardOutput()): Log {
  return pino({ level, serializers: { err: errorFields } }, to);
}
