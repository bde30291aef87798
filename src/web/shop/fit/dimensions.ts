import { CLEARANCE } from '#contract/catalogue/doors.ts';

export type Side = 'width' | 'depth' | 'height';
export const SIDES: readonly Side[] = ['width', 'depth', 'height'];
/** How a length of each side is said: "92 cm deep". */
export const SIDE_WORDS = { width: 'wide', depth: 'deep', height: 'high' };
/** Millimetres. */
export type Box = Readonly<Record<Side, number>>;
/** A size's outer dimensions in millimetres; null if unknown. */
export type Outer = Readonly<Record<Side, number | null>>;
/** The visitor's space in millimetres; omitted sides are not checked. */
export type Space = Readonly<Partial<Box>>;

/** How a size is carried in: without the parts that are `off`, or in boxes. The dimensions are the largest box's. */
export interface Carrying extends Box {
  off: string | null;
  boxes: number | null;
}

/** One size of a product as the check sees it. */
export interface Piece {
  outer: Outer;
  /** Undefined if its measurements say nothing of parts that come off, or of boxes. */
  carrying?: Carrying | undefined;
  /** The width of the narrowest standard door that it comes through; null if unknown. */
  door?: number | null;
}

/**
 * `tight`: fits with less than `CLEARANCE`. `help`: no way in was found, so the customer is asked for a photo, which may show one. `unknown`: a dimension of the
 * piece is missing.
 */
export type Verdict = 'fits' | 'tight' | 'help' | 'no' | 'unknown';

/** Clearance (mm) for each measured side of a space; undefined if the piece's side is unknown. */
export function spares(outer: Outer, space: Space): { name: Side; spare: number | undefined }[] {
  return SIDES.flatMap((name) => {
    const [room, side] = [space[name], outer[name]];
    return room === undefined ? [] : [{ name, spare: side === null ? undefined : room - side }];
  });
}

/** Verdict for a piece in its normal position, front to the room. `unknown` if nothing was measured. */
export function spaceVerdict(outer: Outer, space: Space): Verdict {
  const measured = spares(outer, space).map(({ spare }) => spare);
  if (measured.some((spare) => spare !== undefined && spare < 0)) return 'no';
  if (measured.length === 0 || measured.includes(undefined)) return 'unknown';
  return measured.some((spare = 0) => spare < CLEARANCE) ? 'tight' : 'fits';
}
