/** The outer sides of a piece in its place. */
export type Side = 'width' | 'depth' | 'height';
export const SIDES: readonly Side[] = ['width', 'depth', 'height'];
/** All three, in millimetres. */
export type Box = Readonly<Record<Side, number>>;
/** The outer sides of a size as far as they are known; null where its measurements do not tell. */
export type Outer = Readonly<Record<Side, number | null>>;
/** The room for a piece; sides that the visitor did not type are not judged. */
export type Space = Readonly<Partial<Box>>;

/**
 * How much room a piece needs around it before we call it a fit: two centimetres for what a tape measure misses, packaging and fingers. What fits
 * by less is "measure again". It is the shop's own choice.
 */
export const PLAY = 20;

/**
 * `tight` fits by less than the play. `boxed` does not go through as one closed box, which legs that come off or several parcels can change: we do
 * not know those, so it is never a no. `unknown`: a measurement of the piece is missing.
 */
export type Verdict = 'fits' | 'tight' | 'boxed' | 'no' | 'unknown';

/** The sides of a space that were measured, with what the piece leaves of each; undefined where the piece's side is not known. */
export function spares(outer: Outer, space: Space): { name: Side; spare: number | undefined }[] {
  return SIDES.flatMap((name) => {
    const [room, side] = [space[name], outer[name]];
    return room === undefined ? [] : [{ name, spare: side === null ? undefined : room - side }];
  });
}

/** Whether a piece that stands as it is meant to, its front to the room, fits a space of which something was measured. */
export function spaceVerdict(outer: Outer, space: Space): Verdict {
  const measured = spares(outer, space).map(({ spare }) => spare);
  if (measured.some((spare) => spare !== undefined && spare < 0)) return 'no';
  if (measured.length === 0 || measured.includes(undefined)) return 'unknown';
  return measured.some((spare = 0) => spare < PLAY) ? 'tight' : 'fits';
}
