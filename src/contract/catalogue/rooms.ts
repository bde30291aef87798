/** A piece's position in a room's picture, in per cent from the left and the top of the visible part. */
export interface Spot {
  name: string;
  x: number;
  y: number;
}

/** The shapes in which a room's picture is shown, cut to it from its middle. */
export const ROOM_SHAPES = ['wide', 'tall'] as const;
export type RoomShape = (typeof ROOM_SHAPES)[number];

const SPOT = /\s*(.+?)\s*\(\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*\)\s*(?:,|$)/y;

/** `Oslo Sofa (55, 66), Orla Table (40, 78)` → the spots, or undefined for any other text. */
export function spotsIn(text: string): Spot[] | undefined {
  const spots: Spot[] = [];
  for (let at = 0; at < text.length; at = SPOT.lastIndex) {
    SPOT.lastIndex = at;
    const [, name, x, y] = SPOT.exec(text) ?? [];
    const spot = { name: name ?? '', x: Number(x), y: Number(y) };
    if (!name || spot.x > 100 || spot.y > 100) return undefined;
    spots.push(spot);
  }
  return spots;
}

/** The text of some spots. */
export const textOfSpots = (spots: readonly Spot[]): string => spots.map(({ name, x, y }) => `${name} (${x}, ${y})`).join(', ');
