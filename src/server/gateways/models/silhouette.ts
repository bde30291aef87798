import { contours } from 'd3-contour';
import type { View } from '#contract/catalogue/pictures.ts';
import { Problem } from '#contract/platform/problem.ts';
import { readGlb } from './glb.ts';
import { trianglesOf } from './triangles.ts';

/** The axes of glTF that run across and up in a view. */
const ACROSS: Record<View, number> = { front: 0, side: 2 };
const UP = 1;
/** Pixels of the longer side, and the empty ones around it. */
const LONGEST = 260;
const MARGIN = 2;
const COLOUR = '#8a8378';

/** Marks the pixels whose middle is in a triangle. */
function fill(pixels: Float32Array, width: number, height: number, [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0]: number[]): void {
  const [left, right] = [Math.floor(Math.min(ax, bx, cx)), Math.ceil(Math.max(ax, bx, cx))];
  const [top, bottom] = [Math.floor(Math.min(ay, by, cy)), Math.ceil(Math.max(ay, by, cy))];
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y += 1)
    for (let x = Math.max(0, left); x < Math.min(width, right); x += 1) {
      const [px, py] = [x + 0.5, y + 0.5];
      const sides = [
        (bx - ax) * (py - ay) - (by - ay) * (px - ax),
        (cx - bx) * (py - by) - (cy - by) * (px - bx),
        (ax - cx) * (py - cy) - (ay - cy) * (px - cx),
      ];
      // The middle is inside if it is on the same side of all three edges.
      if (sides.every((side) => side >= 0) || sides.every((side) => side <= 0)) pixels[y * width + x] = 1;
    }
}

/** The outline of a valid GLB from one side, as an SVG that fills its box. Throws 400 for one without triangles. */
export function silhouetteOf(bytes: Buffer, view: View): string {
  const { gltf, binary } = readGlb(bytes, 'The 3D model');
  const flatTriangles = [...trianglesOf(gltf, binary)].map((corners) =>
    [0, 3, 6].map((n) => [corners[n + ACROSS[view]] ?? 0, corners[n + UP] ?? 0]),
  );
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x = 0, y = 0] of flatTriangles.flat()) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [low, high] = [Math.min(low, y), Math.max(high, y)];
  }
  if (!(right > left && high > low)) throw new Problem(400, 'The 3D model has no outline.');
  const scale = LONGEST / Math.max(right - left, high - low);
  const [across, up] = [(right - left) * scale, (high - low) * scale];
  const [width, height] = [Math.ceil(across) + 2 * MARGIN, Math.ceil(up) + 2 * MARGIN];
  const pixels = new Float32Array(width * height);
  for (const triangle of flatTriangles)
    fill(
      pixels,
      width,
      height,
      triangle.flatMap(([x = 0, y = 0]) => [(x - left) * scale + MARGIN, (high - y) * scale + MARGIN]),
    );
  const { coordinates } = contours().size([width, height]).contour(Array.from(pixels), 0.5);
  const rings = coordinates.flat().map((ring) => `M${ring.map(([x = 0, y = 0]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`);
  const box = [MARGIN, MARGIN, across, up].map((length) => Number(length.toFixed(1))).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" preserveAspectRatio="none"><path fill="${COLOUR}" fill-rule="evenodd" d="${rings.join('')}"/></svg>`;
}
