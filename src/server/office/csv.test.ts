import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BYTE_ORDER_MARK, CsvError, csvRow, parseCsv } from './csv.ts';

test.each(['=1+1', '+44', '-5', '@sum', '\tx', '\rx', "'=1", '==', '-'])(
  'a cell that begins like a formula, %j, gets an apostrophe',
  (cell) => {
    const row = csvRow([cell]);
    expect(row.replace(/^"/, '').startsWith("'")).toBe(true);
    expect(parseCsv(row)).toEqual([[cell]]);
  },
);

test('commas, quotes and line ends are quoted; anything else stands as it is', () => {
  expect(csvRow(['a', 'b,c', 'say "x"', 'one\ntwo', 5, true, "it's"])).toBe('a,"b,c","say ""x""","one\ntwo",5,true,it\'s\r\n');
});

test('whatever is written is read back', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', "'", '=', '-', 'a', '\t') }));
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 5 }), { maxLength: 6 }), (rows) => {
      expect(parseCsv(BYTE_ORDER_MARK + rows.map(csvRow).join(''))).toEqual(rows);
    }),
    { numRuns: 500 },
  );
});

test('files of other programs are read: any line end, none at the end, empty lines', () => {
  expect(parseCsv('a,b\nc,d\r\n\r\n"e",f\rg,')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
    ['g', ''],
  ]);
  expect(parseCsv('')).toEqual([]);
});

test('a quotation mark that is never closed, or goes on, names its row', () => {
  const rowOf = (text: string) => {
    try {
      parseCsv(text);
    } catch (error) {
      return error instanceof CsvError && error.row;
    }
    return undefined;
  };
  expect(rowOf('a,b\n"c,d\n')).toBe(2);
  expect(rowOf('a,b\nc,d\n"e"f,g\n')).toBe(3);
});

test('a large file is read in time that grows with its size', () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => csvRow([n, 'name', 'a "quoted", cell'])).join('');
  expect(parseCsv(rows)).toHaveLength(20_000);
});
