import type { Gltf } from './glb.ts';
import { at, eachMesh, TRIANGLES } from './scene.ts';

/** How a component type is read, and its bytes. */
const COMPONENTS: Record<number, [read: (view: DataView, offset: number) => number, bytes: number]> = {
  5120: [(view, offset) => view.getInt8(offset), 1],
  5121: [(view, offset) => view.getUint8(offset), 1],
  5122: [(view, offset) => view.getInt16(offset, true), 2],
  5123: [(view, offset) => view.getUint16(offset, true), 2],
  5125: [(view, offset) => view.getUint32(offset, true), 4],
  5126: [(view, offset) => view.getFloat32(offset, true), 4],
};

/** Returns a function that reads a component of element `n` of an accessor; undefined for an accessor without data. */
function reader({ accessors = [], bufferViews = [] }: Gltf, binary: Buffer, index: number, components: number) {
  const accessor = accessors[index];
  const bufferView = bufferViews[accessor?.bufferView ?? -1];
  const [read, bytes] = COMPONENTS[accessor?.componentType ?? 0] ?? [];
  if (!accessor || !bufferView || !read || !bytes) return undefined;
  const view = new DataView(binary.buffer, binary.byteOffset, binary.length);
  const start = (bufferView.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  const stride = bufferView.byteStride ?? components * bytes;
  return (n: number, component: number) => read(view, start + n * stride + component * bytes);
}

/** The triangles of a valid glTF scene as nine numbers each, in metres. Strips, fans and sparse accessors are left out. */
export function* trianglesOf(gltf: Gltf, binary: Buffer): Generator<number[]> {
  for (const { primitive, transform, unit } of eachMesh(gltf)) {
    if ((primitive.mode ?? TRIANGLES) !== TRIANGLES) continue;
    const positions = primitive.attributes.POSITION ?? -1;
    const readPosition = reader(gltf, binary, positions, 3);
    const readIndex = primitive.indices === undefined ? undefined : reader(gltf, binary, primitive.indices, 1);
    if (!readPosition) continue;
    const count = gltf.accessors?.[primitive.indices ?? positions]?.count ?? 0;
    for (let n = 0; n + 2 < count; n += 3)
      yield [0, 1, 2].flatMap((k) => {
        const vertex = readIndex?.(n + k, 0) ?? n + k;
        const [x, y, z] = [0, 1, 2].map((axis) => readPosition(vertex, axis) / unit) as [number, number, number];
        return [0, 1, 2].map(
          (axis) => at(transform, axis) * x + at(transform, 4 + axis) * y + at(transform, 8 + axis) * z + at(transform, 12 + axis),
        );
      });
  }
}
