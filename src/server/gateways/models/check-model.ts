import { validateBytes } from 'gltf-validator';
import sharp from 'sharp';
import { MAX_MODEL_MB } from '#contract/catalogue/catalogue.ts';
import { isProblem, Problem } from '#contract/platform/problem.ts';
import { hasManyScans } from '#server/gateways/loaders.ts';
import { type Gltf, type Primitive, readGlb } from './glb.ts';
import { measureScene } from './scene.ts';

// Only a worker process loads this module: hostile files are never decoded in the server (decision 17).

/** Vertices, indices and key frames together. An accessor may declare any count without holding data, and viewers allocate it. */
const MAX_ELEMENTS = 2_000_000;
/** As drawn, including lines and points; a phone still turns this smoothly. */
const MAX_TRIANGLES = 150_000;
const MAX_NODES = 1_000;
/** Counted per instance: each is one draw call. */
const MAX_PRIMITIVES = 5_000;
/** The validator stops after this many messages and leaves the rest of the file unchecked. */
const MAX_ISSUES = 1_000;
const MAX_TEXTURES = 32;
const MAX_SIDE = 2_048;
const MAX_PIXELS = 24_000_000;
/** Metres. Larger than any piece, but smaller than one exported in centimetres. */
const LARGEST = 20;
const SMALLEST = 0.01;

/**
 * Extensions that our viewer and those of phones draw. No compression: its decoders are WebAssembly, which the CSP forbids (decision 56).
 */
const EXTENSIONS =
  /^KHR_(mesh_quantization|texture_transform|materials_(anisotropy|clearcoat|dispersion|emissive_strength|ior|iridescence|sheen|specular|transmission|unlit|variants|volume))$/;

/** As many as every viewer can draw. */
const MAX_ATTRIBUTES = 16;

/** Cost of the meshes even where they share accessors: corners read by the validator or held for morphing, and primitives drawn. */
function workOf({ accessors = [], meshes = [], nodes = [] }: Gltf): { corners: number; primitives: number } {
  const countOf = (accessor = -1) => accessors[accessor]?.count ?? 0;
  const cornersOf = ({ indices, attributes, targets = [] }: Primitive) => {
    if (Object.keys(attributes).length > MAX_ATTRIBUTES) return Number.POSITIVE_INFINITY;
    return targets.flatMap(Object.values<number>).reduce((sum, one) => sum + countOf(one), countOf(indices ?? attributes.POSITION));
  };
  return {
    corners: meshes.flatMap(({ primitives }) => primitives).reduce((sum, primitive) => sum + cornersOf(primitive), 0),
    primitives: nodes.reduce((sum, { mesh }) => sum + (meshes[mesh ?? -1]?.primitives.length ?? 0), 0),
  };
}

/** Checks that must pass before any code follows the file's own numbers. */
function refuseOutright(gltf: Gltf, filename: string): void {
  const { extensionsUsed = [], buffers = [], images = [], accessors = [], nodes = [] } = gltf;
  if ([...buffers, ...images].some(({ uri }) => uri !== undefined))
    throw new Problem(400, `${filename} refers to other files. Please export everything into one GLB.`);
  const unsupported = extensionsUsed.filter((name) => !EXTENSIONS.test(name));
  if (unsupported.length > 0)
    throw new Problem(400, `${filename} uses ${unsupported.join(', ')}, which not every phone can show. Please export it without.`);
  const elements = accessors.reduce((sum, { count }) => sum + Math.abs(count), 0);
  const { corners, primitives } = workOf(gltf);
  const isBounded = elements <= MAX_ELEMENTS && corners <= MAX_ELEMENTS && primitives <= MAX_PRIMITIVES;
  if (!isBounded || nodes.length > MAX_NODES || images.length > MAX_TEXTURES)
    throw new Problem(413, `${filename} has too many parts. Please join and simplify them before the export.`);
}

/** Each texture must decode as JPEG or PNG, and together they must fit a phone's memory. */
async function checkTextures({ images = [], bufferViews = [] }: Gltf, binary: Buffer, filename: string): Promise<void> {
  let pixels = 0;
  for (const { bufferView, mimeType } of images) {
    const unreadable = new Problem(415, `A texture of ${filename} is not a complete JPEG or PNG.`);
    const { byteOffset = 0, byteLength = 0 } = bufferViews[bufferView ?? -1] ?? {};
    const content = binary.subarray(byteOffset, byteOffset + byteLength);
    // Its pixels are limited below, before they are decoded.
    const texture = sharp(content, { limitInputPixels: false, failOn: 'error' });
    const { format, width, height } = await texture.metadata().catch(() => {
      throw unreadable;
    });
    if (!['jpeg', 'png'].includes(format) || mimeType !== `image/${format}`) throw unreadable;
    pixels += width * height;
    if (Math.max(width, height) > MAX_SIDE)
      throw new Problem(413, `A texture of ${filename} is ${width} × ${height} pixels. At most ${MAX_SIDE} a side.`);
    if (pixels > MAX_PIXELS) throw new Problem(413, `The textures of ${filename} are too large together. Please make them smaller.`);
    if (format === 'jpeg' && hasManyScans(content))
      throw new Problem(413, `A texture of ${filename} is stored in more than 30 layers. Please save it again as an ordinary JPEG.`);
    await texture.stats().catch(() => {
      throw unreadable;
    });
  }
}

/** Throws 400 with the first error of the Khronos validator. */
async function validate(bytes: Buffer, filename: string): Promise<void> {
  const { issues } = await validateBytes(new Uint8Array(bytes), { maxIssues: MAX_ISSUES });
  const error = issues.messages.find(({ severity }) => severity === 0);
  if (!error && issues.truncated)
    throw new Problem(400, `${filename} has too many parts that nothing uses. Please export it without them.`);
  if (error) throw new Problem(400, `${filename} is not valid glTF: ${error.message} (${error.pointer ?? error.code})`);
}

/** Returns an uploaded GLB unchanged once all its parts are valid for our viewers. Throws 400, 413 or 415. */
export async function checkModel(bytes: Buffer, filename: string): Promise<Buffer> {
  if (bytes.length > MAX_MODEL_MB * 1024 * 1024)
    throw new Problem(413, `${filename} is larger than ${MAX_MODEL_MB} MB. Please export it with smaller textures.`);
  const { gltf, binary } = readGlb(bytes, filename);
  try {
    refuseOutright(gltf, filename);
    await validate(bytes, filename);
  } catch (error) {
    // Untrusted JSON may hold something else where a list belongs.
    throw isProblem(error) ? error : new Problem(400, `${filename} cannot be read. Please export it again.`);
  }
  await checkTextures(gltf, binary, filename);
  const { triangles, linesAndPoints, box } = measureScene(gltf);
  if (triangles < 1) throw new Problem(400, `${filename} shows nothing.`);
  const drawn = triangles + linesAndPoints;
  if (drawn > MAX_TRIANGLES)
    throw new Problem(
      413,
      `${filename} has ${Math.round(drawn).toLocaleString('en-GB')} triangles, lines and points. At most ${MAX_TRIANGLES.toLocaleString('en-GB')}.`,
    );
  const largest = Math.max(...box);
  if (!(largest >= SMALLEST && largest <= LARGEST))
    throw new Problem(400, `${filename} is ${Number(largest.toPrecision(2))} metres across. Please export it in metres.`);
  return bytes;
}
