import { readStored, writeStored } from './browser-storage.ts';

/** What this browser keeps of a piece that was looked at; the server is never told. */
export interface SeenPiece {
  _id: string;
  name: string;
  image: string;
}

const KEY = 'recentlySeen';
const MOST = 8;

const isPiece = (value: unknown): value is SeenPiece => {
  const { _id, name, image } = (value ?? {}) as Partial<SeenPiece>;
  return typeof _id === 'string' && typeof name === 'string' && typeof image === 'string' && /^(\/images\/|$)/.test(image);
};

/** The pieces that were looked at on this browser, the latest first. */
export function readSeen(): SeenPiece[] {
  const stored = readStored(KEY);
  return Array.isArray(stored) ? stored.filter(isPiece).slice(0, MOST) : [];
}

/** Notes that a piece is looked at now. */
export function noteSeen(piece: SeenPiece): void {
  writeStored(KEY, [piece, ...readSeen().filter(({ _id }) => _id !== piece._id)].slice(0, MOST));
}

/** Forgets all of them. */
export function clearSeen(): void {
  writeStored(KEY, undefined);
}
