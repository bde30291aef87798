import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namedColour } from './colour.ts';
import { colourDifference, type Lab, labOf } from './colour-difference.ts';

/** The colours of CSS that everybody knows by name: none of them is an example in the table. */
test.each([
  ...(['white', 'black', 'red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'grey', 'beige'] as const).map(
    (family) => [family, family] as const,
  ),
  ...([
    ['crimson', 'red'],
    ['firebrick', 'red'],
    ['maroon', 'red'],
    ['brown', 'red'],
    ['tomato', 'red'],
    ['chocolate', 'orange'],
    ['sienna', 'orange'],
  ] as const),
  ...([
    ['saddlebrown', 'brown'],
    ['gold', 'yellow'],
    ['khaki', 'yellow'],
    ['goldenrod', 'yellow'],
    ['olive', 'green'],
    ['darkgreen', 'green'],
  ] as const),
  ...([
    ['seagreen', 'green'],
    ['limegreen', 'green'],
    ['teal', 'green'],
    ['steelblue', 'blue'],
    ['navy', 'blue'],
    ['skyblue', 'blue'],
  ] as const),
  ...([
    ['indigo', 'purple'],
    ['orchid', 'purple'],
    ['hotpink', 'pink'],
    ['lightpink', 'pink'],
    ['dimgrey', 'grey'],
    ['silver', 'grey'],
  ] as const),
  ...([
    ['linen', 'white'],
    ['ivory', 'white'],
    ['wheat', 'beige'],
    ['tan', 'brown'],
    ['slategrey', 'grey'],
    ['gainsboro', 'grey'],
  ] as const),
])('the colour that browsers call %s is found among the family %s (§3.2.1)', (css, family) => {
  expect(namedColour(CSS[css] ?? '').families, namedColour(CSS[css] ?? '').name).toContain(family);
});

const CSS: Record<string, string> = {
  white: '#ffffff',
  black: '#000000',
  red: '#ff0000',
  orange: '#ffa500',
  yellow: '#ffff00',
  green: '#008000',
  blue: '#0000ff',
  purple: '#800080',
  pink: '#ffc0cb',
  brown: '#a52a2a',
  grey: '#808080',
  beige: '#f5f5dc',
  crimson: '#dc143c',
  firebrick: '#b22222',
  maroon: '#800000',
  tomato: '#ff6347',
  chocolate: '#d2691e',
  sienna: '#a0522d',
  saddlebrown: '#8b4513',
  gold: '#ffd700',
  khaki: '#f0e68c',
  goldenrod: '#daa520',
  olive: '#808000',
  darkgreen: '#006400',
  seagreen: '#2e8b57',
  limegreen: '#32cd32',
  teal: '#008080',
  steelblue: '#4682b4',
  navy: '#000080',
  skyblue: '#87ceeb',
  indigo: '#4b0082',
  orchid: '#da70d6',
  hotpink: '#ff69b4',
  lightpink: '#ffb6c1',
  dimgrey: '#696969',
  silver: '#c0c0c0',
  linen: '#faf0e6',
  ivory: '#fffff0',
  wheat: '#f5deb3',
  tan: '#d2b48c',
  slategrey: '#708090',
  gainsboro: '#dcdcdc',
};

test('a colour that was typed in words keeps them, and is found by the families that they name', () => {
  expect(namedColour('Dark oak')).toEqual({ name: 'Dark oak', families: ['beige', 'brown'] });
  expect(namedColour('Light gray')).toEqual({ name: 'Light gray', families: ['grey'] });
  expect(namedColour('Leopard')).toEqual({ name: 'Leopard', families: [] });
  expect(namedColour('#ABC')).toEqual(namedColour('#aabbcc'));
});

test('every hex code has a name and one or two families, and is as far from one colour as that one is from it', () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(hex, hex, (one, other) => {
      const { name, families } = namedColour(one);
      expect(name).toMatch(/^[A-Z][a-z-]+( [a-z]+)?$/);
      expect(families.length).toBeGreaterThanOrEqual(1);
      expect(families.length).toBeLessThanOrEqual(2);
      const [a, b] = [labOf(one) as Lab, labOf(other) as Lab];
      expect(colourDifference(a, b)).toBeCloseTo(colourDifference(b, a), 6);
      expect(colourDifference(a, a)).toBe(0);
    }),
  );
});

/** Pairs of the paper that specifies CIEDE2000 (Sharma, Wu, Dalal 2005). */
test.each<[Lab, Lab, number]>([
  [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
  [[50, -1.3802, -84.2814], [50, 0, -82.7485], 1],
  [[50, 2.5, 0], [50, 0, -2.5], 4.3065],
  [[50, 2.5, 0], [73, 25, -18], 27.1492],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
])('%j and %j are %f apart', (one, other, difference) => {
  expect(colourDifference(one, other)).toBeCloseTo(difference, 4);
});
