import { expect, test } from 'vitest';
import type { z } from 'zod';
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

test('a CSV that cannot be read says why', () => {
  expect(() => rowsOfCsv(columns, 'Postcodes,Surcharge\nIV,30')).toThrow('The first line has no column “Longer by”.');
  expect(() => rowsOfCsv(columns, 'Postcodes\n"IV')).toThrow(/quote/i);
});
