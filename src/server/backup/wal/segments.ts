/** Bytes of a WAL segment, as initdb sets it. */
export const SEGMENT = 16 * 1024 * 1024;

const hex = (value: number | bigint) => value.toString(16).toUpperCase().padStart(8, '0');

/** The file name of the segment that holds a position in the WAL. */
export function segmentOf(timeline: number, position: bigint): string {
  const number = position / BigInt(SEGMENT);
  return hex(timeline) + hex(number / 256n) + hex(number % 256n);
}

/** The key of a piece of a segment that begins at a byte of the segment. */
export const pieceKey = (segment: string, offset: number): string => `wal/${segment}/${hex(offset)}.gz`;

/** The segment of a piece, and the byte at which it begins there; undefined for other keys. */
export function pieceOf(key: string): { segment: string; offset: number } | undefined {
  const [, segment, offset] = /^wal\/([0-9A-F]{24})\/([0-9A-F]{8})\.gz$/.exec(key) ?? [];
  return segment && offset ? { segment, offset: Number.parseInt(offset, 16) } : undefined;
}

/** Whether a segment comes no earlier than a base backup's `start`, on any timeline: the first 8 digits are the timeline's. */
export const isSince = (segment: string, start: string): boolean => segment.slice(8) >= start.slice(8);

export const segmentOfKey = (key: string): string | undefined => pieceOf(key)?.segment;
