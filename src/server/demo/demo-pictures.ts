import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PictureWidth } from '#contract/catalogue/pictures.ts';
import { type Pictures, pictureIdOf } from '#server/gateways/pictures.ts';
import { ROOT } from '#server/platform/root.ts';

const DIR = join(ROOT, 'demo');

/** The AVIF widths that ship with the demo; WebP is made by a job once a browser asks for it. */
const DEMO_WIDTHS = [160, 320, 480, 640, 960, 1200] as const satisfies readonly PictureWidth[];

/** The shipped widths of a picture that is `wide` pixels wide. */
export const demoWidths = (wide: number): readonly PictureWidth[] => DEMO_WIDTHS.filter((width) => width <= wide);

const placeOf = (id: string, width: PictureWidth) => join(DIR, 'widths', `${id}-${width}.avif`);

/** The file of a demo picture's width, named by the picture's content, so that a new picture never gets old widths. */
export const demoWidth = (picture: Buffer, width: PictureWidth): string => placeOf(pictureIdOf(picture), width);

/** Stores a 3D model of the demo, such as `oslo-three-seat-sofa`. Returns its URL, or null for a model that is not in the demo. */
export async function keepDemoModel({ models }: Pictures, name: string): Promise<string | null> {
  const file = join(DIR, 'models', `${name}.glb`);
  return existsSync(file) ? models.keep(await readFile(file)) : null;
}

/** The folders of the demo's pictures: of products, and of rooms. */
export const DEMO_FOLDERS = ['pictures', 'scenes'] as const;

/** Stores a demo picture with its shipped widths. Returns its URL. */
export async function keepDemoPicture(pictures: Pictures, folder: (typeof DEMO_FOLDERS)[number], file: string): Promise<string> {
  const format = 'avif' as const;
  const picture = await readFile(join(DIR, folder, file));
  const id = pictureIdOf(picture);
  const shipped = DEMO_WIDTHS.filter((width) => existsSync(placeOf(id, width)));
  const ready = shipped.map((width) => ({ width, format, file: placeOf(id, width) }));
  const widest = ready.at(-1);
  // For a picture of 960 pixels that width also serves as the 1200.
  if (widest?.width === 960) return pictures.keep(picture, [...ready, { ...widest, width: 1200 }]);
  return pictures.keep(picture, ready);
}
