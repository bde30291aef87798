/** `npm run demo:widths`: makes the widths of the demo's pictures that ship with it, so that a first visit has them. Run it when demo/pictures or demo/scenes change. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { DEMO_FOLDERS, demoWidth, demoWidths } from '#server/demo/demo-pictures.ts';
import { encodeWidth } from '#server/gateways/picture-encoder.ts';
import { ROOT } from '#server/platform/root.ts';

/** They are made once and sent for years. */
const EFFORT = 4;

const widths = join(ROOT, 'demo/widths');
const pictures = DEMO_FOLDERS.flatMap((folder) => readdirSync(join(ROOT, 'demo', folder)).map((name) => join(ROOT, 'demo', folder, name)));
mkdirSync(widths, { recursive: true });
const shipped = new Set<string>();
const missing: (() => Promise<void>)[] = [];
for (const file of pictures.filter((name) => name.endsWith('.webp'))) {
  const picture = readFileSync(file);
  const { width: wide } = await sharp(picture).metadata();
  for (const width of demoWidths(wide)) {
    const place = demoWidth(picture, width);
    shipped.add(place);
    if (!existsSync(place)) missing.push(async () => writeFileSync(place, await encodeWidth(picture, width, 'avif', EFFORT)));
  }
}
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let make = missing.pop(); make; make = missing.pop()) await make();
  }),
);
for (const name of readdirSync(widths)) if (!shipped.has(join(widths, name))) rmSync(join(widths, name));
