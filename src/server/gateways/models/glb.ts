import { Problem } from '#contract/platform/problem.ts';

export interface Primitive {
  mode?: number;
  indices?: number;
  attributes: Record<string, number>;
  /** Of morphing, each with its own attributes. */
  targets?: Record<string, number>[];
}

/** The parts of a glTF that the checks read. Any of them may be missing or wrong until the validator has run. */
export interface Gltf {
  extensionsUsed?: string[];
  buffers?: { uri?: string }[];
  bufferViews?: { byteOffset?: number; byteLength: number; byteStride?: number }[];
  images?: { uri?: string; bufferView?: number; mimeType?: string }[];
  accessors?: {
    bufferView?: number;
    byteOffset?: number;
    count: number;
    componentType: number;
    normalized?: boolean;
    min?: number[];
    max?: number[];
  }[];
  meshes?: { primitives: Primitive[] }[];
  nodes?: { mesh?: number; children?: number[]; matrix?: number[]; translation?: number[]; rotation?: number[]; scale?: number[] }[];
  scenes?: { nodes?: number[] }[];
  scene?: number;
}

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const HEADER = 12;
const CHUNK_HEADER = 8;
/** A product's JSON takes a few thousand bytes. */
const MAX_JSON = 512 * 1024;

/** glTF itself nests about 12 levels; the validator's recursion overflows at some thousands. */
const MAX_DEPTH = 64;

/** Nesting depth of JSON text, in one pass and without recursion. */
function depthOf(json: string): number {
  let [depth, deepest] = [0, 0];
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') isInString = !isInString;
    else if (isInString && character === '\\') at += 1;
    else if (!isInString && (character === '[' || character === '{')) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (!isInString && (character === ']' || character === '}')) depth -= 1;
  }
  return deepest;
}

/** Splits a GLB into its JSON and its binary chunk. Throws 400, 413 or 415. */
export function readGlb(bytes: Buffer, filename: string): { gltf: Gltf; binary: Buffer } {
  if (bytes.length < HEADER + CHUNK_HEADER || bytes.readUInt32LE(0) !== MAGIC || bytes.readUInt32LE(4) !== 2)
    throw new Problem(415, `${filename} is not a GLB, the binary form of glTF 2.0.`);
  const damaged = new Problem(400, `${filename} is damaged. Please export it again.`);
  const jsonLength = bytes.readUInt32LE(HEADER);
  const jsonEnd = HEADER + CHUNK_HEADER + jsonLength;
  if (bytes.readUInt32LE(8) !== bytes.length || bytes.readUInt32LE(HEADER + 4) !== JSON_CHUNK || jsonEnd > bytes.length) throw damaged;
  if (jsonLength > MAX_JSON) throw new Problem(413, `${filename} is made of too many parts. Please join them before the export.`);
  let binary = bytes.subarray(jsonEnd);
  if (binary.length > 0) {
    const isWhole = binary.length >= CHUNK_HEADER && binary.readUInt32LE(0) === binary.length - CHUNK_HEADER;
    if (!isWhole || binary.readUInt32LE(4) !== BINARY_CHUNK) throw damaged;
    binary = binary.subarray(CHUNK_HEADER);
  }
  const json = bytes.toString('utf8', HEADER + CHUNK_HEADER, jsonEnd);
  if (depthOf(json) > MAX_DEPTH) throw damaged;
  try {
    return { gltf: JSON.parse(json) as Gltf, binary };
  } catch {
    throw damaged;
  }
}
