/**
 * Whether a piece of furniture, taken as a closed box, goes through an opening, into a lift or round a corner (docs/decisions/0027). Lengths are
 * millimetres. Every answer names a way to carry the piece, so that a yes can be followed; a no means that none of the ways here will do.
 */
import type { Box, Side } from './dimensions.ts';

/** An opening in a wall. */
export interface Opening {
  width: number;
  height: number;
}
/** The inside of a lift. */
export type Cabin = Box;
/** A right-angled corner on a level floor: the ways before and after it, and the ceiling above. */
export interface Corner {
  before: number;
  after: number;
  height: number;
}

/** How a piece is held while it passes: which of its sides points up, which goes ahead, and whether it leans. */
export interface Way {
  up: Side;
  ahead: Side;
  /** `leaning`: up and across are turned together, so that the piece stands on an edge. `diagonal`: it stands across the floor at an angle. */
  tilt: 'none' | 'leaning' | 'diagonal';
}

/** Upright before on its back before on end. */
const UP: readonly Side[] = ['height', 'depth', 'width'];
/** The side that is neither of the two. */
export const across = ({ up, ahead }: Pick<Way, 'up' | 'ahead'>): Side => UP.find((side) => side !== up && side !== ahead) ?? 'width';

/** All six ways to hold a box straight: upright before laid down, and the longer side ahead, as people carry furniture. */
export function straightWays(box: Box): Way[] {
  return UP.flatMap((up) => {
    const others = UP.filter((side) => side !== up).sort((one, other) => box[other] - box[one]);
    return others.map((ahead) => ({ up, ahead, tilt: 'none' as const }));
  });
}

/**
 * A rectangle p × q is turned until it is exactly `room` wide: how high it then is. No narrower opening of that width lets it through at an angle.
 * Undefined where the rectangle is never so narrow.
 *
 * At the angle t the rectangle is d·cos(t − a) wide and d·sin(t + a) high, where d is its diagonal and a the angle of its diagonal to its longer
 * side. Both ends of the range of angles that keep the width are the least heights, since the sine between them is concave: one end is the
 * rectangle held straight, the other is this. It is Carver's condition for a rectangle in a rectangle (American Mathematical Monthly 64, 1957,
 * p. 114; J. E. Wetzel, Rectangles in Rectangles, Mathematics Magazine 73, 2000, p. 204).
 */
export function tiltedHeight(p: number, q: number, room: number): number | undefined {
  const diagonal = Math.hypot(p, q);
  const angle = Math.atan2(Math.min(p, q), Math.max(p, q));
  const turn = angle + Math.acos(Math.min(1, room / diagonal));
  // A rounding error must not turn a rectangle over that is exactly as wide as the room.
  return turn > Math.PI / 2 + 1e-9 ? undefined : diagonal * Math.sin(turn + angle);
}

/** Whether a rectangle goes into another at an angle. */
const tiltsInto = (p: number, q: number, width: number, height: number) =>
  (tiltedHeight(p, q, Math.max(width, height)) ?? Number.POSITIVE_INFINITY) <= Math.min(width, height);

/** How a box goes straight through an opening; undefined where it does not. It needs room for its length before and behind the opening. */
export function throughOpening(box: Box, { width, height }: Opening): Way | undefined {
  const ways = straightWays(box);
  const straight = ways.find((way) => box[way.up] <= height && box[across(way)] <= width);
  if (straight) return straight;
  const leaning = ways.find((way) => tiltsInto(box[way.up], box[across(way)], width, height));
  return leaning && { ...leaning, tilt: 'leaning' };
}

/** How a box stands in a lift: straight, leaning against two walls, or across its floor. The lift's door is an opening of its own. */
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
 * The room between a piece that turns a corner and the corner's inner edge, at the angle where it is least. The piece keeps both ends of its long
 * edge at the outer walls, which is the ladder problem for a ladder with a thickness: that edge lies on the line x·sin t + y·cos t = l·sin t·cos t,
 * and the inner edge (after, before) must be further from it than the piece is thick. Between two of the angles that are tried the room is at
 * most a tenth of a millimetre less.
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

/** How much is to spare when a piece of this plan goes round a corner; negative where it does not. It turns, or is pushed on sideways without turning. */
export function spareAtCorner(long: number, thick: number, { before, after }: Pick<Corner, 'before' | 'after'>): number {
  const turning = Math.max(roomAtCorner(long, before, after) - thick, roomAtCorner(thick, before, after) - long);
  const sideways = Math.max(Math.min(before - thick, after - long), Math.min(before - long, after - thick));
  return Math.max(turning, sideways);
}

/** How a box goes round a corner on a level floor. Slopes, steps and handrails are not judged. */
export function roundCorner(box: Box, corner: Corner): Way | undefined {
  return straightWays(box).find((way) => box[way.up] <= corner.height && spareAtCorner(box[way.ahead], box[across(way)], corner) >= 0);
}
