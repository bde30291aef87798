/** `npm run demo:widths`: makes the widths of the demo's pictures that ship with it, so that a first visit has them. Run it when demo/pictures change. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#server/base/root.ts';
import { DEMO_WIDTHS, demoWidth } from '#server/demo/demo-pictures.ts';
import { encodeWidth } from '#server/gateways/picture-encoder.ts';

const [pictures, widths] = [join(ROOT, 'demo/pictures'), join(ROOT, 'demo/widths')];
mkdirSync(widths, { recursive: true });
const shipped = new Set<string>();
for (const name of readdirSync(pictures).filter((file) => file.endsWith('.webp'))) {
  const picture = readFileSync(join(pictures, name));
  for (const width of DEMO_WIDTHS) {
    const place = demoWidth(picture, width);
    shipped.add(place);
    if (!existsSync(place)) writeFileSync(place, await encodeWidth(picture, width, 'avif'));
  }
}
for (const name of readdirSync(widths)) if (!shipped.has(join(widths, name))) rmSync(join(widths, name));
