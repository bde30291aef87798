import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bounds, CLOSE, CLOSEST, FITS, movedBy, zoomedAt } from './zoom-view.ts';

const length = fc.integer({ min: 200, max: 2_000 });
/** A frame of any shape with a fitted 4:5 picture. */
const bounds = fc.tuple(length, length).map(([width, height]): Bounds => {
  const fitted = Math.min(width, height * 0.8);
  return { frame: { width, height }, fit: { width: fitted, height: fitted / 0.8 } };
});
const place = fc.integer({ min: -1_000, max: 1_000 });
const point = fc.record({ x: place, y: place });
const change = fc.oneof(fc.record({ factor: fc.double({ min: 0.2, max: 5, noNaN: true }), at: point }), fc.record({ by: point }));

test('however a picture is enlarged and moved, it covers its frame, or lies in the middle where it is smaller', () => {
  fc.assert(
    fc.property(bounds, fc.array(change, { maxLength: 12 }), (box, changes) => {
      const view = changes.reduce(
        (now, next) => ('by' in next ? movedBy(now, next.by, box) : zoomedAt(now, next.factor, next.at, box)),
        FITS,
      );
      expect(view.scale).toBeGreaterThanOrEqual(1);
      expect(view.scale).toBeLessThanOrEqual(CLOSEST);
      for (const [away, side] of [
        [view.x, 'width'],
        [view.y, 'height'],
      ] as const) {
        const room = Math.max(0, (box.fit[side] * view.scale - box.frame[side]) / 2);
        expect(Math.abs(away)).toBeLessThanOrEqual(room + 1e-6);
      }
    }),
  );
});

test('what lies under a finger stays there while the picture is enlarged', () => {
  const box: Bounds = { frame: { width: 400, height: 500 }, fit: { width: 400, height: 500 } };
  const at = { x: 50, y: -80 };
  const view = zoomedAt(FITS, CLOSE, at, box);
  expect(view.scale).toBe(CLOSE);
  // Where the point of the picture under the finger is now.
  expect(view.x + at.x * view.scale).toBeCloseTo(at.x);
  expect(view.y + at.y * view.scale).toBeCloseTo(at.y);
});
