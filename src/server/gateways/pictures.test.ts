import { readdirSync, readFileSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { PICTURE_FORMATS, PICTURE_VARIANTS, PICTURE_WIDTHS } from '#contract/catalogue/pictures.ts';
import { ROOT } from '#server/platform/root.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { startObjectStorage } from '#server/testing/object-storage.ts';
import { pictureStore } from './pictures.ts';
import { WorkerProcess } from './worker-process.ts';

const dataDir = aFolder('pictures', afterAll);
const storage = await startObjectStorage();
afterAll(() => storage.close());
const s3 = {
  bucket: storage.bucket,
  endpoint: storage.url,
  region: 'eu-west-2',
  accessKeyId: storage.accessKeyId,
  secretAccessKey: storage.secretAccessKey,
};
const pictureCacheBytes = 1024 * 1024;
const onDisk = pictureStore({ s3: undefined, dataDir, pictureCacheBytes });
const inStorage = pictureStore({ s3, dataDir, pictureCacheBytes });

let shade = 0;
/** A picture in a unique colour, so that no other test shares it. */
function aPicture(width = 60, height = 40) {
  shade += 1;
  return sharp({
    create: { width, height, channels: 3, background: { r: (shade * 40) % 256, g: (Math.floor(shade / 6) * 40) % 256, b: 90 } },
  });
}
const idOf = (url: string) => /^\/images\/([a-f0-9]{32})-1200\.webp$/.exec(url)?.[1] ?? '';
const soon = () => new Date(Date.now() + 60_000);

const stores = [
  { name: 'on disk', store: onDisk, makeOld: (id: string) => utimes(join(dataDir, 'pictures/masters', `${id}.webp`), 0, 0) },
  {
    name: 'in object storage',
    store: inStorage,
    makeOld: async (id: string) => void Object.assign(storage.objects.get(`masters/${id}.webp`) ?? {}, { modified: new Date(0) }),
  },
];

describe.each(stores)('pictures $name', ({ store, makeOld }) => {
  test('a shop without pictures has none to list', async () => {
    expect(await store.list(soon())).toEqual([]);
  });

  test('a picture that is removed while its widths are made leaves none of them', async () => {
    // Noise of this size is encoded for some hundred milliseconds.
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const photo = sharp({ create: { width: 480, height: 480, channels: 3, background: '#888', noise } });
    const id = idOf(await store.add(await photo.jpeg().toBuffer(), 'photo.jpg'));
    const making = store.makeWidths(id);
    const [smallest] = PICTURE_VARIANTS;
    const isBegun = async () => smallest && (await store.read(id, smallest.width, smallest.format))?.isExact;
    while (!(await isBegun())) await setTimeout(10);
    await store.remove(id);
    await making;
    expect(await Promise.all(PICTURE_VARIANTS.map(({ width, format }) => store.read(id, width, format)))).toEqual(
      PICTURE_VARIANTS.map(() => undefined),
    );
  });

  test('a picture is read in every width and format once they are made, never larger than it is', async () => {
    const id = idOf(await store.add(await aPicture(1_000, 800).jpeg().toBuffer(), 'a.jpg'));
    await store.makeWidths(id);
    for (const width of PICTURE_WIDTHS) {
      for (const format of PICTURE_FORMATS) {
        const picture = await store.read(id, width, format);
        const { format: container, compression, width: found } = await sharp(picture?.bytes).metadata();
        expect([container, found, picture?.format, picture?.isExact]).toEqual([
          ...[format === 'avif' ? 'heif' : 'webp', Math.min(width, 1_000), format, true],
        ]);
        if (format === 'avif') expect(compression).toBe('av1');
        expect(await store.read(id, width, format)).toEqual(picture);
      }
    }
  });

  test('mails have a square JPEG that shows the whole picture, also of one that can be seen through (§15.1)', async () => {
    const tall = sharp({ create: { width: 300, height: 600, channels: 4, background: { r: 0, g: 0, b: 200, alpha: 1 } } });
    const clear = sharp({ create: { width: 80, height: 80, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    const shown = async (picture: Sharp) => {
      const id = idOf(await store.add(await picture.png().toBuffer(), 'a.png'));
      expect((await store.read(id, 160, 'jpeg'))?.isExact).toBe(false);
      await store.makeForMail(id);
      const made = await store.read(id, 160, 'jpeg');
      const { data, info } = await sharp(made?.bytes).raw().toBuffer({ resolveWithObject: true });
      const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
      return { made, size: [info.width, info.height], middle: at(80, 80), side: at(5, 80) };
    };
    const sand = [0xf1, 0xec, 0xe3];
    const { made, size, middle, side } = await shown(tall);
    expect([made?.format, made?.isExact, (await sharp(made?.bytes).metadata()).format, size]).toEqual(['jpeg', true, 'jpeg', [160, 160]]);
    expect(middle[2]).toBeGreaterThan(150);
    expect(side.every((value, channel) => Math.abs(value - (sand[channel] ?? 0)) < 6)).toBe(true);
    expect((await shown(clear)).middle.every((value, channel) => Math.abs(value - (sand[channel] ?? 0)) < 6)).toBe(true);
    await store.makeForMail('0'.repeat(32));
  });

  test('until a width is made the nearest larger one is read, at last the picture as it is kept (§16.1)', async () => {
    const master = await aPicture(1_200, 900).webp().toBuffer();
    const small = await aPicture(480, 360).avif().toBuffer();
    const file = join(dataDir, 'small.avif');
    await writeFile(file, small);
    const id = idOf(await store.keep(master, [{ width: 480, format: 'avif', file }]));
    expect(await store.read(id, 480, 'avif')).toEqual({ bytes: small, format: 'avif', isExact: true });
    expect(await store.read(id, 160, 'avif')).toEqual({ bytes: small, format: 'avif', isExact: false });
    expect(await store.read(id, 640, 'avif')).toEqual({ bytes: master, format: 'webp', isExact: false });
    expect(await store.read(id, 160, 'webp')).toEqual({ bytes: master, format: 'webp', isExact: false });
    await store.makeWidths(id);
    expect(await store.read(id, 480, 'avif')).toEqual({ bytes: small, format: 'avif', isExact: true });
    expect((await store.read(id, 160, 'webp'))?.isExact).toBe(true);
    await store.makeWidths('0'.repeat(32));
  });

  test('the same content has the same address; another has another', async () => {
    const bytes = await aPicture().png().toBuffer();
    const [one, again, other] = [
      await store.add(bytes, 'a.png'),
      await store.add(bytes, 'b.png'),
      await store.add(await aPicture().png().toBuffer(), 'a.png'),
    ];
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  test('what nobody stored is not there', async () => {
    expect(await store.read('0'.repeat(32), 160, 'webp')).toBeUndefined();
  });

  test('all old pictures are listed, however many pages they fill, and removed with their widths', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(idOf(await store.add(await aPicture().png().toBuffer(), 'a.png')));
    for (const id of ids.slice(1)) await makeOld(id);
    expect((await store.list(new Date(1_000))).sort()).toEqual(ids.slice(1).sort());
    const [young = '', old = '', never = ''] = ids;
    await store.makeWidths(old);
    for (const id of [old, never]) await store.remove(id);
    expect([await store.read(old, 160, 'webp'), await store.read(old, 320, 'avif')]).toEqual([undefined, undefined]);
    expect((await store.list(soon())).includes(old)).toBe(false);
    expect(await store.read(young, 160, 'webp')).toBeDefined();
  });
});

test('object storage gets whole pictures with their type, signed; nothing of them is on disk', async () => {
  const id = idOf(await inStorage.add(await aPicture().png().toBuffer(), 'a.png'));
  await inStorage.makeWidths(id);
  expect(storage.refused).toEqual([]);
  const types = [...storage.objects].filter(([key]) => key.includes(id)).map(([key, { type }]) => [key, type]);
  const widths = PICTURE_VARIANTS.map(({ width, format }) => [`widths/${id}/${width}.${format}`, `image/${format}`]);
  expect(types).toEqual([[`masters/${id}.webp`, 'image/webp'], ...widths]);
  expect((await sharp(storage.objects.get(`masters/${id}.webp`)?.bytes).metadata()).format).toBe('webp');
  expect(await onDisk.read(id, 160, 'avif')).toBeUndefined();
});

test('a width is read from object storage once, by all who want it together', async () => {
  const id = idOf(await inStorage.add(await aPicture().png().toBuffer(), 'a.png'));
  await inStorage.makeWidths(id);
  const read = () => inStorage.read(id, 320, 'avif');
  const [one, other] = await Promise.all([read(), read()]);
  storage.failure = 500;
  expect([one?.isExact, other, await read()]).toEqual([true, one, one]);
  await expect(inStorage.read(id, 480, 'avif')).rejects.toThrow();
  storage.failure = undefined;
});

test('storage that fails one request in three is asked again: pictures are kept, made and read', { tags: ['thorough'] }, async () => {
  storage.failsOneIn = 3;
  for (let n = 0; n < 2; n += 1) {
    const id = idOf(
      await inStorage.add(
        await aPicture(300 + n, 200)
          .png()
          .toBuffer(),
        'a.png',
      ),
    );
    await inStorage.makeWidths(id);
    for (const { width, format } of PICTURE_VARIANTS) expect((await inStorage.read(id, width, format))?.isExact).toBe(true);
  }
  storage.failsOneIn = undefined;
});

test('a wrong secret, or storage that fails, is an error and not a missing picture', async () => {
  const stranger = pictureStore({ s3: { ...s3, secretAccessKey: 'guessed' }, dataDir });
  await expect(stranger.read('0'.repeat(32), 160, 'webp')).rejects.toThrow();
  expect(storage.refused).toContain('SignatureDoesNotMatch');
  storage.failure = 500;
  await expect(inStorage.read('0'.repeat(32), 160, 'webp')).rejects.toThrow();
  storage.failure = undefined;
});

const SECRET = 'photographed at home';
const withMetadata = (picture: Sharp) =>
  picture.withIccProfile('p3').withExif({ IFD0: { Copyright: SECRET, Artist: SECRET }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } });

test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)(
  'a %s is accepted, whatever its name says, and nothing but its pixels is kept (§16.1)',
  async (format) => {
    const bytes = await withMetadata(aPicture(300, 200)).toFormat(format).toBuffer();
    if (format !== 'gif') expect((await sharp(bytes).metadata()).exif?.includes(SECRET)).toBe(true);
    const id = idOf(await onDisk.add(Buffer.concat([bytes, Buffer.from(`<script>${SECRET}</script>`)]), 'invoice.pdf'));
    await onDisk.makeWidths(id);
    for (const [width, kind] of [
      [1200, 'webp'],
      [160, 'avif'],
    ] as const) {
      const kept = (await onDisk.read(id, width, kind))?.bytes;
      const { exif, icc, xmp, iptc } = await sharp(kept).metadata();
      expect([exif, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined]);
      expect(kept?.includes(SECRET)).toBe(false);
    }
  },
);

test('a picture that a camera marked as turned stands upright', async () => {
  const id = idOf(await onDisk.add(await aPicture(300, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'a.jpg'));
  const { width, height, orientation } = await sharp((await onDisk.read(id, 1200, 'webp'))?.bytes).metadata();
  expect([width, height, orientation]).toEqual([200, 300, undefined]);
});

test('a picture is measured after the rotation that its camera noted', async () => {
  const bytes = await aPicture(300, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(idOf(await onDisk.add(bytes, 'a.jpg', { leastWidth: 200, leastHeight: 300 }))).not.toBe('');
  await expect(onDisk.add(bytes, 'a.jpg', { leastWidth: 300, leastHeight: 200 })).rejects.toMatchObject({
    message: 'a.jpg is 200 × 300 pixels; it must have at least 300 × 200, or it would look blurred.',
  });
});

test.each([
  ['of 4:5 keeps what enlarging it needs', [2_400, 3_000], { width: 1_600, height: 2_000 }],
  ['across comes down to the same width', [4_000, 2_000], { width: 1_600, height: 800 }],
] as const)('a picture %s', async (_, [width, height], kept) => {
  const id = idOf(await onDisk.add(await aPicture(width, height).webp().toBuffer(), 'a.webp'));
  expect(await sharp(await onDisk.master(id)).metadata()).toMatchObject(kept);
});

test('of a moving picture the first frame is kept', async () => {
  const frames = Buffer.concat([Buffer.alloc(30 * 20 * 3, 10), Buffer.alloc(30 * 20 * 3, 240)]);
  const gif = await sharp(frames, { raw: { width: 30, height: 40, channels: 3, pageHeight: 20 } })
    .gif({ delay: [100, 100] })
    .toBuffer();
  expect((await sharp(gif).metadata()).pages).toBe(2);
  const { height, pages } = await sharp((await onDisk.read(idOf(await onDisk.add(gif, 'a.gif')), 160, 'webp'))?.bytes).metadata();
  expect([height, pages ?? 1]).toEqual([20, 1]);
});

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG of a few bytes that claims to be `side` pixels wide and high, of bits and kind as its format writes them. */
function aBomb(side: number, kind = '0802'): Buffer {
  const head = Buffer.from(`0000000000000000${kind}000000`, 'hex');
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  const magic = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([magic, chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.alloc(64))), chunk('IEND', Buffer.alloc(0))]);
}
const whole = await sharp(Buffer.from(Array.from({ length: 300 * 200 * 3 }, (_, n) => (n * 7919) % 251)), {
  raw: { width: 300, height: 200, channels: 3 },
})
  .jpeg()
  .toBuffer();

/** A small drawing of a million squares. */
function aSlowDrawing(): Buffer {
  const groups = Array.from({ length: 6 }, (_, at) => `<g id="g${at + 1}">${`<use href="#g${at}"/>`.repeat(10)}</g>`);
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg"><defs><rect id="g0" width="1" height="1"/>${groups.join('')}</defs><use href="#g6"/></svg>`,
  );
}

const SOS = Buffer.from([0xff, 0xda]);
const EOI = Buffer.from([0xff, 0xd9]);
/** A JPEG whose last scan comes `times` more often. */
async function scannedAgain(times: number): Promise<Buffer> {
  const bytes = await aPicture().jpeg({ progressive: true }).toBuffer();
  const [last, end] = [bytes.lastIndexOf(SOS), bytes.lastIndexOf(EOI)];
  return Buffer.concat([bytes.subarray(0, end), ...Array.from({ length: times }, () => bytes.subarray(last, end)), EOI]);
}

test('a progressive JPEG with a film behind it is accepted, though the film looks like hundreds of scans (§16.1)', async () => {
  const picture = await aPicture().jpeg({ progressive: true }).toBuffer();
  expect(idOf(await onDisk.add(Buffer.concat([picture, Buffer.alloc(2_000, SOS)]), 'a.jpg'))).not.toBe('');
});

test.each([
  ['nothing', Buffer.alloc(0), 415],
  ['a drawing that takes minutes', aSlowDrawing(), 415],
  ['the same behind a long comment', Buffer.concat([Buffer.from(`<!--${' '.repeat(2_000)}-->`), aSlowDrawing()]), 415],
  ['a JPEG of dozens of scans', await scannedAgain(30), 413],
  ['text', Buffer.from('I am a picture'), 415],
  [
    'a drawing with a script',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'),
    415,
  ],
  ['a TIFF', await aPicture().tiff().toBuffer(), 415],
  ['half of a picture', whole.subarray(0, whole.length / 2), 415],
  ['a head without a picture', aBomb(60), 415],
  ['more than 10 MB', Buffer.concat([whole, Buffer.alloc(10 * 1024 * 1024)]), 413],
  ['more than 50 megapixels', await aPicture(10_001, 5_000).png().toBuffer(), 413],
  ['a few bytes that say they are 900 megapixels', aBomb(30_000), 413],
  ['36 megapixels with 16 bits for each of four colours', aBomb(6_000, '1006'), 413],
])('%s is refused (§16.1)', async (_, bytes, status) => {
  const before = (await onDisk.list(soon())).length;
  await expect(onDisk.add(bytes, 'sofa.png')).rejects.toMatchObject({
    name: 'Problem',
    status,
    message: expect.stringMatching(/^sofa\.png /),
  });
  expect((await onDisk.list(soon())).length).toBe(before);
});

test('a picture that breaks off is called damaged, and an animation is told by its name that it is too large', async () => {
  await expect(onDisk.add(whole.subarray(0, whole.length / 2), 'sofa.jpg')).rejects.toMatchObject({
    status: 415,
    message: 'sofa.jpg is damaged or incomplete. Please save it again, or choose another picture.',
  });
  // A screen of a megapixel in two colours, and frames of one pixel each.
  const head = Buffer.from('GIF89a\xe8\x03\xe8\x03\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const frame = Buffer.from(',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1');
  const animation = Buffer.concat([head, ...Array.from({ length: 201 }, () => frame), Buffer.from(';')]);
  await expect(onDisk.add(animation, 'sofa.gif')).rejects.toMatchObject({
    status: 413,
    message: 'sofa.gif is an animation of more than 200 megapixels in all. Please save only its first picture.',
  });
});

test('exactly 50 megapixels are accepted', { tags: ['thorough'] }, async () => {
  const id = idOf(await onDisk.add(await aPicture(10_000, 5_000).png().toBuffer(), 'a.png'));
  await onDisk.makeWidths(id);
  expect((await sharp((await onDisk.read(id, 1200, 'webp'))?.bytes).metadata()).width).toBe(1_200);
});

/** Worker processes started by this process. */
const workers = () =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1];
        return Number(parent) === process.pid && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('worker.ts');
      } catch {
        return false;
      }
    })
    .map(Number);

test('a picture that kills its process is refused for now, and the next one is made by a new process', async () => {
  const large = await aPicture(9_000, 5_000).png().toBuffer();
  let isOver = false;
  const refused = expect(onDisk.add(large, 'large.png'))
    .rejects.toMatchObject({ name: 'Problem', status: 503 })
    .finally(() => {
      isOver = true;
    });
  // Also the process that would begin it after the first was killed too early.
  while (!isOver) {
    for (const pid of workers()) process.kill(pid, 'SIGKILL');
    await setTimeout(10);
  }
  await refused;
  expect(idOf(await onDisk.add(await aPicture().png().toBuffer(), 'a.png'))).not.toBe('');
});

test('however many pictures arrive together, one process makes them, and this one decodes none (§16.1)', async () => {
  const before = process.memoryUsage().rss;
  const bytes = await Promise.all(Array.from({ length: 3 }, () => aPicture(6_000, 5_000).png().toBuffer()));
  const mb = () => (process.memoryUsage().rss - before) / 1024 / 1024;
  const held = mb();
  const ids = await Promise.all(bytes.map((each) => onDisk.add(each, 'a.png')));
  expect(workers()).toHaveLength(1);
  expect(new Set(ids).size).toBe(3);
  expect(mb() - held).toBeLessThan(100);
});

test('a picture does not wait for a 3D model that is being checked', async () => {
  const model = readFileSync(join(ROOT, 'demo/models/haven-boucle-sofa.glb'));
  const adding = onDisk.models.add(model, 'sofa.glb');
  expect(idOf(await onDisk.add(await aPicture().png().toBuffer(), 'a.png'))).not.toBe('');
  expect(workers()).toHaveLength(2);
  await adding;
});

test('a file that takes too long is refused, and the next one finds a new process', async () => {
  const impatient = new WorkerProcess(1);
  const task = { task: 'reencode', bytes: await aPicture().png().toBuffer(), filename: 'a.png' } as const;
  const refused = { name: 'Problem', status: 413, message: 'The file takes too long to check. Please make it simpler or smaller.' };
  await Promise.all([1, 2].map(() => expect(impatient.run(task)).rejects.toMatchObject(refused)));
});
