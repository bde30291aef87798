/**
 * Whether a piece, as a closed box, passes an opening, a lift or a corner (docs/decisions/0072). Lengths in millimetres. A yes comes with a
 * way to carry the piece; a no means that none of the ways tried here works.
 */
import type { Box, Side } from './dimensions.ts';

export interface Opening {
  width: number;
  height: number;
}
/** The inside of a lift. */
export type Cabin = Box;
/** A right-angled corner on a level floor: corridor widths before and after it, and the ceiling height. */
export interface Corner {
  before: number;
  after: number;
  height: number;
}

/** Orientation while passing: the side pointing up, the side going ahead, and the tilt. */
export interface Way {
  up: Side;
  ahead: Side;
  /** `leaning`: rotated about the direction of travel, onto an edge. `diagonal`: rotated on the floor. */
  tilt: 'none' | 'leaning' | 'diagonal';
}

/** Order of preference: upright, on its back, on end. */
const UP: readonly Side[] = ['height', 'depth', 'width'];
/** The remaining side, across the direction of travel. */
export const across = ({ up, ahead }: Pick<Way, 'up' | 'ahead'>): Side => UP.find((side) => side !== up && side !== ahead) ?? 'width';

/** All six axis-aligned orientations: upright first, then the longer side ahead. */
export function straightWays(box: Box): Way[] {
  return UP.flatMap((up) => {
    const others = UP.filter((side) => side !== up).sort((one, other) => box[other] - box[one]);
    return others.map((ahead) => ({ up, ahead, tilt: 'none' as const }));
  });
}

/**
 * Height of a p × q rectangle rotated until it is exactly `room` wide: the lowest opening of that width it passes at an angle. Undefined if
 * it is never that narrow.
 * At angle t it is d·cos(t − a) wide and d·sin(t + a) high, with diagonal d and a the angle between the diagonal and the longer side. The
 * sine is concave, so the minimum is at an end of the feasible angles: one end is the unrotated rectangle, the other this one. Carver's
 * condition for a rectangle in a rectangle (American Mathematical Monthly 64, 1957, p. 114; J. E. Wetzel, Rectangles in Rectangles,
 * Mathematics Magazine 73, 2000, p. 204).
 */
export function tiltedHeight(p: number, q: number, room: number): number | undefined {
  const diagonal = Math.hypot(p, q);
  const angle = Math.atan2(Math.min(p, q), Math.max(p, q));
  const turn = angle + Math.acos(Math.min(1, room / diagonal));
  // Tolerance for rounding: a rectangle exactly as wide as the room must pass.
  return turn > Math.PI / 2 + 1e-9 ? undefined : diagonal * Math.sin(turn + angle);
}

/** Whether a rectangle fits into another at an angle. */
const tiltsInto = (p: number, q: number, width: number, height: number) =>
  (tiltedHeight(p, q, Math.max(width, height)) ?? Number.POSITIVE_INFINITY) <= Math.min(width, height);

/** The orientation in which a box passes an opening; undefined if none. Assumes room for its length on both sides. */
export function throughOpening(box: Box, { width, height }: Opening): Way | undefined {
  const ways = straightWays(box);
  const straight = ways.find((way) => box[way.up] <= height && box[across(way)] <= width);
  if (straight) return straight;
  const leaning = ways.find((way) => tiltsInto(box[way.up], box[across(way)], width, height));
  return leaning && { ...leaning, tilt: 'leaning' };
}

/**
 * How a box fits in a lift: straight, leaning against two walls, or diagonal on the floor; undefined if it does not. The lift's door is a
 * separate opening.
 */
export function intoCabin(box: Box, { width, depth, height }: Cabin): Way | undefined {
  const ways = straightWays(box);
  const straight = ways.find((way) => box[way.up] <= height && box[way.ahead] <= depth && box[across(way)] <= width);
  if (straight) return straight;
  for (const way of ways) {
    const [up, ahead, side] = [box[way.up], box[way.ahead], box[across(way)]];
    if (ahead <= depth && tiltsInto(up, side, width, height)) return { ...way, tilt: 'leaning' };
    if (ahead <= width && tiltsInto(up, side, depth, height)) return { ...way, tilt: 'leaning' };
    if (up <= height && tiltsInto(ahead, side, width, depth)) return { ...way, tilt: 'diagonal' };
  }
  return undefined;
}

const STEPS = 360;

/**
 * Least clearance between the corner's inner edge and the outer long edge of a piece that turns, in millimetres; the caller subtracts the
 * piece's thickness. The ladder problem: with both ends of the long edge on the outer walls, that edge lies on x·sin t + y·cos t = l·sin
 * t·cos t. Sampled angles overestimate the minimum by at most 0.1 mm.
 */
function roomAtCorner(long: number, before: number, after: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let step = 0; step <= STEPS; step += 1) {
    const angle = (step / STEPS) * (Math.PI / 2);
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    least = Math.min(least, after * sin + before * cos - long * sin * cos);
  }
  return least;
}

/** Clearance (mm) of a long × thick plan at a corner; negative if it does not pass. It turns, or is pushed sideways without turning. */
export function spareAtCorner(long: number, thick: number, { before, after }: Pick<Corner, 'before' | 'after'>): number {
  const turning = Math.max(roomAtCorner(long, before, after) - thick, roomAtCorner(thick, before, after) - long);
  const sideways = Math.max(Math.min(before - thick, after - long), Math.min(before - long, after - thick));
  return Math.max(turning, sideways);
}

/** How a box passes a corner on a level floor; undefined if it does not. Ignores slopes, steps and handrails. */
export function roundCorner(box: Box, corner: Corner): Way | undefined {
  return straightWays(box).find((way) => box[way.up] <= corner.height && spareAtCorner(box[way.ahead], box[across(way)], corner) >= 0);
}
