import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  MAIL_VARIANT,
  MARK_VARIANT,
  modelUrl,
  PICTURE_VARIANTS,
  type PictureFormat,
  type PictureVariant,
  type PictureWidth,
  pictureUrl,
  VIEWS,
  type View,
} from '#contract/catalogue/pictures.ts';
import { isProblem, Problem } from '#contract/platform/problem.ts';
import type { PictureSize } from './picture-encoder.ts';
import { filesOf, PictureFiles, type PlaceOfPictures } from './picture-files.ts';
import { modelProcess, pictureProcess } from './worker-process.ts';

export interface ServedPicture {
  bytes: Buffer;
  format: PictureVariant['format'];
  /** Whether it has the requested width and format, rather than the nearest available. */
  isExact: boolean;
}

/** An encoded width in a file. */
export interface ReadyWidth {
  width: PictureWidth;
  format: PictureFormat;
  file: string;
}

/** Content address: the first 32 hex digits of the SHA-256. */
export const pictureIdOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);
const masterKey = (id: string) => `masters/${id}.webp`;
const modelKey = (id: string) => `models/${id}.glb`;
const silhouetteKey = (id: string, view: View) => `silhouettes/${id}-${view}.svg`;
const variantKey = (id: string, { width, format }: PictureVariant) => `widths/${id}/${width}.${format}`;

/** Keys to try in order: the variant, larger ones of the same format, the master. */
function candidates(id: string, { width, format }: PictureVariant): { key: string; format: PictureVariant['format'] }[] {
  const largeEnough = [...PICTURE_VARIANTS, MARK_VARIANT].filter((variant) => variant.format === format && variant.width >= width);
  return [...largeEnough.map((variant) => ({ key: variantKey(id, variant), format })), { key: masterKey(id), format: 'webp' }];
}

function refuseUnstored(cause: unknown): never {
  throw Object.assign(new Problem(503, 'Pictures cannot be stored right now, so nothing was changed. Please try again later.'), { cause });
}

/** Is told of each picture or model before it is stored. */
type Note = (id: string) => Promise<unknown>;

/** Throws 503 if the picture cannot be stored. */
async function keep(files: PictureFiles, note: Note, bytes: Buffer, ready: ReadyWidth[] = []) {
  const id = pictureIdOf(bytes);
  await note(id);
  await files.put(masterKey(id), bytes, 'image/webp').catch(refuseUnstored);
  await Promise.all(ready.map(({ width, format, file }) => files.putFile(variantKey(id, { width, format }), file, `image/${format}`)));
  return pictureUrl(id);
}

async function readNearest(files: PictureFiles, id: string, variant: PictureVariant): Promise<ServedPicture | undefined> {
  const [wanted, ...others] = candidates(id, variant);
  for (const candidate of [wanted, ...others]) {
    if (!candidate) continue;
    const reading = files.read(candidate.key);
    // An unreadable width counts as missing; an unreadable master is an error.
    const bytes = await (candidate.key === masterKey(id) ? reading : reading.catch(() => undefined));
    if (bytes) return { bytes, format: candidate.format, isExact: candidate === wanted };
  }
  return undefined;
}

/** Encodes the missing variants. Leaves none behind if the picture is gone, or goes meanwhile. */
async function encodeMissing(files: PictureFiles, id: string, variants: readonly PictureVariant[]): Promise<void> {
  let master: Buffer | undefined;
  for (const variant of variants) {
    const key = variantKey(id, variant);
    if (await (await files.disk()).exists(key)) continue;
    master ??= await files.read(masterKey(id));
    if (!master) break;
    await files.put(key, await pictureProcess.run({ task: 'encode', master, ...variant }), `image/${variant.format}`);
  }
  if (!(await (await files.disk()).exists(masterKey(id)))) await files.removeWidths(id);
}

/** Names, without extension, of a folder's files older than `before`. */
async function listOlder(files: PictureFiles, folder: string, before: Date): Promise<string[]> {
  const ids: string[] = [];
  for await (const file of filesOf(await files.disk(), `${folder}/`)) {
    const { lastModified } = await file.getMetaData();
    if (lastModified < before) ids.push(file.name.replace(/\.\w+$/, ''));
  }
  return ids;
}

/** 3D models of products (GLB), stored beside the pictures and served unchanged. */
function modelsIn(files: PictureFiles, note: Note) {
  /** Outlines that were asked for lately: each is drawn once at a time, and one that cannot be drawn is not tried for each request. */
  const outlines = new LRUCache<string, { svg: Buffer } | { refusal: Problem }, { id: string; view: View }>({
    max: 200,
    fetchMethod: async (key, _, { context: { id, view } }) => {
      const model = await files.read(modelKey(id));
      if (!model) return undefined;
      try {
        const svg = await modelProcess.run({ task: 'silhouette', bytes: model, view });
        await files.put(key, svg, 'image/svg+xml').catch(refuseUnstored);
        return { svg };
      } catch (error) {
        if (isProblem(error) && error.status < 500) return { refusal: error };
        throw error;
      }
    },
  });

  const keepModel = async (bytes: Buffer): Promise<string> => {
    const id = pictureIdOf(bytes);
    await note(id);
    await files.put(modelKey(id), bytes, 'model/gltf-binary').catch(refuseUnstored);
    return modelUrl(id);
  };
  return {
    /** Checks and stores an uploaded GLB. Throws 400, 413 or 415, and 503 if it cannot be stored. */
    add: async (bytes: Buffer, filename: string) => keepModel(await modelProcess.run({ task: 'checkModel', bytes, filename })),
    /** Stores a trusted GLB. The URL derives from the content. Throws 503 if it cannot be stored. */
    keep: keepModel,
    read: (id: string) => files.read(modelKey(id)),
    stream: (id: string) => files.stream(modelKey(id)),
    /** Its outline from one side as an SVG, which is made and stored when it is asked for the first time. Undefined if there is no such model. */
    silhouette: async (id: string, view: View) => {
      const key = silhouetteKey(id, view);
      const stored = await files.read(key).catch(() => undefined);
      if (stored) return stored;
      // Requests for models that nobody has must not push out those that are being drawn.
      if (!(await (await files.disk()).exists(modelKey(id)))) return undefined;
      const outline = await outlines.fetch(key, { context: { id, view } });
      if (outline && 'refusal' in outline) throw outline.refusal;
      return outline?.svg;
    },
    /** Ids of all models older than `before`. */
    list: (before: Date) => listOlder(files, 'models', before),
    remove: async (id: string) => {
      const disk = await files.disk();
      await Promise.all([modelKey(id), ...VIEWS.map((view) => silhouetteKey(id, view))].map((key) => disk.delete(key)));
    },
  };
}

export type Pictures = ReturnType<typeof pictureStore>;

/**
 * Picture store on the local disk, or in S3-compatible object storage if configured: one master per picture, served in several widths and formats
 * that a job encodes.
 */
export function pictureStore(config: PlaceOfPictures, note: Note = async () => undefined) {
  const files = new PictureFiles(config);
  const encode = (bytes: Buffer, filename: string, size?: PictureSize) => pictureProcess.run({ task: 'reencode', bytes, filename, size });
  return {
    /** Checks and re-encodes an uploaded picture, for `keep`. Throws 413 or 415. */
    encode,
    /** Checks, re-encodes and stores an uploaded picture. Returns its URL. Throws 413 or 415, and 503 if it cannot be stored. */
    add: async (...uploaded: Parameters<typeof encode>) => keep(files, note, await encode(...uploaded)),
    /** Stores a trusted WebP unchanged, with any widths that are already encoded. */
    keep: (bytes: Buffer, ready?: ReadyWidth[]) => keep(files, note, bytes, ready),
    /** The requested width and format, or the nearest available: never encodes during a request. Undefined if there is no such picture. */
    read: (id: string, width: PictureWidth, format: PictureVariant['format']) => readNearest(files, id, { width, format }),
    /** Encodes missing widths and formats. Does nothing if the picture is gone. */
    makeWidths: (id: string) => encodeMissing(files, id, PICTURE_VARIANTS),
    makeForMail: (id: string) => encodeMissing(files, id, [MAIL_VARIANT]),
    /** Encodes the variant for a logo or favicon if it is missing. */
    makeMark: (id: string) => encodeMissing(files, id, [MARK_VARIANT]),
    /** The master's bytes, or undefined. Passing them to `keep` gives the same URL. */
    master: (id: string) => files.read(masterKey(id)),
    /** Ids of all pictures older than `before`. */
    list: (before: Date) => listOlder(files, 'masters', before),
    async remove(id: string) {
      await files.removeWidths(id);
      await (await files.disk()).delete(masterKey(id));
      // Widths that were stored meanwhile; a job that makes more finds the master gone.
      await files.removeWidths(id);
    },
    models: modelsIn(files, note),
  };
}
