/** How a picture lies in its frame: how much larger than it fits, and how far its centre is from the frame's, in pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Point {
  x: number;
  y: number;
}

/** Of the frame and of the picture as it fits into it, in pixels. */
export interface Bounds {
  frame: { width: number; height: number };
  fit: { width: number; height: number };
}

export const FITS: View = { scale: 1, x: 0, y: 0 };
/** What a double tap enlarges to, and the most there is. */
export const CLOSE = 2.5;
export const CLOSEST = 4;

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** The nearest view in which the picture covers its frame, or lies in its middle where it is smaller. */
export function within({ scale, x, y }: View, { frame, fit }: Bounds): View {
  const allowed = clamp(scale, 1, CLOSEST);
  const roomFor = (picture: number, room: number) => Math.max(0, (picture * allowed - room) / 2);
  const [right, down] = [roomFor(fit.width, frame.width), roomFor(fit.height, frame.height)];
  return { scale: allowed, x: clamp(x, -right, right), y: clamp(y, -(down ?? 0), down) };
}

/** Enlarges by a factor so that what lies under a point (from the frame's centre) stays there, as far as the picture reaches. */
export function zoomedAt(view: View, factor: number, at: Point, bounds: Bounds): View {
  const scale = clamp(view.scale * factor, 1, CLOSEST);
  const change = scale / view.scale;
  return within({ scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change }, bounds);
}

export function movedBy(view: View, { x, y }: Point, bounds: Bounds): View {
  return within({ ...view, x: view.x + x, y: view.y + y }, bounds);
}
