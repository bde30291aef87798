import { createHash } from 'node:crypto';
import {
  MAIL_VARIANT,
  modelUrl,
  PICTURE_VARIANTS,
  type PictureFormat,
  type PictureVariant,
  type PictureWidth,
  pictureUrl,
} from '#contract/catalogue/pictures.ts';
import { Problem } from '#contract/platform/problem.ts';
import { PictureFiles, type PlaceOfPictures } from './picture-files.ts';
import { modelProcess, pictureProcess } from './picture-process.ts';

/** What is served of a picture. */
export interface ServedPicture {
  bytes: Buffer;
  format: PictureVariant['format'];
  /** Whether it is the width and format that was asked for; else the nearest one until that is made. */
  isExact: boolean;
}

/** GLBs that show products in 3D, kept beside the pictures and served as they are. */
export interface Models {
  /** Checks a GLB from outside; else like `keep`. Throws 400, 413 or 415, and 503 when it cannot be stored. */
  add(bytes: Buffer, filename: string): Promise<string>;
  /** One of the shop's own making. The same content gives the same address. Throws 503 when it cannot be stored. */
  keep(bytes: Buffer): Promise<string>;
  read(id: string): Promise<Buffer | undefined>;
  /** Ids of all models older than that moment. */
  list(before: Date): Promise<string[]>;
  remove(id: string): Promise<void>;
}

/** A width that is made already, in a file. */
export interface ReadyWidth {
  width: PictureWidth;
  format: PictureFormat;
  file: string;
}

/** A picture's place in the shop: kept once as a master, served in several widths and formats that a job makes. */
export interface Pictures {
  /** Checks and re-encodes a picture from outside; the same content gives the same address. Throws 400, 413 or 415, and 503 when it cannot be stored. */
  add(bytes: Buffer, filename: string): Promise<string>;
  /** Takes a picture of the shop's own making as it is, a WebP, with widths that are made already. */
  keep(bytes: Buffer, ready?: ReadyWidth[]): Promise<string>;
  /** One width and format, or the nearest there is: nothing is made while somebody waits. Undefined when there is no such picture. */
  read(id: string, width: PictureWidth, format: PictureVariant['format']): Promise<ServedPicture | undefined>;
  /** Makes the widths and formats that are missing; of a picture that is gone, none. */
  makeWidths(id: string): Promise<void>;
  /** Makes the one that mails show, where it is missing. */
  makeForMail(id: string): Promise<void>;
  /** The picture as it is kept, or undefined when there is none; given to `keep`, it has the same address again. */
  master(id: string): Promise<Buffer | undefined>;
  /** Ids of all pictures older than that moment. */
  list(before: Date): Promise<string[]>;
  remove(id: string): Promise<void>;
  models: Models;
}

/** The id of a picture is made from its content as it is kept. */
export const pictureIdOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);
const masterOf = (id: string) => `masters/${id}.webp`;
const modelOf = (id: string) => `models/${id}.glb`;
const keyOf = (id: string, { width, format }: PictureVariant) => `widths/${id}/${width}.${format}`;

/** Keys to look for in turn: what was asked for, larger ones of the same format, then the master. */
function candidates(id: string, { width, format }: PictureVariant): { key: string; format: PictureVariant['format'] }[] {
  const enough = PICTURE_VARIANTS.filter((variant) => variant.format === format && variant.width >= width);
  return [...enough.map((variant) => ({ key: keyOf(id, variant), format })), { key: masterOf(id), format: 'webp' }];
}

function refuseUnstored(cause: unknown): never {
  throw Object.assign(new Problem(503, 'Pictures cannot be stored right now, so nothing was changed. Please try again later.'), { cause });
}

/** Throws 503 when the picture cannot be stored. */
async function keep(files: PictureFiles, bytes: Buffer, ready: ReadyWidth[] = []) {
  const id = pictureIdOf(bytes);
  await files.put(masterOf(id), bytes, 'image/webp').catch(refuseUnstored);
  await Promise.all(ready.map(({ width, format, file }) => files.take(keyOf(id, { width, format }), file, `image/${format}`)));
  return pictureUrl(id);
}

async function readNearest(files: PictureFiles, id: string, variant: PictureVariant): Promise<ServedPicture | undefined> {
  const [wanted, ...others] = candidates(id, variant);
  for (const candidate of [wanted, ...others]) {
    if (!candidate) continue;
    const reading = files.read(candidate.key);
    // A width that cannot be read is as good as missing; the picture itself is not.
    const bytes = await (candidate.key === masterOf(id) ? reading : reading.catch(() => undefined));
    if (bytes) return { bytes, format: candidate.format, isExact: candidate === wanted };
  }
  return undefined;
}

/** Makes those of the variants that are missing; of a picture that is gone, none. */
async function make(files: PictureFiles, id: string, variants: readonly PictureVariant[]): Promise<void> {
  let master: Buffer | undefined;
  for (const variant of variants) {
    const key = keyOf(id, variant);
    if (await (await files.disk()).exists(key)) continue;
    master ??= await files.read(masterOf(id));
    if (!master) return;
    await files.put(key, await pictureProcess.run({ task: 'encode', master, ...variant }), `image/${variant.format}`);
  }
}

/** The names, without their endings, of a folder's files that are older than that moment. */
async function listOlder(files: PictureFiles, folder: string, before: Date): Promise<string[]> {
  const disk = await files.disk();
  const ids: string[] = [];
  let paginationToken: string | undefined;
  do {
    const page = await disk.listAll(folder, { recursive: false, ...(paginationToken && { paginationToken }) });
    for (const entry of page.objects) {
      if (!entry.isFile) continue;
      const { lastModified } = await disk.getMetaData(entry.key);
      if (lastModified < before) ids.push(entry.name.replace(/\.\w+$/, ''));
    }
    paginationToken = page.paginationToken;
  } while (paginationToken);
  return ids;
}

function modelsIn(files: PictureFiles): Models {
  const keepModel = async (bytes: Buffer) => {
    const id = pictureIdOf(bytes);
    await files.put(modelOf(id), bytes, 'model/gltf-binary').catch(refuseUnstored);
    return modelUrl(id);
  };
  return {
    add: async (bytes, filename) => keepModel(await modelProcess.run({ task: 'checkModel', bytes, filename })),
    keep: keepModel,
    read: (id) => files.read(modelOf(id)),
    list: (before) => listOlder(files, 'models', before),
    remove: async (id) => (await files.disk()).delete(modelOf(id)),
  };
}

/** Pictures on the local disk, or in S3-compatible object storage where that is set. */
export function pictureStore(config: PlaceOfPictures): Pictures {
  const files = new PictureFiles(config);
  return {
    add: async (bytes, filename) => keep(files, await pictureProcess.run({ task: 'reencode', bytes, filename })),
    keep: (bytes, ready) => keep(files, bytes, ready),
    read: (id, width, format) => readNearest(files, id, { width, format }),
    makeWidths: (id) => make(files, id, PICTURE_VARIANTS),
    makeForMail: (id) => make(files, id, [MAIL_VARIANT]),
    master: (id) => files.read(masterOf(id)),
    list: (before) => listOlder(files, 'masters', before),
    async remove(id) {
      await files.removeWidths(id);
      await (await files.disk()).delete(masterOf(id));
    },
    models: modelsIn(files),
  };
}
