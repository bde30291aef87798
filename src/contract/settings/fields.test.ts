import { expect, test } from 'vitest';
import { readFields, type SettingFields, textOfValue } from './fields.ts';
import { accentProblem, contrast, DEFAULT_COLOURS, darkProblem, paletteCss } from './palette.ts';

const FIELDS = {
  name: { kind: 'line', label: 'Name', max: 5 },
  note: { kind: 'line', label: 'Note', max: 5, optional: true },
  days: { kind: 'number', label: 'Days', least: 1, most: 90, unit: 'days' },
  rate: { kind: 'number', label: 'Rate', least: 0, most: 100, decimals: 2, unit: 'per cent' },
  isOpen: { kind: 'flag', label: 'Open' },
  links: { kind: 'rows', label: 'Links', row: 'link', most: 2, columns: { to: { kind: 'line', label: 'To', max: 5 } } },
} as const satisfies SettingFields;
const RIGHT = { name: ' Oak ', note: '', days: '14', rate: 17.5, isOpen: true, links: [{ to: 'a ' }] };

test('a field is read from what was typed, without the spaces around it and names that are no field’s', () => {
  const { values, errors } = readFields(FIELDS, { ...RIGHT, colour: 'red' });
  expect([values, errors]).toEqual([{ name: 'Oak', note: '', days: 14, rate: 17.5, isOpen: true, links: [{ to: 'a' }] }, {}]);
});

test.each([
  [{ name: ' ' }, { name: 'Name is required' }],
  [{ name: 7 }, { name: 'Name must be text' }],
  [{ name: 'Oakwell' }, { name: 'Name can have at most 5 characters' }],
  [{ days: '1.5' }, { days: 'Days must be a number from 1 to 90 (days)' }],
  [{ days: '' }, { days: 'Days must be a number from 1 to 90 (days)' }],
  [{ days: '1e1' }, { days: 'Days must be a number from 1 to 90 (days)' }],
  [{ rate: 17.555 }, { rate: 'Rate must be a number from 0 to 100 with at most 2 decimals (per cent)' }],
  [{ rate: -1 }, { rate: 'Rate must be a number from 0 to 100 with at most 2 decimals (per cent)' }],
  [{ isOpen: 'yes' }, { isOpen: 'Open must be true or false' }],
  [{ links: [] }, { links: 'Links is required' }],
  [{ links: 'a' }, { links: 'Links must be a list' }],
  [{ links: [{ to: 'a' }, null, { to: 'c' }] }, { links: 'Links can have at most 2 rows', 'links.1.to': 'To is required' }],
])('%j is refused in words, at its control', (wrong, errors) => {
  expect(readFields(FIELDS, { ...RIGHT, ...wrong }).errors).toEqual(errors);
});

test('a value is written in the history as people say it', () => {
  const rows = { kind: 'rows', label: 'Hours', row: 'row', most: 9, columns: { days: FIELDS.name, times: FIELDS.name } } as const;
  expect(
    textOfValue(rows, [
      { days: 'Mon', times: '9-5' },
      { days: 'Sun', times: '' },
    ]),
  ).toBe('Mon: 9-5; Sun');
  expect([textOfValue(FIELDS.rate, 20), textOfValue(FIELDS.isOpen, true), textOfValue(FIELDS.name, 'Oak')]).toEqual([
    '20 per cent',
    'yes',
    'Oak',
  ]);
});

test('a colour is refused where its contrast is below WCAG AA, with the ratio', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(accentProblem('#e0a060')).toBe(
    'Too light to read: its contrast with the page is 2.1 to 1, and text needs 4.5 to 1. Choose a darker one',
  );
  expect(darkProblem('#767676')).toMatch(/^Too light to read/);
  expect(darkProblem('green')).toBe('Write the colour as # and six digits, such as #23382f');
  expect([accentProblem(DEFAULT_COLOURS.accent), darkProblem(DEFAULT_COLOURS.dark)]).toEqual([undefined, undefined]);
});

test('the palette follows from two colours; the default ones are in the style sheet', () => {
  expect(paletteCss(DEFAULT_COLOURS)).toBe('');
  expect(paletteCss({ accent: '#7a1f5c', dark: '#1b2a49' })).toBe(
    '--color-clay:#7a1f5c;--color-accent:#1b2a49;--color-accent-deep:#131d33;--color-accent-tint:#e8eaed',
  );
});
