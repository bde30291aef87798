import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#server/base/root.ts';
import { DEMO_WIDTHS, demoWidth } from './demo-pictures.ts';

test('every picture of the demo ships with its widths, and no width is left of an older picture (npm run demo:widths)', () => {
  const pictures = readdirSync(join(ROOT, 'demo/pictures')).map((name) => readFileSync(join(ROOT, 'demo/pictures', name)));
  const wanted = pictures.flatMap((picture) => DEMO_WIDTHS.map((width) => demoWidth(picture, width)));
  const shipped = readdirSync(join(ROOT, 'demo/widths')).map((name) => join(ROOT, 'demo/widths', name));
  expect(shipped.sort()).toEqual([...new Set(wanted)].sort());
});
