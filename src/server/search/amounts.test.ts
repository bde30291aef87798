import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMsOf } from '#server/testing/cpu-time.ts';
import { amountsIn } from './amounts.ts';

const plain = (text: string) => amountsIn(text).map(({ measure, min, max }) => [measure, min, max]);

test.each<[string, ...[string, number | undefined, number | undefined][]]>([
  ['sofa under 200 cm', ['any side', undefined, 2_000]],
  ['sofa under 2m', ['any side', undefined, 2_000]],
  ['sofa less than 190 cm', ['any side', undefined, 1_900]],
  ['sofa 230cm wide', ['width', 2_208, 2_392]],
  ['6 ft sofa', ['any side', 1_756, 1_902]],
  ['six foot sofa', ['any side', 1_756, 1_902]],
  ['a metre wide wardrobe', ['width', 960, 1_040]],
  ['6\' 2" sofa', ['any side', 1_805, 1_955]],
  ['sofa 88 inches', ['any side', 2_146, 2_324]],
  ['wardrobe taller than 2 metres', ['height', 2_000, undefined]],
  ['bench up to 40 cm deep', ['depth', undefined, 400]],
  ['shelf 80-120 cm wide', ['width', 800, 1_200]],
  ['shelf between 80 cm and 120 cm', ['any side', 800, 1_200]],
  ['sofa under £1200', ['price', undefined, 120_000]],
  ['sofa under 1,300 pounds', ['price', undefined, 130_000]],
  ['sofas £1000-£1300', ['price', 100_000, 130_000]],
  ['£300 to £600', ['price', 30_000, 60_000]],
  ['600-300 quid', ['price', 30_000, 60_000]],
  ['chairs below 250', ['price', undefined, 25_000]],
  ['lamps over £150.50', ['price', 15_050, undefined]],
  ['sofa under 99999999999999999999', ['price', undefined, 2_000_000_000]],
  ['gift £50', ['price', undefined, 5_000]],
  ['sofa under 2m under £900', ['any side', undefined, 2_000], ['price', undefined, 90_000]],
  ['wardrobe under a grand', ['price', undefined, 100_000]],
  ['sofa less than 1.3k', ['price', undefined, 130_000]],
  ['vase under fifty pounds', ['price', undefined, 5_000]],
  ['table for less than three hundred', ['price', undefined, 30_000]],
  ['lamp 80 quid or less', ['price', undefined, 8_000]],
  ['lamp for a hundred quid or less', ['price', undefined, 10_000]],
  ['lamp less then £80', ['price', undefined, 8_000]],
  ['sideboard 43cm deep or less', ['depth', undefined, 430]],
  ['sofa 180 to 200 wide', ['width', 1_800, 2_000]],
  ['vase £30ish', ['price', 2_400, 3_600]],
  ['wardrobe 1,000 - 1,300', ['price', 100_000, 130_000]],
  ['table 72 x 36 inches', ['width', 1_756, 1_902], ['depth', 877, 951]],
  ['lamp 100 max', ['price', undefined, 10_000]],
  ['nothing over £50', ['price', undefined, 5_000]],
  ['gifts under a fiver', ['price', undefined, 500]],
  ['sideboard around £800', ['price', 64_000, 96_000]],
  ['chair with a seat height under 45 cm', ['seatHeight', undefined, 450]],
  ['chair seat height 45 cm', ['seatHeight', 441, 459]],
  ['dining chair 45cm seat', ['seatHeight', 441, 459]],
  ['coffee table around 300', ['price', 24_000, 36_000]],
  ['sideboard 160 wide', ['width', 1_536, 1_664]],
  ['sofa no wider than 180cm', ['width', undefined, 1_800]],
  ['sofa max width 180cm', ['width', undefined, 1_800]],
  ['minimum seat height of 45 cm', ['seatHeight', 450, undefined]],
  ['sideboard 160 x 45', ['width', 1_536, 1_664], ['depth', 432, 468]],
  ['table 60cm by 60cm', ['width', 576, 624], ['depth', 576, 624]],
  ['sofa under twelve hundred', ['price', undefined, 120_000]],
  ['sofa under a thousand two hundred and fifty pounds', ['price', undefined, 125_000]],
  ['between three and four hundred', ['price', 30_000, 40_000]],
  ['between three hundred and four hundred', ['price', 30_000, 40_000]],
  ['3-4 hundred pounds', ['price', 30_000, 40_000]],
  ['lamps from 80 to 100', ['price', 8_000, 10_000]],
  ['armchair for 600', ['price', undefined, 60_000]],
  ['dining chair about 200', ['price', 16_000, 24_000]],
  ['sofa budget 1200', ['price', undefined, 120_000]],
  ['armchair under six fifty', ['price', undefined, 65_000]],
  ['sofa for no more than eleven fifty', ['price', undefined, 115_000]],
  ['under a couple of hundred', ['price', undefined, 20_000]],
  ['sofa under hundred', ['price', undefined, 10_000]],
  ['under a grand and a half', ['price', undefined, 150_000]],
  ['under one and a half thousand', ['price', undefined, 150_000]],
  ['half a grand', ['price', undefined, 50_000]],
  ['wardrobe a metre and a half wide', ['width', 1_440, 1_560]],
  ['one and a half metres', ['any side', 1_440, 1_560]],
  ['lamp half a metre tall', ['height', 480, 520]],
  ['half metre wide', ['width', 480, 520]],
  ['sofa under 1m80', ['any side', undefined, 1_800]],
  ['sofa under 1 metre 80', ['any side', undefined, 1_800]],
  ['sofa under 6ft 6', ['any side', undefined, 1_981]],
  ["sofa under 6'6", ['any side', undefined, 1_981]],
  ['under 6 ft 2 seater', ['any side', undefined, 1_829]],
  ['eight inch bowl', ['any side', 195, 211]],
])('%s', (typed, ...expected) => {
  expect(plain(typed)).toEqual(expected);
});

test.each([
  '2 seater sofa',
  '2 x 2 seater sofas',
  'arc lamp over sofa',
  'seat for 2',
  'table 3',
  'm',
  '',
  '£',
  'under',
  'made in england',
  '3 in 1 sofa bed',
])('“%s” holds no amount', (typed) => {
  expect(amountsIn(typed)).toEqual([]);
});

test('amounts lie in the text, in their order, without overlap, whatever is typed, and are read in no time (§12.6)', () => {
  const piece = fc.constantFrom(
    'under ',
    '£',
    '200',
    ' cm',
    '1,200',
    ' to ',
    '-',
    "6'",
    '2"',
    ' wide',
    'ﬁ',
    'İ',
    '½',
    '1e-50',
    `0.${'0'.repeat(60)}1`,
    'sofa ',
    'between ',
    ' x ',
    ' hundred',
    ' and a half',
    'six ',
    'a ',
    ' ft ',
    'm',
    ' and ',
    '.',
    ',',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
        fc.string({ maxLength: 200 }),
      ),
      (typed) => {
        let amounts: ReturnType<typeof amountsIn> = [];
        expect(cpuMsOf(() => (amounts = amountsIn(typed)))).toBeLessThan(200);
        let end = 0;
        for (const { from, to, min, max } of amounts) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          end = to;
          for (const bound of [min, max]) expect(bound === undefined || (Number.isSafeInteger(bound) && bound >= 0)).toBe(true);
        }
        expect(end).toBeLessThanOrEqual(typed.length);
      },
    ),
    { numRuns: 500 },
  );
});

test('a search is read in some milliseconds, also once the garbage collector has dropped what was compiled', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  amountsIn('sofa');
  for (let n = 0; n < 4; n += 1) collect();
  const { user, system } = process.cpuUsage();
  amountsIn('sofa');
  const now = process.cpuUsage();
  // Patterns that are copied for each search cost more than a second here.
  expect(now.user + now.system - user - system).toBeLessThan(300_000);
});
