export type Side = 'width' | 'depth' | 'height';
export const SIDES: readonly Side[] = ['width', 'depth', 'height'];
/** Millimetres. */
export type Box = Readonly<Record<Side, number>>;
/** A size's outer dimensions in millimetres; null if unknown. */
export type Outer = Readonly<Record<Side, number | null>>;
/** The visitor's space in millimetres; omitted sides are not checked. */
export type Space = Readonly<Partial<Box>>;

/** Clearance for a "fits", in millimetres: tape error, packaging and fingers. Less is "tight". Our own choice. */
export const PLAY = 20;

/**
 * `tight`: fits with less than `PLAY`. `boxed`: does not pass as one closed box; removable legs or several parcels may change that, so it
 * is never a no. `unknown`: a dimension of the piece is missing.
 */
export type Verdict = 'fits' | 'tight' | 'boxed' | 'no' | 'unknown';

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
  return measured.some((spare = 0) => spare < PLAY) ? 'tight' : 'fits';
}
