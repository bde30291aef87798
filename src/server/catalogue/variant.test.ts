import { expect, test } from 'vitest';
import type { CategoryHead, Facets, ProductList } from '#contract/catalogue/catalogue.ts';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const list = async (query: Record<string, string>) => (await app.inject({ url: '/api/products', query })).json<ProductList>();
const shown = async (query: Record<string, string>) =>
  (await list(query)).products.map(({ name, variant, fromPrice }) => `${variant?.name ?? name} ${variant?.price ?? fromPrice}`);
const measured = (width: string) => [{ name: 'Width', value: width }];

const OATMEAL = '#b3aa9d';
const SLATE = '#53595c';
const picture = (name: string) => `/images/${name}-1200.webp`;
const oslo = await aProduct(db, {
  name: 'Oslo Sofa',
  category: 'Sofa',
  subCategory: 'Two-seat, Three-seat',
  price: 129_900,
  stock: 14,
  colors: [OATMEAL, SLATE],
  images: [picture('three'), picture('two'), picture('two-slate')],
  sizes: [
    { size: 'Three-seat', quantity: 9, measurements: measured('224') },
    { size: 'Two-seat', quantity: 5, price: 104_900, measurements: measured('168') },
  ],
});
const looks = {
  [picture('three')]: { kind: 'packshot', size: 'Three-seat', color: OATMEAL },
  [picture('two')]: { kind: 'packshot', size: 'Two-seat', color: OATMEAL },
  [picture('two-slate')]: { kind: 'packshot', size: 'Two-seat', color: SLATE },
};
await db
  .updateTable('products')
  .set({ shown: JSON.stringify(looks) })
  .where('id', '=', oslo._id)
  .execute();
await aProduct(db, {
  name: 'Rowan Sofa',
  category: 'Sofa',
  subCategory: 'Two-seat, Three-seat, Corner',
  price: 119_900,
  stock: 3,
  sizes: [
    { size: 'Three-seat', quantity: 3, measurements: measured('220') },
    { size: 'Two-seat', quantity: 0, price: 89_900, measurements: measured('160') },
    { size: 'Corner', quantity: 2, price: 200_000 },
  ],
});
await aProduct(db, { name: 'Elgin Armchair', category: 'Chair', subCategory: 'Armchairs', price: 64_900 });
await aProduct(db, {
  name: 'Hemp Pouffe',
  category: 'Footstool',
  subCategory: 'Two-seat, Round',
  price: 9_900,
  sizes: [{ size: 'S' }, { size: 'L', price: 12_900 }],
});
await aProduct(db, { name: 'Wren Two-Seat Sofa', category: 'Sofa', price: 110_000, stock: 1 });

test.each<[Record<string, string>, string[]]>([
  [
    { sortBy: 'ascprice' },
    ['Hemp Pouffe 9900', 'Elgin Armchair 64900', 'Rowan Sofa 89900', 'Oslo Sofa 104900', 'Wren Two-Seat Sofa 110000'],
  ],
  [{ seatsQuery: '2', sortBy: 'ascprice' }, ['Rowan Sofa, two-seat 89900', 'Oslo Sofa, two-seat 104900', 'Wren Two-Seat Sofa 110000']],
  [{ seatsQuery: '3', sortBy: 'ascprice' }, ['Rowan Sofa, three-seat 119900', 'Oslo Sofa, three-seat 129900']],
  [{ seatsQuery: '3', sortBy: 'descprice' }, ['Oslo Sofa, three-seat 129900', 'Rowan Sofa, three-seat 119900']],
  [{ seatsQuery: '1' }, ['Elgin Armchair 64900']],
  [{ seatsQuery: 'Corner' }, ['Rowan Sofa, corner 200000']],
  // One in stock before one that is sold out and costs less.
  [
    { seatsQuery: '2_3', categoryQuery: 'sofa', maxPriceQuery: '1200', sortBy: 'descprice' },
    ['Rowan Sofa, three-seat 119900', 'Wren Two-Seat Sofa 110000', 'Oslo Sofa, two-seat 104900'],
  ],
  [{ seatsQuery: '2', inStockQuery: 'true', sortBy: 'ascprice' }, ['Oslo Sofa, two-seat 104900', 'Wren Two-Seat Sofa 110000']],
  [{ seatsQuery: '3', minPriceQuery: '1250' }, ['Oslo Sofa, three-seat 129900']],
  [{ seatsQuery: '3', maxPriceQuery: '1100' }, []],
  [{ maxPriceQuery: '1050', categoryQuery: 'sofa', sortBy: 'ascprice' }, ['Rowan Sofa, two-seat 89900', 'Oslo Sofa, two-seat 104900']],
  [{ maxWidthQuery: '170', inStockQuery: 'true' }, ['Oslo Sofa, two-seat 104900']],
  [{ colourQuery: 'grey_green', seatsQuery: '2' }, ['Oslo Sofa, two-seat, slate 104900']],
  [
    { search: 'two seater sofa', sortBy: 'ascprice' },
    ['Rowan Sofa, two-seat 89900', 'Oslo Sofa, two-seat 104900', 'Wren Two-Seat Sofa 110000'],
  ],
  [{ search: 'three seat sofa', sortBy: 'ascprice' }, ['Rowan Sofa, three-seat 119900', 'Oslo Sofa, three-seat 129900']],
  [{ search: 'slate sofa' }, ['Oslo Sofa, slate 104900']],
  // A subcategory that names seats means the sizes with that number of seats, where it is known.
  [
    { subCategoryQuery: 'Two-seat', sortBy: 'ascprice' },
    ['Hemp Pouffe 9900', 'Rowan Sofa, two-seat 89900', 'Oslo Sofa, two-seat 104900', 'Wren Two-Seat Sofa 110000'],
  ],
  [{ subCategoryQuery: 'Three-seat', sortBy: 'descprice' }, ['Oslo Sofa, three-seat 129900', 'Rowan Sofa, three-seat 119900']],
  [{ subCategoryQuery: 'two-seat', inStockQuery: 'true', minPriceQuery: '500', maxPriceQuery: '1099' }, ['Oslo Sofa, two-seat 104900']],
  [{ subCategoryQuery: 'Three-seat', maxPriceQuery: '1200' }, ['Rowan Sofa, three-seat 119900']],
  [{ subCategoryQuery: 'Three-seat', maxWidthQuery: '170' }, []],
  [{ subCategoryQuery: 'two-seat', seatsQuery: '3', maxPriceQuery: '1250' }, ['Rowan Sofa, three-seat 119900']],
  // Of a product that costs less, a size in stock may cost as much as is asked.
  [{ minPriceQuery: '1110', maxPriceQuery: '1400', sortBy: 'ascprice' }, ['Rowan Sofa, three-seat 119900', 'Oslo Sofa, three-seat 129900']],
  [{ minPriceQuery: '1110', sortBy: 'descprice' }, ['Oslo Sofa, three-seat 129900', 'Rowan Sofa, three-seat 119900']],
  [{ search: 'pouffe between £120 and £200' }, ['Hemp Pouffe, L 12900']],
  // A sort by a side shows the size that it sorts by, in stock before sold out.
  [{ search: 'large sofa', minWidthQuery: '100' }, ['Oslo Sofa, three-seat 129900', 'Rowan Sofa, three-seat 119900']],
  [{ sortBy: 'narrowest', minWidthQuery: '100' }, ['Rowan Sofa, three-seat 119900', 'Oslo Sofa, two-seat 104900']],
])('%j shows %j: the size and colour that are meant, at their price (§2.6.5, §12.7)', async (query, names) => {
  expect(await shown(query)).toEqual(names);
});

test('“slate two-seater” shows the two-seater’s name, price, stock and picture, and so does the same as filters', async () => {
  const variant = {
    size: 'Two-seat',
    colour: 'Slate',
    name: 'Oslo Sofa, two-seat, slate',
    price: 104_900,
    wasPrice: null,
    piecesLeft: 5,
    image: picture('two-slate'),
  };
  expect((await list({ search: 'slate two seater' })).products[0]?.variant).toEqual(variant);
  // Oatmeal is a grey as well, and a beige before that.
  expect((await list({ seatsQuery: '2', colourQuery: 'grey' })).products[0]?.variant).toEqual(variant);
});

test.each<[string, number | null]>([
  ['two seater sofa under £500', 104_900],
  ['three seater sofa under £500', 119_900],
  ['sofa under £500', 104_900],
  ['three seat sofa over £2000', 129_900],
  ['three seat sofa', null],
])('“%s”: the nearest price is %s, of the size that is asked for and in stock (§12.1)', async (search, nearestPrice) => {
  expect(await list({ search })).toMatchObject({ nearestPrice });
});

test('the picture of a subcategory is that of the size that it means', async () => {
  const { subCategories } = (await app.inject({ url: '/api/products/category', query: { name: 'sofa' } })).json<CategoryHead>();
  expect(subCategories).toContainEqual({ name: 'Two-seat', image: picture('two') });
  expect(subCategories).toContainEqual({ name: 'Three-seat', image: picture('three') });
});

test('each count of seats, of subcategories, and of what is in stock, is what the list with it has (§12.7)', async () => {
  const queries: Record<string, string>[] = [
    {},
    { maxWidthQuery: '170' },
    { inStockQuery: 'true' },
    { maxPriceQuery: '1000' },
    { minPriceQuery: '1250' },
    { maxWidthQuery: '190', maxPriceQuery: '1200' },
    { minWidthQuery: '200', maxPriceQuery: '1250', inStockQuery: 'true' },
    { subCategoryQuery: 'corner', maxPriceQuery: '1100' },
    { subCategoryQuery: 'two-seat' },
    { subCategoryQuery: 'two-seat', minPriceQuery: '1000' },
    { seatsQuery: '2' },
    { seatsQuery: '2', search: 'sofa' },
  ];
  for (const query of queries) {
    const { seats, subCategories, flags } = (await app.inject({ url: '/api/products/facets', query })).json<Facets>();
    const counted = [
      ...seats.map((one) => ['seatsQuery', one] as const),
      ...subCategories.map((one) => ['subCategoryQuery', one] as const),
      ...flags.map((one) => ['inStockQuery', one] as const),
    ];
    for (const [parameter, { value, count }] of counted)
      if (value !== 'new')
        expect([query, value, (await list({ ...query, [parameter]: value === 'inStock' ? 'true' : value })).total]).toEqual([
          query,
          value,
          count,
        ]);
  }
});
