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
function errorFields(error: Error & { code?: string; constraint?: string }) {
  return {
    type: error.name,
    message: withoutAddresses(error.message),
    stack: withoutAddresses(error.stack ?? ''),
    ...(error.code && { code: error.code }),
    ...(error.constraint && { constraint: error.constraint }),
  };
}

/** The shop's log: one JSON line an entry, to standard output unless said. */
export function openLog(level: string, to?: DestinationStream): Log {
  const options = { level, serializers: { err: errorFields } };
  return to ? pino(options, to) : pino(options);
}
