/** What must hold of the models that ship with the demo: read by check.mjs. */
import { readFileSync } from 'node:fs';
import { validateBytes } from 'gltf-validator';

const LARGEST_MODEL = 800 * 1024;
/** A model and its product's measurements may differ by so much, in centimetres. */
const PLAY = 1;
/** Handles and knobs stand out from the box that is measured, and are measured with it once more: photography/bake.py keeps them apart by this name. */
const HANDLES = 'handles';

/** The JSON of a GLB. */
function jsonOf(bytes) {
  return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString('utf8'));
}

/** Width, height and depth of some nodes, in centimetres, and where they stand above the floor. The nodes are scaled and moved only. */
function boxOf({ nodes, meshes, accessors }, isMeasured) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { name, mesh, scale, translation } of nodes) {
    if (!isMeasured(name)) continue;
    for (const { attributes } of meshes[mesh].primitives) {
      const { min, max } = accessors[attributes.POSITION];
      for (let axis = 0; axis < 3; axis += 1) {
        // Positions are whole numbers of 16 bits that stand for 0 to 1.
        const at = (value) => (value / 65_535) * scale[axis] * 100 + translation[axis] * 100;
        low[axis] = Math.min(low[axis], at(min[axis]));
        high[axis] = Math.max(high[axis], at(max[axis]));
      }
    }
  }
  const [width, height, depth] = high.map((value, axis) => value - low[axis]);
  return { width, height, depth, floor: low[1] };
}

/** A model is valid, no larger than allowed, stands on the floor, is as large as its size, and shows every colour. Returns its bytes. */
export async function checkModel(path, { measurements }, colors, must) {
  const bytes = readFileSync(path);
  must(bytes.length <= LARGEST_MODEL, `the model is above ${LARGEST_MODEL / 1024} KB`);
  const { issues } = await validateBytes(new Uint8Array(bytes), { maxIssues: 20 });
  for (const { severity, code, message } of issues.messages) must(severity > 0, `the model is not valid: ${code} ${message}`);
  const gltf = jsonOf(bytes);
  const variants = gltf.extensions?.KHR_materials_variants?.variants.map(({ name }) => name) ?? [];
  const wanted = colors.length > 1 ? colors.map(({ hexCode }) => hexCode) : [];
  must(String(variants) === String(wanted), `the model shows the colours ${variants}, not ${wanted}`);
  const { width, height, depth, floor } = boxOf(gltf, (name) => name !== HANDLES);
  const whole = boxOf(gltf, () => true);
  must(Math.abs(floor) <= PLAY, `the model stands ${floor.toFixed(1)} cm above the floor`);
  const found = { Width: width, Depth: depth, Height: height, Diameter: Math.max(width, depth), 'Depth with handles': whole.depth };
  const isToldWhole = measurements.some(({ name }) => name === 'Depth with handles') || whole.depth - depth <= PLAY;
  must(isToldWhole, `with its handles it is ${whole.depth.toFixed(1)} cm deep, which no measurement says`);
  for (const { name, value } of measurements)
    if (name in found)
      must(Math.abs(found[name] - Number(value)) <= PLAY, `${name} is ${value} cm, but ${found[name].toFixed(1)} cm in the model`);
  return bytes.length;
}
