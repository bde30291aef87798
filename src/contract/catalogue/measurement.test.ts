import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dimensionsOf, lengthsOf, readMeasurement } from './measurement.ts';

test.each([
  ['Width', '224', { width: 2_240 }],
  ['width', '224 cm', { width: 2_240 }],
  ['Width', 'Width 224 cm', { width: 2_240 }],
  ['Width', '2240mm', { width: 2_240 }],
  ['Width', '2,240 mm', { width: 2_240 }],
  ['Width', '2.24 m', { width: 2_240 }],
  ['Width', '22,5', { width: 225 }],
  ['Width', '88 in', { width: 2_235 }],
  ['Width', '88"', { width: 2_235 }],
  ['Width', '88½ inches', { width: 2_248 }],
  ['Width', '88-1/2"', { width: 2_248 }],
  ['Width', '7 ft 4 in', { width: 2_235 }],
  ['Width', '7′4″', { width: 2_235 }],
  ['Width', '7\'4"', { width: 2_235 }],
  ['Width', '6 feet', { width: 1_829 }],
  ['Overall width', 'approx. 224 cm', { width: 2_240 }],
  ['Depth with handles', '61.5', { depth: 615 }],
  ['Seat depth with cushions', '61.5', {}],
  ['Height without legs', '70', {}],
  ['Max. height', '110', { height: 1_100 }],
  ['Width (mm)', '2240', { width: 2_240 }],
  ['Width in inches', '88', { width: 2_235 }],
  ['W', '224', { width: 2_240 }],
  ['Height', '75–110 cm', { height: 1_100 }],
  ['Height', '75 cm to 110 cm', { height: 1_100 }],
  ['Diameter', '62', { width: 620, depth: 620 }],
  ['Ø', '62 cm', { width: 620, depth: 620 }],
  ['Length', '180', { width: 1_800 }],
  ['Dimensions', '224 x 95 x 80 cm', { width: 2_240, depth: 950, height: 800 }],
  ['Dimensions', '224x95x80', { width: 2_240, depth: 950, height: 800 }],
  ['Size', '224 × 95 × 80 cm', { width: 2_240, depth: 950, height: 800 }],
  ['Dimensions', '224cm x 95cm x 80cm', { width: 2_240, depth: 950, height: 800 }],
  ['Dimensions', 'W224 x D95 x H80 cm', { width: 2_240, depth: 950, height: 800 }],
  ['Dimensions', 'H 80, W 224, D 95', { width: 2_240, depth: 950, height: 800 }],
  ['Dimensions', '80h x 224w x 95d cm', { width: 2_240, depth: 950, height: 800 }],
  ['Dimensions', '88" (W) x 37" (D) x 31" (H)', { width: 2_235, depth: 940, height: 787 }],
  ['Dimensions (H x W x D)', '80 x 224 x 95', { width: 2_240, depth: 950, height: 800 }],
  ['Dimensions', 'Ø 45 x H 50 cm', { width: 450, depth: 450, height: 500 }],
  ['Width x Height', '60 x 200', { width: 600, height: 2_000 }],
  ['Seat height', '43', {}],
  ['Cable length', '2 m', {}],
  ['Weight', '23 kg', {}],
  ['Parcel', '120 x 60 x 20', {}],
  ['Size', 'Large', {}],
])('%s “%s” is read as %j (§3.2.1)', (name, value, dimensions) => {
  expect(readMeasurement(name, value)).toEqual(dimensions);
});

test.each([
  ['Width', 'wide enough for two'],
  ['Width', '2240'],
  ['Width', '0'],
  ['Width', '-5'],
  ['Width', '12 kg'],
  ['Width', '80 cm high'],
  ['Height', '12 parsecs'],
  ['Dimensions', '224 x 95'],
  ['Dimensions', 'W 224 x W 95 x H 80'],
  ['Width', '224 x 95 x 80'],
  ['Depth', ''],
])('%s “%s” is not understood (§3.2.1)', (name, value) => {
  expect(readMeasurement(name, value)).toBeUndefined();
});

test('every length of up to ten metres reads the same in each way of writing it (§3.2.1)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), (mm) => {
      const inches = mm / 25.4;
      const ways = [
        ...[`${mm} mm`, `${mm}mm`, `${mm / 10}`, `${mm / 10} cm`, `${(mm / 1_000).toFixed(3)} m`],
        ...[`${inches.toFixed(3)} in`, `${inches.toFixed(3)}"`, `${Math.floor(inches / 12)} ft ${(inches % 12).toFixed(3)} in`],
        ...[`Width ${mm} mm`, `${mm} millimetres wide`, `${mm.toLocaleString('en-GB')} mm`],
      ];
      for (const way of ways) expect(readMeasurement('Width', way), way).toEqual({ width: mm });
    }),
  );
});

test('three sides read the same with one unit at the end, with one each, and with labels in any order', () => {
  const side = fc.integer({ min: 1, max: 10_000 });
  fc.assert(
    fc.property(side, side, side, fc.constantFrom(' x ', 'x', ' × ', ' by '), (width, depth, height, by) => {
      const dimensions = { width, depth, height };
      const joined = (...parts: string[]) => parts.join(by);
      expect(readMeasurement('Dimensions', `${joined(...[width, depth, height].map(String))} mm`)).toEqual(dimensions);
      expect(readMeasurement('Dimensions', joined(`${width} mm`, `${depth / 10} cm`, `${height} mm`))).toEqual(dimensions);
      expect(readMeasurement('Dimensions', `${joined(`H${height}`, `W${width}`, `D${depth}`)} mm`)).toEqual(dimensions);
    }),
  );
});

test('whatever is typed, what is read is whole millimetres of up to ten metres, or nothing', () => {
  const alphabet = fc.constantFrom(...'0123456789 .,x×"\'/-()wdhcmin½'.split(''));
  fc.assert(
    fc.property(fc.string(), fc.oneof(fc.string(), fc.string({ unit: alphabet, maxLength: 30 })), (name, value) => {
      for (const typed of [name, 'Width', 'Dimensions'])
        for (const length of Object.values(readMeasurement(typed, value) ?? {})) {
          expect(Number.isInteger(length)).toBe(true);
          expect(length).toBeGreaterThanOrEqual(1);
          expect(length).toBeLessThanOrEqual(10_000);
        }
    }),
  );
});

test('of several measurements the first to name a side counts, and a length or diameter stands in for what is not named', () => {
  const of = (...pairs: [string, string][]) => dimensionsOf(pairs.map(([name, value]) => ({ name, value })));
  expect(of(['Width', '224'], ['Depth', '92'], ['Height', '84'], ['Seat height', '43'])).toEqual({ width: 2_240, depth: 920, height: 840 });
  expect(of(['Diameter', '62'], ['Height', '40'])).toEqual({ width: 620, depth: 620, height: 400 });
  expect(of(['Length', '180'], ['Width', '90'], ['Height', '75'])).toEqual({ width: 900, depth: 1_800, height: 750 });
  expect(of(['Width', '200'], ['Overall width', '210'])).toEqual({ width: 2_000 });
  expect(of(['Depth', '58'], ['Depth with handles', '61.5'])).toEqual({ depth: 615 });
  expect(of(['Height with legs', '45'], ['Height', '30'])).toEqual({ height: 450 });
  expect(of(['Width', 'roomy'], ['Height', '75'])).toEqual({ height: 750 });
  expect(of()).toEqual({});
});

test('reading a long text takes no longer than its length explains', () => {
  for (const text of ['1', '1 ', '1/', 'x', '1x', ' ', 'w', "'", '1-', '1,111']) {
    const before = process.cpuUsage();
    readMeasurement(text.repeat(60), text.repeat(60));
    expect(process.cpuUsage(before).user / 1_000, text).toBeLessThan(500);
  }
});

test('a bare number is read by the short way as by the long one, whatever its name', () => {
  const word = fc.constantFrom(
    'Width',
    'seat',
    'height',
    'in',
    'IN',
    'cm',
    'mm',
    'Inches',
    'ft',
    'feet',
    'max',
    'of',
    'm',
    'bottom',
    'Ø',
    '(cm)',
    'in.',
    ',',
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 1_200 }), (words, number) => {
      const name = words.join(' ');
      // With a space before it, a number goes the long way.
      expect(lengthsOf(name, String(number))).toEqual(lengthsOf(name, ` ${number}`));
    }),
    { numRuns: 2_000 },
  );
});
