import type { Gltf } from './glb.ts';

/** A 4 × 4 matrix in column-major order, as in glTF. */
type Matrix = readonly number[];
type Node = NonNullable<Gltf['nodes']>[number];

const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const TRIANGLES = 4;
/** Divisors of normalised integers, by component type: the largest integer means 1. */
const LARGEST: Record<number, number> = { 5120: 127, 5121: 255, 5122: 32_767, 5123: 65_535 };

/** `at(values, n)`: indexed access for lists of known length. */
const at = (values: readonly number[], n: number) => values[n] ?? 0;

const product = (a: Matrix, b: Matrix): Matrix =>
  Array.from({ length: 16 }, (_, n) => [0, 1, 2, 3].reduce((sum, k) => sum + at(a, k * 4 + (n % 4)) * at(b, Math.floor(n / 4) * 4 + k), 0));

/** A node's transform: its matrix, or scale, then rotation (quaternion), then translation. */
function matrixOf({ matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }: Node): Matrix {
  if (matrix) return matrix;
  const [x, y, z, w] = [at(rotation, 0), at(rotation, 1), at(rotation, 2), at(rotation, 3)];
  const [sx, sy, sz] = [at(scale, 0), at(scale, 1), at(scale, 2)];
  return [
    ...[(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0],
    ...[2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0],
    ...[2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0],
    ...[...translation, 1],
  ];
}

/** The 8 corners of an accessor's bounding box, in mesh units. */
function cornersOf({ min = [], max = [], normalized, componentType }: NonNullable<Gltf['accessors']>[number]): number[][] {
  const unit = normalized ? (LARGEST[componentType] ?? 1) : 1;
  return Array.from({ length: 8 }, (_, n) => [0, 1, 2].map((axis) => at((n >> axis) % 2 === 0 ? min : max, axis) / unit));
}

/**
 * Measures a valid glTF scene, with each instance of a mesh counted: triangles, vertices of lines and points, and the bounding box (metres;
 * x, y, z).
 */
export function measureScene({ accessors = [], meshes = [], nodes = [], scenes = [], scene = 0 }: Gltf): {
  triangles: number;
  linesAndPoints: number;
  box: number[];
} {
  let [triangles, linesAndPoints] = [0, 0];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const visit = (index: number, outer: Matrix) => {
    const node = nodes[index] ?? {};
    const place = product(outer, matrixOf(node));
    for (const { mode = TRIANGLES, indices, attributes } of meshes[node.mesh ?? -1]?.primitives ?? []) {
      const positions = accessors[attributes.POSITION ?? -1];
      if (!positions) continue;
      const corners = accessors[indices ?? -1]?.count ?? positions.count;
      if (mode < TRIANGLES) {
        linesAndPoints += corners;
        continue;
      }
      triangles += mode === TRIANGLES ? corners / 3 : corners - 2;
      for (const corner of cornersOf(positions)) {
        for (let axis = 0; axis < 3; axis += 1) {
          const where = [0, 1, 2].reduce((sum, k) => sum + at(place, k * 4 + axis) * at(corner, k), at(place, 12 + axis));
          low[axis] = Math.min(at(low, axis), where);
          high[axis] = Math.max(at(high, axis), where);
        }
      }
    }
    for (const child of node.children ?? []) visit(child, place);
  };
  for (const root of scenes[scene]?.nodes ?? []) visit(root, IDENTITY);
  return { triangles, linesAndPoints, box: high.map((value, axis) => value - at(low, axis)) };
}
