import { expect, test } from 'vitest';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { PRODUCT_FIELDS, PRODUCT_LISTS } from '#contract/catalogue/product-fields.ts';
import { csvRow } from '#server/platform/csv.ts';
import { parseCsv } from '#server/testing/csv.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { importer } from '#server/testing/imports.ts';
import { columnOfHeading, HEADINGS } from './product-words.ts';

const { app, db } = await testShop();
const admin = await anAdmin(db);
const { check, carryOut, send, exportedWords } = importer(app, admin);
const read = async (id: string) => (await app.inject({ url: `/api/office/products/${id}`, headers: admin.headers })).json<OfficeProduct>();
const lastChange = async (id: string) =>
  (await app.inject({ url: `/api/products/${id}/changes`, headers: admin.headers })).json<{ change: string }[]>()[0]?.change;

const sheet = (...rows: (string | number)[][]) => rows.map(csvRow).join('');

/** The rows of one product in the export, as a file whose cells can be typed over by row and heading. */
async function fileOf(id: string) {
  const [head = [], ...rows] = await parseCsv(await exportedWords());
  const own = rows.filter(([key]) => key === id);
  return (...typed: Record<string, string>[]) =>
    sheet(head, ...own.map((row, at) => head.map((heading, column) => typed[at]?.[heading] ?? row[column] ?? '')));
}

async function buy(product: { _id: string; name: string; price: number }, line: { qty: number; size?: string; price?: number }) {
  const buyer = await aCustomer(db);
  const payload = aPayload([aLine(product, line)]);
  const reply = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer.headers, payload });
  expect(reply.statusCode, reply.body).toBe(201);
}

const sofa = await aProduct(db, {
  name: '=Sofa, “Nord” (new)',
  description: "'=odd",
  fit: '',
  price: 129_900,
  colors: ['#aabbcc', 'Red'],
  images: ['/images/a-1200.webp', '/images/b-1200.webp'],
  stock: 14,
  sizes: [
    {
      size: '+1',
      quantity: 5,
      price: 104_950,
      measurements: [
        { name: 'Width', value: '180' },
        { name: 'Legs: off', value: 'yes (4 screws); no tool' },
      ],
    },
    { size: 'L', quantity: 9 },
  ],
});
await aProduct(db, { name: 'Lamp é 🛋️', price: 2_500, isNewArrival: true });
await db
  .updateTable('products')
  .set({
    colors: JSON.stringify([
      { colorName: 'Harris tweed, heather', hexCode: '#7a5a7a' },
      { colorName: '#000000', hexCode: '#000000' },
      { colorName: 'Red', hexCode: 'Red' },
    ]),
    measurements: JSON.stringify([{ name: 'Seat height', value: '45' }]),
    costPrice: 50_000,
    boxes: '120 x 60 x 20\n80 x 40 x 10',
  })
  .where('id', '=', sofa._id)
  .execute();

test('every field and every list has a heading of its own, and each way to write it leads there', () => {
  for (const { name, title } of PRODUCT_LISTS) if (name !== 'sizes') expect(columnOfHeading(title)).toBe(name);
  for (const { name, kind, title, label } of PRODUCT_FIELDS) {
    for (const heading of [title, title.toUpperCase(), `${title} *`, name, ...(kind === 'money' ? [`${title} (£)`] : [label])])
      expect([heading, columnOfHeading(heading)]).toEqual([heading, name]);
    // Pence are not pounds.
    if (kind === 'money') expect(columnOfHeading(label)).toBeUndefined();
  }
  expect(new Set(HEADINGS.values()).size).toBe(PRODUCT_FIELDS.length + PRODUCT_LISTS.length);
});

test('the export has a row for a product and one for each size, in pounds and words; imported again it changes nothing', async () => {
  const csv = await exportedWords();
  const [head = [], ...rows] = await parseCsv(csv);
  expect(head.slice(0, 3)).toEqual(['ID', 'Name', 'Size']);
  const cells = rows.filter(([id]) => id === sofa._id).map((row) => (heading: string) => row[head.indexOf(heading)]);
  expect(cells.map((cell) => ['Size', 'Price (£)', 'Count In Stock', 'Measurements', 'Brand', 'Cost price (£)'].map(cell))).toEqual([
    ['', '1299.00', '14', 'Seat height: 45', 'Alder', '500.00'],
    ['+1', '1049.50', '5', 'Width: 180; Legs: off: yes (4 screws); no tool', '', ''],
    ['L', '', '9', '', '', ''],
  ]);
  expect(cells[0]?.('Colours')).toBe('Harris tweed, heather #7a5a7a; #000000; Red');
  expect(await check(csv)).toMatchObject({ added: 0, changed: 0, unchanged: 2, leftOut: 0, errors: [] });
  const { fingerprint } = await check(csv);
  expect((await send(csv, fingerprint)).json()).toMatchObject({ isDone: true, changed: 0, unchanged: 2 });
});

/** Twenty cells as Excel writes them in Britain, separated and encoded in each of its ways. */
const EXCEL: [string, (lines: string[][]) => Blob][] = [
  [
    'commas and UTF-8 with a byte order mark',
    (lines) => new Blob(['\ufeff', lines.map((cells) => `${cells.map((cell) => `"${cell}"`).join(',')}\r\n`).join('')]),
  ],
  ['semicolons', (lines) => new Blob([lines.map((cells) => `${cells.map((cell) => `"${cell}"`).join(';')}\r\n`).join('')])],
  [
    'tabs and UTF-16',
    (lines) =>
      new Blob([Buffer.from(`\ufeff${lines.map((cells) => `${cells.map((cell) => `"${cell}"`).join('\t')}\r\n`).join('')}`, 'utf16le')]),
  ],
  [
    'plain CSV in Windows-1252',
    (lines) => new Blob([Buffer.from(lines.map((cells) => `${cells.map((cell) => `"${cell}"`).join(',')}\r\n`).join(''), 'latin1')]),
  ],
];

test.each(EXCEL)('a new product with two sizes from Excel: %s', async (way, fileFrom) => {
  const name = `Excel ${way}`;
  const head = [
    'name',
    'SIZE',
    'Description',
    'Fit',
    'Category',
    'Brand',
    'Price £',
    'Count in stock',
    'New arrivals',
    'State',
    'Live from',
    'Colours',
    'Measurements',
    'SKU',
  ];
  const csv = fileFrom([
    head,
    [
      name,
      '',
      'Café £ piece',
      'Hall',
      'Bench',
      'Alder',
      '£1,299.00',
      '1,200',
      'TRUE',
      'Scheduled',
      '26/11/2099 09:30',
      'Oak #b58a5a; Black #000000',
      'Seat height 45',
      'B-1',
    ],
    ['', 'Two-seat', '', '', '', '', ' £1,049.50 ', '7', '', '', '', '', 'Width: 180; Depth: 90', 'B-1-2'],
    [name, 'Three-seat', '', '', '', '', '', '5', '', '', '', '', '', ''],
  ]);
  const report = await check(csv);
  expect(report.errors).toEqual([]);
  expect(report).toMatchObject({ added: 1, changes: [{ row: 2, name, change: 'new' }] });
  expect(await carryOut(csv)).toMatchObject({ isDone: true, added: 1 });
  const { id } = await db.selectFrom('products').select('id').where('name', '=', name).executeTakeFirstOrThrow();
  expect(await read(id)).toMatchObject({
    description: 'Café £ piece',
    price: 129_900,
    countInStock: 1_200,
    isNewArrival: true,
    state: 'scheduled',
    liveFrom: '2099-11-26T09:30:00.000Z',
    colors: [
      { colorName: 'Oak', hexCode: '#b58a5a' },
      { colorName: 'Black', hexCode: '#000000' },
    ],
    measurements: [{ name: 'Seat height', value: expect.stringContaining('45') as string }],
    sizes: [
      { size: 'Two-seat', quantity: 7, price: 104_950, sku: 'B-1-2', measurements: [{ name: 'Width' }, { name: 'Depth' }] },
      { size: 'Three-seat', quantity: 5, price: 0 },
    ],
  });
  expect(await carryOut(csv)).toMatchObject({ added: 0, unchanged: 1 });
  await db.deleteFrom('products').where('id', '=', id).execute();
});

test('what a spreadsheet does to cells is no change', async () => {
  const file = await fileOf(sofa._id);
  const csv = file(
    { 'Price (£)': '£1,299.00 ', 'New Arrivals?': 'FALSE', Boxes: '120 x 60 x 20\r\n80 x 40 x 10' },
    { 'Price (£)': '1,049.5' },
  );
  expect(await check(csv)).toMatchObject({ changed: 0, unchanged: 1, errors: [] });
});

test('a file of sizes alone changes those, says from what to what, and leaves the others', async () => {
  const csv = sheet(['ID', 'Size', 'Price'], [sofa._id, 'L', '£999'], [sofa._id, 'XL', '£1,499']);
  expect((await check(csv)).errors).toEqual(
    [{ row: 3, column: 'Count In Stock', message: 'Write how many there are, such as 5 or 0.' }].map(({ row, message }) => ({
      row,
      column: 'countInStock',
      message,
    })),
  );
  const good = sheet(['ID', 'Size', 'Price', 'Count in stock'], [sofa._id, 'L', '£999', '9'], [sofa._id, 'XL', '', '3']);
  const report = await check(good);
  expect(report.changes).toEqual([
    { row: 2, name: '=Sofa, “Nord” (new)', change: 'size “L”: price from the product’s to £999.00, size “XL” added with 3' },
  ]);
  expect(await carryOut(good)).toMatchObject({ changed: 1, errors: [] });
  expect((await read(sofa._id)).sizes.map(({ size, price, quantity }) => [size, price, quantity])).toEqual([
    ['+1', 104_950, 5],
    ['L', 99_900, 9],
    ['XL', 0, 3],
  ]);
  expect(await lastChange(sofa._id)).toBe('Changed by import: size “L”: price from the product’s to £999.00, size “XL” added with 3');
  expect(await carryOut(good)).toMatchObject({ changed: 0, unchanged: 1 });
});

test('a sorted sheet is read too: rows of sizes far from their product', async () => {
  const [head = [], ...rows] = await parseCsv(await exportedWords());
  const price = head.indexOf('Price (£)');
  const csv = sheet(
    head,
    ...rows.toReversed().map((row) => row.map((cell, at) => (at === price && cell === '1049.50' ? '1050.00' : cell))),
  );
  expect((await check(csv)).errors).toEqual([]);
  expect(await carryOut(csv)).toMatchObject({ changed: 1, leftOut: 0 });
  expect((await read(sofa._id)).sizes[0]).toMatchObject({ size: '+1', price: 105_000 });
});

test('a message names the row and the heading, and says what to write; the others are imported', async () => {
  const chair = await aProduct(db, { name: 'Chair', stock: 4 });
  const head = [
    'ID',
    'Name',
    'Size',
    'Price (£)',
    'Count In Stock',
    'Colours',
    'Measurements',
    'New Arrivals?',
    'Live from',
    'Barcode',
    'State',
  ];
  const row = (typed: Record<string, string>) =>
    head.map((heading) => typed[heading] ?? { ID: chair._id, Name: 'Chair', 'Price (£)': '10', 'Count In Stock': '4' }[heading] ?? '');
  const wrong: [heading: string, cell: string, message: string][] = [
    ['Price (£)', 'cheap', 'Write pounds, such as 1299.00.'],
    ['Price (£)', '0', 'Price must be at least 1 penny.'],
    ['Count In Stock', 'a few', 'Write a whole number, such as 12.'],
    ['Colours', 'Oak', 'Write names and codes, such as Oak #b58a5a; Black #000000.'],
    ['Measurements', 'wide', 'Write names and centimetres, such as Width: 80; Seat height: 45.'],
    ['New Arrivals?', 'perhaps', 'Write yes or no.'],
    ['Live from', 'soon', 'Write a day and a time, such as 26/11/2026 09:00.'],
    ['Barcode', '4.00638E+12', 'A spreadsheet has shortened this number. Format the column as text, then type the number again.'],
    ['State', 'sold', 'State must be one of: live, draft, hidden, scheduled.'],
    ['ID', 'nonsense', 'No product has this id. Leave the cell empty for a new product.'],
  ];
  for (const [heading, cell, message] of wrong) {
    const { errors } = await check(sheet(head, row({ [heading]: cell })));
    expect([heading, cell, errors.filter((error) => error.column === heading)]).toEqual([
      heading,
      cell,
      [{ row: 2, column: heading, message }],
    ]);
  }
  const sizes = sheet(
    head,
    row({}),
    row({ Size: 'S', 'Price (£)': '-1' }),
    row({ Size: 'M', 'Count In Stock': '' }),
    row({ ID: '', Name: '', Size: 'L' }),
  );
  expect((await check(sizes)).errors.map(({ row: at, column }) => [at, column])).toEqual([
    [3, 'Price (£)'],
    [4, 'Count In Stock'],
    [5, 'Size'],
  ]);
  const csv = sheet(['ID', 'Price'], [chair._id, '12.50'], [sofa._id, 'dear']);
  expect(await carryOut(csv)).toMatchObject({ isDone: true, changed: 1, leftOut: 1, errors: [{ row: 3, column: 'Price' }] });
  expect((await read(chair._id)).price).toBe(1_250);
});

test('prices and stock are merged row by row: what was sold stays sold, a conflict is listed with what the shop has', async () => {
  const bed = await aProduct(db, {
    name: 'Bed',
    price: 50_000,
    stock: 20,
    sizes: [
      { size: 'S', quantity: 10 },
      { size: 'L', quantity: 10 },
    ],
  });
  const file = await fileOf(bed._id);
  await buy(bed, { qty: 2, size: 'L' });
  const csv = file({ 'Price (£)': '550' }, {}, { 'Count In Stock': '15' });
  expect((await check(csv)).changes).toMatchObject([{ change: 'price from £500.00 to £550.00, size “L”: quantity from 8 to 13' }]);
  await carryOut(csv);
  const { price, countInStock, sizes } = await read(bed._id);
  expect([price, countInStock, ...sizes.map(({ quantity }) => quantity)]).toEqual([55_000, 18, 10, 13]);
  // The same file again moves nothing.
  expect(await carryOut(csv)).toMatchObject({ changed: 0, unchanged: 1, errors: [] });
  // Both sides changed the price; only the file the stock of S.
  const { errors } = await check(file({ 'Price (£)': '600' }, { 'Count In Stock': '11' }));
  expect(errors).toEqual([
    {
      row: 2,
      column: 'Price (£)',
      message:
        'This was changed in the file and, since the export, in the shop too, where it is now “550.00”. Put that into the file, or export again.',
    },
  ]);
  await db.updateTable('productSizes').set({ quantity: 3 }).where('productId', '=', bed._id).where('size', '=', 'S').execute();
  expect((await check(file({}, { 'Count In Stock': '2' }))).errors).toMatchObject([
    { row: 3, column: 'Count In Stock', message: expect.stringContaining('3 left, so 8 cannot be taken away') as string },
  ]);
});
