import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';
import { silhouetteOf } from './silhouette.ts';

const model = (slug: string) => readFileSync(join(ROOT, `demo/models/${slug}.glb`));

// The server decodes no drawings.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

/** The share of a silhouette's box that is filled, in each third of its height from the top. */
async function shares(svg: string): Promise<number[]> {
  const { data, info } = await sharp(Buffer.from(svg))
    .resize(90, 90, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const filled = (row: number) =>
    Array.from({ length: info.width }, (_, x) => (data[(row * info.width + x) * 4 + 3] ?? 0) > 127).filter(Boolean).length;
  return [0, 1, 2].map(
    (third) => Array.from({ length: 30 }, (_, n) => filled(third * 30 + n)).reduce((sum, n) => sum + n, 0) / (30 * info.width),
  );
}

test('the outline of a model is that of the piece, from the front and from the side', async () => {
  const sofa = silhouetteOf(model('oslo-three-seat-sofa'), 'front');
  const [, , width = 0, height = 0] = /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(sofa)?.slice(1).map(Number) ?? [];
  expect(width / height).toBeCloseTo(224 / 84, 1);
  expect(sofa.length).toBeLessThan(12_000);
  const [back = 0, seat = 0, legs = 0] = await shares(sofa);
  expect([back > 0.4, seat > 0.95, legs < 0.7]).toEqual([true, true, true]);
  // A stool is mostly air between its legs.
  const [, , feet = 1] = await shares(silhouetteOf(model('tarn-oak-stool'), 'side'));
  expect(feet).toBeLessThan(0.5);
});

test('thin and open pieces have an outline too, of some kilobytes', () => {
  for (const slug of ['arden-arc-lamp', 'hythe-cord-chair', 'ember-candle-holders', 'linton-painted-wardrobe'])
    expect(silhouetteOf(model(slug), 'front')).toMatch(/^<svg [^>]*><path [^>]* d="M[^"]{100,20000}"\/><\/svg>$/);
});
