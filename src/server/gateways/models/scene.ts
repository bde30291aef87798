import type { Gltf, Primitive } from './glb.ts';

/** A 4 × 4 matrix in column-major order, as in glTF. */
type Matrix = readonly number[];
type Node = NonNullable<Gltf['nodes']>[number];

const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
/** The mode of a primitive whose corners form separate triangles. Lower ones are points and lines, higher ones strips and fans. */
export const TRIANGLES = 4;
/** Divisors of normalised integers, by component type: the largest integer means 1. */
const LARGEST: Record<number, number> = { 5120: 127, 5121: 255, 5122: 32_767, 5123: 65_535 };

/** `at(values, n)`: indexed access for lists of known length. */
export const at = (values: readonly number[], n: number) => values[n] ?? 0;

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
function cornersOf({ min = [], max = [] }: NonNullable<Gltf['accessors']>[number], unit: number): number[][] {
  return Array.from({ length: 8 }, (_, n) => [0, 1, 2].map((axis) => at((n >> axis) % 2 === 0 ? min : max, axis) / unit));
}

interface Placed {
  primitive: Primitive;
  /** From mesh units to metres. */
  transform: Matrix;
  /** The divisor of its positions. */
  unit: number;
}

const unitOf = ({ normalized, componentType }: NonNullable<Gltf['accessors']>[number]) => (normalized ? (LARGEST[componentType] ?? 1) : 1);

/** The primitives of a valid glTF scene, once for each instance of their mesh. */
export function* eachMesh({ accessors = [], meshes = [], nodes = [], scenes = [], scene = 0 }: Gltf): Generator<Placed> {
  const waiting = (scenes[scene]?.nodes ?? []).map((index) => ({ index, outer: IDENTITY }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const node = nodes[next.index] ?? {};
    const transform = product(next.outer, matrixOf(node));
    for (const primitive of meshes[node.mesh ?? -1]?.primitives ?? []) {
      const positions = accessors[primitive.attributes.POSITION ?? -1];
      if (positions) yield { primitive, transform, unit: unitOf(positions) };
    }
    for (const child of node.children ?? []) waiting.push({ index: child, outer: transform });
  }
}

/**
 * Measures a valid glTF scene, with each instance of a mesh counted: triangles, vertices of lines and points, and the bounding box of the triangles (metres;
 * x, y, z).
 */
export function measureScene(gltf: Gltf): {
  triangles: number;
  linesAndPoints: number;
  box: number[];
} {
  const { accessors = [] } = gltf;
  let triangles = 0;
  let linesAndPoints = 0;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { primitive, transform, unit } of eachMesh(gltf)) {
    const { mode = TRIANGLES, indices, attributes } = primitive;
    const positions = accessors[attributes.POSITION ?? -1];
    if (!positions) continue;
    const corners = accessors[indices ?? -1]?.count ?? positions.count;
    if (mode < TRIANGLES) {
      linesAndPoints += corners;
      continue;
    }
    triangles += mode === TRIANGLES ? corners / 3 : corners - 2;
    for (const corner of cornersOf(positions, unit)) {
      for (let axis = 0; axis < 3; axis += 1) {
        const coordinate = [0, 1, 2].reduce((sum, k) => sum + at(transform, k * 4 + axis) * at(corner, k), at(transform, 12 + axis));
        low[axis] = Math.min(at(low, axis), coordinate);
        high[axis] = Math.max(at(high, axis), coordinate);
      }
    }
  }
  return { triangles, linesAndPoints, box: high.map((value, axis) => value - at(low, axis)) };
}
