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
  expect((await check(csv)).errors).toEqual([{ row: 3, column: 'Count In Stock', message: 'Write how many there are, such as 5 or 0.' }]);
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
    ['Count In Stock', 'a few', 'Write a whole number from 0, such as 12.'],
    ['Count In Stock', '-1', 'Write a whole number from 0, such as 12.'],
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
      message: 'Since the export this was changed in the shop too, where it is now “550.00”. Put that into the file, or export again.',
    },
  ]);
  await db.updateTable('productSizes').set({ quantity: 3 }).where('productId', '=', bed._id).where('size', '=', 'S').execute();
  expect((await check(file({}, { 'Count In Stock': '2' }))).errors).toMatchObject([
    { row: 3, column: 'Count In Stock', message: expect.stringContaining('3 left, so 8 cannot be taken off') as string },
  ]);
});

test('a column that the file lacks is named by its heading in an export', async () => {
  const { errors } = await check(sheet(['Name', 'Price'], ['Stool', '20']));
  expect(errors.map(({ column }) => column)).toContain('Description');
  expect(errors.filter(({ column }) => ![...HEADINGS.values()].includes(column))).toEqual([]);
});

test('a heading with another unit is refused, and the message has the right one', async () => {
  for (const [heading, meant] of [
    ['Price (ex VAT)', 'Price (£)'],
    ['Price (in pence)', 'Price (£)'],
    ['Weight (kg)', 'Weight (in grams)'],
    ['Weight (£)', 'Weight (in grams)'],
    ['Assembly (hours)', 'Assembly (in minutes)'],
  ] as const) {
    expect([heading, (await check(sheet(['ID', heading], [sofa._id, '1']))).errors]).toEqual([
      heading,
      [
        {
          row: 1,
          column: heading,
          message: `The brackets do not have this column’s unit. Write “${meant}”, and the values in that unit.`,
        },
      ],
    ]);
  }
  for (const heading of ['Price (£)', 'PRICE £', 'Price', 'Weight', 'weight (grams)', 'Weight (in grams)'])
    expect([heading, columnOfHeading(heading)]).toEqual([heading, /price/i.test(heading) ? 'price' : 'weight']);
});

test.each([
  ['(', (cell: string) => sheet(['ID', cell], [sofa._id, '1'])],
  [' ', (cell: string) => sheet(['ID', 'Measurements'], [sofa._id, `a${cell}b`])],
  [' (', (cell: string) => sheet(['ID', 'Colours'], [sofa._id, `a${cell}b`])],
])('a cell of many %j is refused in time that grows with its length', async (part, csvOf) => {
  const before = performance.now();
  expect((await check(csvOf(part.repeat(200_000)))).errors).toHaveLength(1);
  expect(performance.now() - before).toBeLessThan(2_000);
});

test('more sizes than a product may have are refused once', async () => {
  const rows = Array.from({ length: 80 }, (_, n) => [sofa._id, `N${n}`, 1]);
  expect((await check(sheet(['ID', 'Size', 'Count in stock'], ...rows))).errors).toEqual([
    { row: 52, column: 'Size', message: 'A product can have at most 50 sizes.' },
  ]);
});

test('a new size without an ID below a product that has one is told to write it', async () => {
  const csv = sheet(['ID', 'Name', 'Size', 'Count in stock'], [sofa._id, '=Sofa, “Nord” (new)', '', 14], ['', '', 'XXL', 1]);
  expect((await check(csv)).errors).toEqual([
    {
      row: 3,
      column: 'Size',
      message: `This size has no ID. Write the ID of its product in this row too, such as ${sofa._id} for the product above.`,
    },
  ]);
});

test('an emptied state is a mistake: it would put a draft into the shop', async () => {
  const { _id } = await aProduct(db, { name: 'Draft Desk' });
  await db.updateTable('products').set({ state: 'draft', deletedAt: new Date().toISOString() }).where('id', '=', _id).execute();
  for (const file of [
    sheet(['ID', 'State'], [_id, '']),
    sheet(['_id', 'state'], [_id, '']),
    sheet(['_id', 'state', 'name'], [_id, '', 'Other']),
  ])
    expect((await carryOut(file)).errors).toMatchObject([{ row: 2, message: 'Write the state: live, draft, hidden, scheduled.' }]);
  expect((await read(_id)).state).toBe('draft');
});

/** Two sizes and their file. */
async function twoSizes() {
  const bench = await aProduct(db, {
    name: 'Bench',
    stock: 6,
    sizes: [
      { size: 'S', quantity: 2, price: 5_000 },
      { size: 'L', quantity: 4 },
    ],
  });
  return {
    id: bench._id,
    file: await fileOf(bench._id),
    rows: (await parseCsv(await exportedWords())).filter(([key]) => key === bench._id),
  };
}
const headOfExport = async () => (await parseCsv(await exportedWords()))[0] ?? [];

test('the row of a size that was taken out of the shop is nothing, until it is changed', async () => {
  const { id, file } = await twoSizes();
  await db.deleteFrom('productSizes').where('productId', '=', id).where('size', '=', 'S').execute();
  expect(await check(file())).toMatchObject({ unchanged: 1, errors: [] });
  expect((await check(file({}, { 'Count In Stock': '3' }))).errors).toMatchObject([
    {
      row: 3,
      column: 'Size',
      message: expect.stringContaining('“S” was taken out of the shop since the export. Delete this row') as string,
    },
  ]);
});

test('a renamed row of a size is refused; a copied one is a further size with all that stands in it', async () => {
  const { id, file, rows } = await twoSizes();
  expect((await check(file({}, { Size: 'Small' }))).errors).toEqual([
    {
      row: 3,
      column: 'Size',
      message:
        'This row was “S” when it was exported. Rename a size on its product’s page. To add a size, empty the row’s cell “_exported”.',
    },
  ]);
  const head = await headOfExport();
  const copy = (rows[1] ?? []).map((cell, at) => (head[at] === 'Size' ? 'M' : cell));
  expect(await carryOut(sheet(head, ...rows, copy))).toMatchObject({ changed: 1, errors: [] });
  expect((await read(id)).sizes.map(({ size, quantity, price }) => [size, quantity, price])).toEqual([
    ['S', 2, 5_000],
    ['L', 4, 0],
    ['M', 2, 5_000],
  ]);
});

test.each(['6', '9'])('a copy of the product’s own row with a size and the stock %s is that further size', async (stock) => {
  const { id, rows } = await twoSizes();
  const head = await headOfExport();
  const copy = (rows[0] ?? []).map((cell, at) => ({ Size: 'XL', 'Count In Stock': stock })[head[at] ?? ''] ?? cell);
  expect(await carryOut(sheet(head, ...rows, copy))).toMatchObject({ changed: 1, errors: [] });
  expect((await read(id)).sizes.map(({ size, quantity }) => [size, quantity])).toEqual([
    ['S', 2],
    ['L', 4],
    ['XL', Number(stock)],
  ]);
});

test('rows of a product whose IDs are emptied are a new product with the same sizes', async () => {
  const { rows } = await twoSizes();
  const head = await headOfExport();
  const copies = rows.map((row) => row.map((cell, at) => (head[at] === 'ID' ? '' : head[at] === 'Name' ? 'Bench copy' : cell)));
  expect(await carryOut(sheet(head, ...copies))).toMatchObject({ added: 1, errors: [] });
  const { id } = await db.selectFrom('products').select('id').where('name', '=', 'Bench copy').executeTakeFirstOrThrow();
  expect((await read(id)).sizes.map(({ size, quantity }) => [size, quantity])).toEqual([
    ['S', 2],
    ['L', 4],
  ]);
});

test('the history shows the difference of long values', async () => {
  const long = 'Very long name of a sofa '.repeat(5);
  const { _id } = await aProduct(db, { name: `${long}one` });
  await carryOut(sheet(['ID', 'Name'], [_id, `${long}two`]));
  expect(await lastChange(_id)).toBe('Changed by import: name from “…long name of a sofa one” to “…long name of a sofa two”');
});

test('without a query the export has the columns of the form', async () => {
  const { body } = await app.inject({ url: '/api/products/export', headers: admin.headers });
  expect(body.slice(1, 20)).toContain('_id,name,');
});
