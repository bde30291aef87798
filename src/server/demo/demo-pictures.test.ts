import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';
import { DEMO_FOLDERS, demoWidth, demoWidths } from './demo-pictures.ts';

test('every picture of the demo ships with its widths, and no width is left of an older picture (npm run demo:widths)', async () => {
  const pictures = DEMO_FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, 'demo', folder)).map((name) => readFileSync(join(ROOT, 'demo', folder, name))),
  );
  const wanted: string[] = [];
  for (const picture of pictures) {
    const { width: wide } = await sharp(picture).metadata();
    wanted.push(...demoWidths(wide).map((width) => demoWidth(picture, width)));
  }
  const shipped = readdirSync(join(ROOT, 'demo/widths')).map((name) => join(ROOT, 'demo/widths', name));
  expect(shipped.sort()).toEqual([...new Set(wanted)].sort());
});

test('the demo keeps its own rules: pictures and rooms that are there once, true swatches, no picture twice on the home page (demo/check.mjs)', {
  tags: ['thorough'],
}, () => {
  const said = execFileSync(process.execPath, ['demo/check.mjs'], { cwd: ROOT, encoding: 'utf8' });
  expect(said).toMatch(/ 0 faults$/m);
});
