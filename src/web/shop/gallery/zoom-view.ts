/** Position of a picture in its frame: scale relative to the fitted size, and its centre's offset from the frame's, in pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Point {
  x: number;
  y: number;
}

/** Sizes of the frame and of the fitted picture, in pixels. */
export interface Bounds {
  frame: { width: number; height: number };
  fit: { width: number; height: number };
}

export const FITS: View = { scale: 1, x: 0, y: 0 };
/** Scales of a double tap, and the maximum. */
export const CLOSE = 2.5;
export const CLOSEST = 4;

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** Clamps a view: the picture covers its frame, or is centred where smaller. */
function clamped({ scale, x, y }: View, { frame, fit }: Bounds): View {
  const allowed = clamp(scale, 1, CLOSEST);
  const roomFor = (picture: number, room: number) => Math.max(0, (picture * allowed - room) / 2);
  const [right, down] = [roomFor(fit.width, frame.width), roomFor(fit.height, frame.height)];
  return { scale: allowed, x: clamp(x, -right, right), y: clamp(y, -down, down) };
}

/** Zooms by a factor about a point (relative to the frame's centre), clamped to the picture. */
export function zoomedAt(view: View, factor: number, at: Point, bounds: Bounds): View {
  const scale = clamp(view.scale * factor, 1, CLOSEST);
  const change = scale / view.scale;
  return clamped({ scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change }, bounds);
}

export function movedBy(view: View, { x, y }: Point, bounds: Bounds): View {
  return clamped({ ...view, x: view.x + x, y: view.y + y }, bounds);
}
