import fc from 'fast-check';
import { expect, test } from 'vitest';
import { growthOf } from '#server/testing/cpu-time.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { BYTE_ORDER_MARK, csvRow, delimiterOf, readTable } from './csv.ts';

test.each(['=1+1', '+44', '-5', '@sum', '\tx', '\rx', "'=1", '==', '-'])(
  'a cell that begins like a formula, %j, gets an apostrophe',
  async (cell) => {
    const row = csvRow([cell]);
    expect(row.replace(/^"/, '').startsWith("'")).toBe(true);
    expect(await parseCsv(row)).toEqual([[cell]]);
  },
);

test('a number and an amount below 0 stay numbers, which a spreadsheet adds up', () => {
  expect(csvRow([-5, { pence: -123_450 }, { pence: -5 }, { pence: 123_450 }])).toBe('-5,-1234.50,-0.05,1234.50\r\n');
});

test('commas, quotes and line ends are quoted; anything else stands as it is', () => {
  expect(csvRow(['a', 'b,c', 'say "x"', 'one\ntwo', 5, true, "it's"])).toBe('a,"b,c","say ""x""","one\ntwo",5,true,it\'s\r\n');
});

test('whatever is written is read back', async () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', "'", '=', '-', 'a', '\t') }));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(text, { minLength: 2, maxLength: 5 }), { maxLength: 6 }), async (rows) => {
      expect(await parseCsv(BYTE_ORDER_MARK + rows.map(csvRow).join(''))).toEqual(rows);
    }),
    { numRuns: 500 },
  );
});

test('files of other programs are read: any line end, none at the end, empty lines', async () => {
  expect(await parseCsv('a,b\nc,d\r\n\r\n"e",f\rg,')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
    ['g', ''],
  ]);
  expect(await parseCsv('')).toEqual([]);
});

test.each([
  ['a,b\n"c,d\n', 2, 'A quotation mark is never closed.'],
  ['a,b\nc,d\n"e"f,g\n', 3, 'There is text after a closing quotation mark.'],
  ['a,b\nc 3",d\n', 2, 'There is a quotation mark in a cell that does not begin with one.'],
  [`a\n"${'x'.repeat(2_000_000)}`, 2, 'The row is too long. Is a quotation mark never closed?'],
  [','.repeat(2_000), 1, 'A row can have at most 1000 cells.'],
  ['a,b\r\n\r\n\r\nc 3",d\r\n', 4, 'There is a quotation mark in a cell that does not begin with one.'],
  [`a\n\n${','.repeat(2_000)}`, 3, 'A row can have at most 1000 cells.'],
])('what cannot be read names its row: %#', async (text, row, message) => {
  await expect(parseCsv(text)).rejects.toMatchObject({ name: 'Error', row, message });
});

test('a row has the number that a spreadsheet shows: empty lines count, and a line end within quotation marks does not', async () => {
  const rules = { mostRows: 3, tooMany: 'Too many.', wrongHead: () => [] };
  const { lines } = await readTable('a,b\n\n1,"one\ntwo"\n2,x\n\n\n3,y\n', rules);
  expect(lines.map(({ row, cells: [first] }) => [row, first])).toEqual([
    [3, '1'],
    [4, '2'],
    [7, '3'],
  ]);
  expect((await readTable('a\n1\n\n2\n3\n4', rules)).errors).toEqual([{ row: 6, column: '', message: 'Too many.' }]);
});

test('a large file is read in time that grows with its size', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => csvRow([n, 'name', 'a "quoted", cell'])).join('');
  expect(await parseCsv(rows)).toHaveLength(20_000);
});

test.each([',', '"', 'a'])('what separates the cells of a file of nothing but %j is known without reading all of it', async (part) => {
  expect(await growthOf(1_000_000, (length) => part.repeat(length), delimiterOf)).toBeLessThan(1.7);
});
