import { expect, test } from 'vitest';
import type { z } from 'zod';
import { messageOf } from '#contract/platform/problem.ts';
import { fieldsOf, type SectionFields } from '#contract/settings/sections.schema.ts';
import { rowsOfCsv } from './rows-csv.tsx';

const areas = fieldsOf('delivery').areas as z.ZodArray<z.ZodObject>;
const columns = areas.element.shape as SectionFields;

test('areas are read from a spreadsheet’s CSV, in whatever order its columns are', () => {
  const text =
    '\ufeffSurcharge,Postcodes,Longer by,Not by,We do not deliver there\r\n30,"IV, HS",2,,\r\n0,IM,0,,"Sorry, ""not"" there."\r\n';
  expect(rowsOfCsv(columns, text)).toEqual([
    { postcodes: 'IV, HS', surcharge: '30', extraDays: '2', without: '', refusal: '' },
    { postcodes: 'IM', surcharge: '0', extraDays: '0', without: '', refusal: 'Sorry, "not" there.' },
  ]);
});

test.each([
  ['semicolons', 'Postcodes;Surcharge;Longer by;Not by;We do not deliver there\n"IV, HS";30;2;;\nIM;0;0;;Sorry'],
  ['tabs', 'Postcodes\tSurcharge\tLonger by\tNot by\tWe do not deliver there\nIV, HS\t30\t2\t\t\nIM\t0\t0\t\tSorry'],
])('%s are taken, too', (_, text) => {
  expect(rowsOfCsv(columns, text)).toEqual([
    { postcodes: 'IV, HS', surcharge: '30', extraDays: '2', without: '', refusal: '' },
    { postcodes: 'IM', surcharge: '0', extraDays: '0', without: '', refusal: 'Sorry' },
  ]);
});

const saidOf = (text: string) => {
  try {
    return rowsOfCsv(columns, text);
  } catch (error) {
    return messageOf(error);
  }
};

test('a CSV that cannot be read says why', () => {
  expect(saidOf('hello')).toMatch(/^The first line has no column “Postcodes”. It must name: Postcodes, Surcharge, /);
  expect(saidOf('Postcodes,Surcharge\nIV,30')).toContain('no column “Longer by”');
  expect(saidOf('Postcodes\n"IV')).toContain('one quote mark');
});
