import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CLEARANCE } from '#contract/catalogue/doors.ts';
import { type Box, type Outer, type Piece, type Side, spaceVerdict, type Verdict } from './dimensions.ts';
import { lackText, lengthOf, lengthText } from './lengths.ts';
import { intoCabin, roundCorner, spareAtCorner, throughOpening, tiltedHeight, type Way } from './passage.ts';
import { judge, type Measured } from './verdict.ts';

const side = fc.integer({ min: 20, max: 3_000 });
const box: fc.Arbitrary<Box> = fc.record({ width: side, depth: side, height: side });
const opening = fc.record({ width: side, height: side });
const corner = fc.record({ before: side, after: side, height: side });
/** Extra size, in millimetres. */
const more = fc.integer({ min: 0, max: 300 });
const RANK = { no: 0, help: 0, unknown: 0, tight: 1, fits: 2 };
const rank = (outer: Outer, measured: Measured) => Math.min(...judge({ outer }, measured, 'cm').map(({ verdict }) => RANK[verdict]));
const sorted = ({ width, depth, height }: Box) => [width, depth, height].sort((a, b) => a - b) as [number, number, number];

/** The best clearance of a rectangle in an opening over all angles, in steps of 0.05°. */
function bestTurn(p: number, q: number, width: number, height: number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let step = 0; step <= 1_800; step += 1) {
    const angle = (step / 1_800) * (Math.PI / 2);
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    best = Math.max(best, Math.min(width - p * cos - q * sin, height - p * sin - q * cos));
  }
  return best;
}

describe('an opening', () => {
  test('lets a box through exactly where some turn of one of its faces goes through (§2.7.4)', () => {
    fc.assert(
      fc.property(box, opening, (some, door) => {
        const [a, b, c] = sorted(some);
        const best = Math.max(
          ...(
            [
              [a, b],
              [a, c],
              [b, c],
            ] as const
          ).map(([p, q]) => bestTurn(p, q, door.width, door.height)),
        );
        const passes = throughOpening(some, door) !== undefined;
        // A corner moves by less than 3 mm between two of these angles.
        if (best >= 0) expect(passes).toBe(true);
        if (best < -3) expect(passes).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  // Random boxes are rarely long and thin enough to pass only at an angle.
  test('lets a board through at an angle, and the room that this needs is what a search of all angles finds', () => {
    const board = fc.record({ thick: fc.integer({ min: 10, max: 300 }), wide: fc.integer({ min: 900, max: 2_600 }) });
    fc.assert(
      fc.property(board, fc.integer({ min: 800, max: 2_400 }), ({ thick, wide }, room) => {
        const needs = tiltedHeight(wide, thick, room) ?? Number.NaN;
        expect(bestTurn(wide, thick, room, needs + 3)).toBeGreaterThanOrEqual(0);
        // If standing upright needs less height, no angle is used.
        if (wide > room && needs < wide) expect(bestTurn(wide, thick, room, needs - 3)).toBeLessThan(0);
      }),
      { numRuns: 300 },
    );
  });

  test('a table top of 2.05 m goes through a door of 76 by 198 cm only tilted, and not if it is too thick for that', () => {
    const top = { width: 2_600, depth: 2_050, height: 60 };
    expect(throughOpening(top, { width: 760, height: 1_980 })).toMatchObject({ tilt: 'leaning', ahead: 'width' });
    expect(throughOpening({ ...top, height: 600 }, { width: 760, height: 1_980 })).toBeUndefined();
  });

  test('no opening lets through what is thicker than it is wide', () => {
    fc.assert(
      fc.property(box, opening, (some, door) => {
        if (Math.min(door.width, door.height) < sorted(some)[0]) expect(throughOpening(some, door)).toBeUndefined();
      }),
    );
  });
});

/** The room needed by an orientation. */
const held = (some: Box, { up, ahead }: Way): [up: number, ahead: number] => [some[up], some[ahead]];

test('a straight way names sides that go through', () => {
  fc.assert(
    fc.property(box, opening, (some, door) => {
      const way = throughOpening(some, door);
      if (way?.tilt !== 'none') return;
      const [up, ahead] = held(some, way);
      const rest = some.width + some.depth + some.height - up - ahead;
      expect([up <= door.height, rest <= door.width]).toEqual([true, true]);
    }),
  );
});

/** Points on the outline of a rotated l × t rectangle that touches both outer walls of a corner. */
function outline(long: number, thick: number, angle: number): [number, number][] {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const corners = [
    [0, 0],
    [long * cos, -long * sin],
    [long * cos + thick * sin, -long * sin + thick * cos],
    [thick * sin, thick * cos],
  ] as [number, number][];
  const [left, low] = [Math.min(...corners.map(([x]) => x)), Math.min(...corners.map(([, y]) => y))];
  return corners.flatMap(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % 4] ?? [x, y];
    return Array.from({ length: 60 }, (_, part): [number, number] => [
      x - left + ((nextX - x) * part) / 60,
      y - low + ((nextY - y) * part) / 60,
    ]);
  });
}

/** The deepest overlap with the corner's inner edge over a quarter turn, in steps of 1°. */
function intrusion(long: number, thick: number, before: number, after: number): number {
  const angles = Array.from({ length: 91 }, (_, step) => (step / 90) * (Math.PI / 2));
  const turning = angles.flatMap((angle) => outline(long, thick, angle).map(([x, y]) => Math.min(x - after, y - before)));
  return Math.max(thick - before, thick - after, ...turning.filter((depth) => depth > 0));
}

test('a corner lets a piece turn exactly where it finds a place at every angle', () => {
  const narrow = fc.integer({ min: 300, max: 1_500 });
  fc.assert(
    fc.property(side, fc.integer({ min: 20, max: 900 }), narrow, narrow, (long, thick, before, after) => {
      const slides = (thick <= before && long <= after) || (long <= before && thick <= after);
      const turned = Math.min(intrusion(long, thick, before, after), intrusion(thick, long, before, after));
      const spare = spareAtCorner(long, thick, { before, after });
      if (spare >= 0 && !slides) expect(turned).toBeLessThanOrEqual(0.001);
      // Outline points are up to 5 cm apart, so the search misses up to that much.
      if (turned <= 0) expect(spare).toBeGreaterThan(-60);
      if (slides) expect(spare).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 60 },
  );
});

describe('every question', () => {
  const spaces = fc.record({ width: side, depth: side, height: side });
  const measured = fc.record({ space: spaces, door: opening, lift: spaces, corner }) satisfies fc.Arbitrary<Measured>;
  const places = ['space', 'door', 'lift', 'corner'] as const;
  const one = (all: Required<Measured>, place: (typeof places)[number]): Measured => ({ [place]: all[place] });

  test('is answered no better for a piece that is larger on any side (§2.7.4)', () => {
    fc.assert(
      fc.property(
        box,
        measured,
        fc.constantFrom(...places),
        fc.constantFrom<Side>('width', 'depth', 'height'),
        more,
        (some, all, place, name, plus) => {
          const larger = { ...some, [name]: some[name] + plus };
          expect(rank(larger, one(all as Required<Measured>, place))).toBeLessThanOrEqual(
            rank(some, one(all as Required<Measured>, place)),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('is answered no worse where there is more room on any side', () => {
    fc.assert(
      fc.property(box, measured, fc.constantFrom(...places), fc.nat(2), more, (some, all, place, index, plus) => {
        const room = all[place] as unknown as Record<string, number>;
        const name = Object.keys(room)[index % Object.keys(room).length] ?? '';
        const wider = { ...all, [place]: { ...room, [name]: (room[name] ?? 0) + plus } } as Required<Measured>;
        expect(rank(some, one(wider, place))).toBeGreaterThanOrEqual(rank(some, one(all as Required<Measured>, place)));
      }),
      { numRuns: 1_000 },
    );
  });

  test('on the way does not ask which side of a piece is called its width, nor which of the door’s or the lift’s is', () => {
    fc.assert(
      fc.property(box, measured, (some, { door, lift, corner: turn }) => {
        const other = { width: some.height, depth: some.width, height: some.depth };
        for (const place of [{ door }, { lift }, { corner: turn }]) expect(rank(other, place)).toBe(rank(some, place));
        expect(rank(some, { door: { width: door.height, height: door.width } })).toBe(rank(some, { door }));
        expect(rank(some, { lift: { ...lift, width: lift.height, height: lift.width } })).toBe(rank(some, { lift }));
        expect(rank(some, { corner: { ...turn, before: turn.after, after: turn.before } })).toBe(rank(some, { corner: turn }));
      }),
      { numRuns: 500 },
    );
  });

  test('on the way is never a no: whether legs come off or it arrives in parts is not known (§2.7.4)', () => {
    fc.assert(
      fc.property(box, measured, (some, { door, lift, corner: turn }) => {
        const findings = judge({ outer: some }, { door, lift, corner: turn }, 'cm');
        expect(findings.map(({ verdict }) => verdict)).not.toContain('no');
        for (const { verdict, text } of findings) {
          expect(text).not.toMatch(/does not (fit|go)/);
          if (verdict === 'help') expect(text).toMatch(/^Held .*We checked it as one closed box with its legs on/);
        }
      }),
    );
  });

  test('is not called a fit while less than two centimetres are to spare', () => {
    fc.assert(
      fc.property(box, fc.integer({ min: 0, max: CLEARANCE - 1 }), (some, play) => {
        const exact = { width: some.width + play, depth: some.depth + play, height: some.height + play };
        expect([rank(some, { space: exact }), spaceVerdict(some, exact)]).toEqual([1, 'tight']);
        expect(spaceVerdict(some, { width: some.width + CLEARANCE })).toBe('fits');
        expect(rank(some, { door: { width: sorted(some)[0] + play, height: 9_000 } })).toBe(1);
      }),
    );
  });
});

test('a lift takes what stands in it straight, leans in it, or stands across its floor', () => {
  const lift = { width: 1_100, depth: 1_400, height: 2_100 };
  expect(intoCabin({ width: 2_050, depth: 900, height: 800 }, lift)).toMatchObject({ up: 'width', tilt: 'none' });
  expect(intoCabin({ width: 2_200, depth: 900, height: 100 }, lift)).toMatchObject({ tilt: 'leaning' });
  expect(intoCabin({ width: 1_500, depth: 100, height: 2_050 }, lift)).toMatchObject({ up: 'height', tilt: 'diagonal' });
  expect(intoCabin({ width: 2_600, depth: 1_000, height: 1_000 }, lift)).toBeUndefined();
});

test('a sofa goes round a narrow corner on end', () => {
  const sofa = { width: 2_240, depth: 920, height: 840 };
  expect(roundCorner(sofa, { before: 1_000, after: 1_000, height: 2_400 })).toMatchObject({ up: 'width' });
  expect(roundCorner(sofa, { before: 1_000, after: 1_000, height: 2_200 })).toBeUndefined();
  // The ladder problem: the longest thin board is (a^⅔ + b^⅔)^1.5.
  expect(spareAtCorner(2_828, 1, { before: 1_000, after: 1_000 })).toBeCloseTo(-0.6, 0);
});

describe('what is said', () => {
  const sofa = { width: 2_240, depth: 920, height: 840 };
  const text = (outer: Outer, measured: Measured) => judge({ outer }, measured, 'cm')[0]?.text;
  test.each<[Outer, Measured, string]>([
    [
      sofa,
      { space: { width: 2_300, depth: 1_000, height: 1_000 } },
      'It fits, with 6 cm in width, 8 cm in depth and 16 cm in height to spare.',
    ],
    [sofa, { space: { width: 2_255 } }, 'It fits, with 1.5 cm in width to spare. Please measure again before you order.'],
    [sofa, { space: { width: 2_200, depth: 900 } }, 'It is 4 cm too wide and 2 cm too deep for your space.'],
    [sofa, { space: { width: 950, depth: 2_300 } }, 'It is 129 cm too wide for your space. Turned sideways, it fits.'],
    [
      { ...sofa, depth: null },
      { space: { width: 2_300, depth: 1_000 } },
      'We don’t know its depth. Please ask us. Otherwise there is 6 cm in width to spare.',
    ],
    [{ ...sofa, depth: null }, { door: { width: 760, height: 1_980 } }, 'We don’t know its depth. Please ask us.'],
    [
      sofa,
      { door: { width: 900, height: 1_980 } },
      'It goes through on its back, one end first, with 6 cm to spare in width and 106 cm in height.',
    ],
    [
      sofa,
      { door: { width: 760, height: 1_980 } },
      'Held on its back, one end first, it is 8 cm wider than your door. We checked it as one closed box with its legs on, and don’t know what comes off or whether it arrives in parts. Send us a photo and we’ll say for sure.',
    ],
    [
      { width: 2_600, depth: 2_050, height: 60 },
      { door: { width: 760, height: 1_980 } },
      'It goes through tilted along the diagonal, one end first: held like that, it needs 65 cm of the 76 cm. It takes two people, and room in front of the door. Please measure again before you order.',
    ],
  ])('of %j in %j', (outer, measured, said) => {
    expect(text(outer, measured)).toBe(said);
  });

  const door = { width: 760, height: 1_980 };
  const legsOff = { ...sofa, height: 690, off: 'legs off (4 screws)', boxes: null };
  const inBoxes = { width: 2_080, depth: 620, height: 180, off: null, boxes: 3 };
  test.each<[Partial<Piece>, Measured, Verdict, string]>([
    [
      { carrying: legsOff },
      { door },
      'fits',
      'It goes through with its legs off (4 screws), on its back, one end first, with 7 cm to spare in width and 106 cm in height.',
    ],
    [
      { carrying: legsOff },
      { door: { ...door, width: 900 } },
      'fits',
      'It goes through on its back, one end first, with 6 cm to spare in width and 106 cm in height.',
    ],
    [
      { carrying: legsOff },
      { door: { ...door, width: 700 } },
      'tight',
      'It goes through with its legs off (4 screws), on its back, one end first, with 1 cm to spare in width and 106 cm in height. Please measure again before you order.',
    ],
    [
      { carrying: legsOff },
      { door: { ...door, width: 600 } },
      'help',
      'With its legs off (4 screws) and held on its back, one end first, it is 9 cm wider than your door. Send us a photo and we’ll say for sure.',
    ],
    [
      { carrying: inBoxes },
      { door },
      'fits',
      'It arrives in 3 boxes. The largest goes through upright, one end first, with 14 cm to spare in width and 180 cm in height.',
    ],
    [
      { carrying: { ...inBoxes, boxes: 1 } },
      { lift: { width: 900, depth: 1_000, height: 1_800 } },
      'help',
      'It arrives in a box of 208 × 62 × 18 cm. Held on end, its back first, it is 28 cm higher than your lift. Send us a photo and we’ll say for sure.',
    ],
    [{ door: 740 }, { door }, 'fits', 'It goes through doors from 74 cm wide.'],
    [{ door: 740 }, { door: { ...door, width: 730 } }, 'help', expect.stringContaining('We checked it as one closed box')],
  ])('of a sofa that is carried as %j in %j', (piece, measured, verdict, said) => {
    expect(judge({ outer: sofa, ...piece }, measured, 'cm')).toEqual([{ place: Object.keys(measured)[0], verdict, text: said }]);
  });
});

describe('a length', () => {
  test('counts from a millimetre to ten metres', () => {
    expect(['0', '0.1', '1000', '1001', '70-80'].map((typed) => lengthOf(typed, 'cm'))).toEqual([
      undefined,
      1,
      10_000,
      undefined,
      undefined,
    ]);
  });

  test('means the same in centimetres and in inches, and is said as it was typed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 3_900 }), (tenths) => {
        const inches = tenths / 10;
        const length = lengthOf(String(inches), 'in') ?? 0;
        expect(Math.abs(length - inches * 25.4)).toBeLessThanOrEqual(0.5);
        expect(lengthText(length, 'in')).toBe(`${inches} in`);
        expect(lengthOf(lengthText(length, 'cm'), 'in')).toBe(length);
      }),
    );
  });

  test('to spare is rounded down, what is lacking up', () => {
    expect([lackText(1, 'in'), lackText(10, 'cm'), lackText(0.01, 'cm')]).toEqual(['0.1 in', '1 cm', '0.1 cm']);
  });
});
