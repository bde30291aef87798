import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';
import { cpuMsOf } from '#server/testing/cpu-time.ts';
import { checkModel } from './check-model.ts';
import { type Gltf, readGlb } from './glb.ts';
import { measureScene } from './scene.ts';

const stool = readFileSync(join(ROOT, 'demo/models/tarn-oak-stool.glb'));

/** Chunks are aligned to four bytes: JSON is padded with spaces, binary data with zeros. */
function chunk(type: string, content: Buffer, filler: string): Buffer {
  const padded = Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4, filler)]);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(padded.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, padded]);
}

function aGlb(json: string, binary: Buffer): Buffer {
  const body = Buffer.concat([chunk('JSON', Buffer.from(json), ' '), chunk('BIN\0', binary, '\0')]);
  const head = Buffer.alloc(12);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(body.length + 12, 8);
  return Buffer.concat([head, body]);
}

/** The stool with changed JSON. */
function changed(change: (gltf: Required<Gltf> & Record<string, unknown>) => unknown): Buffer {
  const { gltf, binary } = readGlb(stool, 'stool.glb');
  change(gltf as Required<Gltf> & Record<string, unknown>);
  return aGlb(JSON.stringify(gltf), binary);
}

/** The stool with another first texture. */
async function textured(texture: Buffer, mimeType = 'image/png'): Promise<Buffer> {
  const { gltf, binary } = readGlb(stool, 'stool.glb') as { gltf: Required<Gltf>; binary: Buffer };
  const start = Math.ceil(binary.length / 4) * 4;
  const whole = Buffer.concat([binary, Buffer.alloc(start - binary.length), texture]);
  gltf.bufferViews.push(Object.assign({ byteOffset: start, byteLength: texture.length }, { buffer: 0 }));
  Object.assign(gltf.buffers[0] ?? {}, { byteLength: whole.length });
  Object.assign(gltf.images[0] ?? {}, { bufferView: gltf.bufferViews.length - 1, mimeType });
  return aGlb(JSON.stringify(gltf), whole);
}

const aTexture = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: '#865' } });
const withByte = (at: number, value: number) => {
  const bytes = Buffer.from(stool);
  bytes[at] = value;
  return bytes;
};
const first = <T>(list: T[]): T => list[0] as T;

test('the models of the demo are accepted as they are, and so is a texture of another kind (§16.2)', async () => {
  for (const name of ['tarn-oak-stool', 'fable-brass-floor-lamp', 'haven-boucle-sofa']) {
    const bytes = readFileSync(join(ROOT, 'demo/models', `${name}.glb`));
    expect(await checkModel(bytes, 'a.glb')).toBe(bytes);
  }
  await checkModel(await textured(await aTexture(64).png().toBuffer()), 'a.glb');
});

test('a model is measured as it is placed: turned, scaled, and as often as it is placed', () => {
  const { gltf } = readGlb(stool, 'stool.glb');
  const { triangles, box } = measureScene(gltf);
  expect(box.map((metres) => Math.round(metres * 100))).toEqual([38, 46, 40]);
  const nodes = gltf.nodes ?? [];
  const roots = first(gltf.scenes ?? []).nodes ?? [];
  const half = Math.SQRT1_2;
  // Rotated onto its side at twice the size, and a second instance ten metres away.
  const group = { children: roots, rotation: [0, 0, half, half], scale: [2, 2, 2] };
  const beside = { children: [nodes.length], matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1] };
  const twice = measureScene({ ...gltf, nodes: [...nodes, group, beside], scenes: [{ nodes: [nodes.length, nodes.length + 1] }] });
  expect([twice.triangles / triangles, ...twice.box.map((metres) => Math.round(metres * 100))]).toEqual([2, 1_092, 76, 80]);
});

test.each<[string, () => Buffer | Promise<Buffer>, number, string]>([
  ['nothing', () => Buffer.alloc(0), 415, 'is not a GLB'],
  ['a script', () => Buffer.from('<script>alert(1)</script><!-- padding -->'), 415, 'is not a GLB'],
  ['a glTF of version 1', () => withByte(4, 1), 415, 'is not a GLB'],
  ['more than 5 MB', () => Buffer.concat([stool, Buffer.alloc(5 * 1024 * 1024)]), 413, 'is larger than 5 MB'],
  ['half of a model', () => stool.subarray(0, stool.length / 2), 400, 'is damaged'],
  ['something behind the model', () => Buffer.concat([stool, Buffer.from('<script>alert(1)</script>')]), 400, 'is damaged'],
  ['a JSON chunk longer than the file', () => withByte(15, 0x7f), 400, 'is damaged'],
  ['a first chunk that is no JSON', () => withByte(16, 0x42), 400, 'is damaged'],
  ['a third chunk', () => aGlb('{}', Buffer.alloc(4)).fill(200, 24, 25), 400, 'is damaged'],
  ['malformed JSON', () => aGlb('{"asset":', Buffer.alloc(4)), 400, 'is damaged'],
  [
    'JSON of a megabyte',
    () => aGlb(`{"asset":{"version":"2.0","copyright":"${'x'.repeat(1024 * 1024)}"}}`, Buffer.alloc(4)),
    413,
    'too many parts',
  ],
  [
    'a thousand nodes of nine thousand parts each',
    () =>
      changed(({ nodes, scenes, meshes }) => {
        const primitives = Array.from({ length: 9_000 }, () => ({ attributes: {} }));
        const mesh = meshes.push({ primitives }) - 1;
        for (let n = 0; n < 900; n += 1) first(scenes).nodes?.push(nodes.push({ mesh }) - 1);
      }),
    413,
    'too many parts',
  ],
  [
    'parts that share more corners than can be read',
    () =>
      changed(({ meshes }) => {
        const primitive = first(first(meshes).primitives);
        first(meshes).primitives.push(...Array.from({ length: 4_000 }, () => ({ ...primitive })));
      }),
    413,
    'too many parts',
  ],
  [
    'a part that morphs into thousands of others with the same corners',
    () =>
      changed(({ meshes }) => {
        const primitive = first(first(meshes).primitives);
        primitive.targets = Array.from({ length: 15_000 }, () => ({ POSITION: primitive.attributes.POSITION ?? 0 }));
      }),
    413,
    'too many parts',
  ],
  [
    'a corner with thousands of attributes',
    () =>
      changed(({ meshes }) => {
        const { attributes } = first(first(meshes).primitives);
        for (let n = 0; n < 5_000; n += 1) attributes[`_ODD_${n}`] = attributes.POSITION ?? 0;
      }),
    413,
    'too many parts',
  ],
  [
    'points in their hundred thousands',
    () =>
      changed(({ meshes, nodes, scenes }) => {
        const { indices, ...primitive } = first(first(meshes).primitives);
        expect(indices).toBeDefined();
        const mesh = meshes.push({ primitives: Array.from({ length: 200 }, () => ({ ...primitive, mode: 0 })) }) - 1;
        for (let n = 0; n < 20; n += 1) first(scenes).nodes?.push(nodes.push({ mesh }) - 1);
      }),
    413,
    'triangles, lines and points',
  ],
  ['JSON that is a number', () => aGlb('7', Buffer.alloc(4)), 400, ''],
  ['JSON that is nothing', () => aGlb('null', Buffer.alloc(4)), 400, 'cannot be read'],
  [
    'JSON that is nested deeply',
    () => aGlb(`{"asset":{"version":"2.0"},"extras":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, Buffer.alloc(4)),
    400,
    '',
  ],
  ['lists that are none', () => changed((gltf) => Object.assign(gltf, { accessors: { length: 3 } })), 400, 'cannot be read'],
  ['an empty scene', () => changed((gltf) => Object.assign(first(gltf.scenes), { nodes: undefined })), 400, 'shows nothing'],
  [
    'a texture somewhere else',
    () => changed(({ images }) => Object.assign(first(images), { uri: 'https://example.com/a.png', bufferView: undefined })),
    400,
    'refers to other files',
  ],
  [
    'a texture within an address',
    () => changed(({ images }) => Object.assign(first(images), { uri: 'data:image/png;base64,AAAA', bufferView: undefined })),
    400,
    'refers to other files',
  ],
  [
    'a buffer somewhere else',
    () => changed(({ buffers }) => Object.assign(first(buffers), { uri: 'file:///etc/passwd' })),
    400,
    'refers to other files',
  ],
  [
    'compression',
    () => changed(({ extensionsUsed }) => extensionsUsed.push('KHR_draco_mesh_compression')),
    400,
    'uses KHR_draco_mesh_compression',
  ],
  [
    'an extension that is not declared',
    () =>
      changed(({ meshes }) =>
        Object.assign(first(first(meshes).primitives), { extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: {} } } }),
      ),
    400,
    'is not valid glTF',
  ],
  [
    'an error behind a thousand remarks',
    () =>
      changed((gltf) => {
        gltf.nodes.push(...Array.from({ length: 900 }, () => ({})));
        Object.assign(gltf, { materials: [...(gltf.materials as object[]), ...Array.from({ length: 900 }, () => ({}))] });
        Object.assign(first(gltf.bufferViews), { byteOffset: 4_000_000_000 });
      }),
    400,
    'stool.glb',
  ],
  [
    'parts that nothing uses, more than the validator reports',
    () =>
      changed((gltf) =>
        Object.assign(gltf, { materials: [...(gltf.materials as object[]), ...Array.from({ length: 1_500 }, () => ({}))] }),
      ),
    400,
    'too many parts that nothing uses',
  ],
  [
    'numbers beyond its bytes',
    () => changed(({ bufferViews }) => Object.assign(first(bufferViews), { byteOffset: 4_000_000_000 })),
    400,
    'is not valid glTF',
  ],
  [
    'a part of itself in itself',
    () => changed(({ nodes, scenes }) => Object.assign(nodes[first(scenes).nodes?.[0] ?? 0] ?? {}, { children: first(scenes).nodes })),
    400,
    'is not valid glTF',
  ],
  [
    'two billion vertices that it does not have',
    () => changed(({ accessors }) => accessors.push({ count: 2_000_000_000, componentType: 5126 })),
    413,
    'too many parts',
  ],
  [
    'less than no vertices, to make up for many',
    () => changed(({ accessors }) => accessors.push({ count: 2e9, componentType: 5126 }, { count: -2e9, componentType: 5126 })),
    413,
    'too many parts',
  ],
  [
    'a mesh in a thousand places',
    () =>
      changed(({ nodes, scenes }) => {
        const mesh = first(nodes).mesh ?? 0;
        for (let n = 0; n < 900; n += 1) first(scenes).nodes?.push(nodes.push({ mesh, translation: [n / 100, 0, 0] }) - 1);
      }),
    413,
    'triangles',
  ],
  [
    'more nodes than any piece has',
    () => changed(({ nodes }) => nodes.push(...Array.from({ length: 1_000 }, () => ({})))),
    413,
    'too many parts',
  ],
  [
    'a stool in centimetres',
    () => changed(({ nodes }) => nodes.map((node) => Object.assign(node, { scale: node.scale?.map((s) => s * 100) }))),
    400,
    'in metres',
  ],
  ['a texture of WebP', async () => textured(await aTexture(64).webp().toBuffer()), 400, ''],
  [
    'a texture that is half there',
    async () =>
      textured(
        (
          await sharp(Buffer.from(Array.from({ length: 48 * 48 * 3 }, (_, n) => (n * 7919) % 251)), {
            raw: { width: 48, height: 48, channels: 3 },
          })
            .png()
            .toBuffer()
        ).subarray(0, 400),
      ),
    415,
    'not a complete JPEG or PNG',
  ],
  ['a texture larger than phones take', async () => textured(await aTexture(2_049).png().toBuffer()), 413, '2049 × 2049'],
])('%s is refused (§16.2)', async (_, make, status, words) => {
  await expect((async () => checkModel(await make(), 'stool.glb'))()).rejects.toMatchObject({
    name: 'Problem',
    status,
    message: expect.stringContaining(words),
  });
});

test.each([
  ['escaped quotation marks', '\\"'],
  ['quotation marks', '"'],
  ['backslashes', '\\'],
  ['brackets', '[]'],
])('the longest JSON of nothing but %s is read at once: time that grew with its square took 8 s', (_, part) => {
  const glb = aGlb(`{"asset":${part.repeat(500_000 / part.length)}`, Buffer.alloc(4));
  expect(cpuMsOf(() => expect(() => readGlb(glb, 'a.glb')).toThrow(expect.objectContaining({ status: 400 })))).toBeLessThan(1_000);
});
