import { RECENTLY_SEEN_KEY } from './browser-storage.ts';
import { storedValue } from './stored-value.ts';

export interface SeenPiece {
  _id: string;
  name: string;
  image: string;
  /** The parameters of the variant that was seen. */
  variant?: string | undefined;
}

const MOST = 8;

const isPiece = (value: unknown): value is SeenPiece => {
  const { _id, name, image, variant = '' } = (value ?? {}) as Partial<SeenPiece>;
  return (
    typeof variant === 'string' &&
    typeof _id === 'string' &&
    typeof name === 'string' &&
    typeof image === 'string' &&
    // A picture of the shop, or none.
    /^(\/images\/|$)/.test(image)
  );
};

/** Pieces viewed in this browser, newest first; a logout deletes them (`state/storage-sync.ts`). */
export const seenPieces = storedValue<SeenPiece[]>(RECENTLY_SEEN_KEY, (stored) =>
  Array.isArray(stored) ? stored.filter(isPiece).slice(0, MOST) : undefined,
);

export function noteSeen(piece: SeenPiece): void {
  const others = (seenPieces.read() ?? []).filter(({ _id }) => _id !== piece._id);
  seenPieces.write([piece, ...others].slice(0, MOST));
}
