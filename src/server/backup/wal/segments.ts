/** Bytes of a WAL segment, as initdb sets it. */
export const SEGMENT = 16 * 1024 * 1024;

const hex = (value: number | bigint) => value.toString(16).toUpperCase().padStart(8, '0');

/** The file name of the segment that holds a position in the WAL. */
export function segmentOf(timeline: number, position: bigint): string {
  const number = position / BigInt(SEGMENT);
  return hex(timeline) + hex(number / 256n) + hex(number % 256n);
}

/** The key of a piece of a segment, by its first byte within the segment. */
export const pieceKey = (segment: string, first: number): string => `wal/${segment}/${hex(first)}.gz`;

/** The segment and the first byte of a piece; undefined for other keys. */
export function pieceOf(key: string): { segment: string; first: number } | undefined {
  const [, segment, first] = /^wal\/([0-9A-F]{24})\/([0-9A-F]{8})\.gz$/.exec(key) ?? [];
  return segment && first ? { segment, first: Number.parseInt(first, 16) } : undefined;
}

/** Whether a segment is needed from a base backup on, whichever timeline it is of. */
export const isSince = (segment: string, start: string): boolean => segment.slice(8) >= start.slice(8);

export const segmentOfKey = (key: string): string | undefined => pieceOf(key)?.segment;
