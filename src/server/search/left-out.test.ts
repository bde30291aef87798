import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Facets, ProductList, Suggestions } from '#contract/catalogue/catalogue.ts';
import { ANYTHING } from '#server/platform/cache/catalogue-changes.ts';
import { addDemoProducts, demoProducts } from '#server/testing/demo-products.ts';
import { testShop } from '#server/testing/harness.ts';
import { runs } from '#server/testing/runs.ts';
import { comparable } from './folded.ts';
import { readSearch } from './search.service.ts';

const { app, db, services } = await testShop();
beforeAll(async () => {
  await addDemoProducts(db);
});

const get = async <T>(path: string, query: Record<string, string>) => {
  const reply = await app.inject({ url: `/api/products${path}`, query });
  expect([query, reply.statusCode]).toEqual([query, 200]);
  return reply.json<T>();
};
const list = (search: string) => get<ProductList>('', { search });
const putOnSale = async (id: string, price: number | null = 100_000) => {
  const saleFrom = price === null ? null : new Date(Date.now() - 1_000).toISOString();
  await db.updateTable('products').set({ salePrice: price, saleFrom }).where('id', '=', id).execute();
  services.cache.invalidate();
  services.facts.invalidate(ANYTHING);
};
const kindsOf = ({ products }: ProductList) => [...new Set(products.map(({ category }) => category))];

test.each(['rug', 'garden', 'card', 'stock', 'pet', 'café', 'desk'])(
  '“%s” is a word, and is not taken for another (§12.1)',
  async (search) => {
    expect(await list(search)).toMatchObject({ total: 0, suggestion: null, isPartial: false });
  },
);

test.each(['furniture', 'furnture', 'furn', 'the furniture', 'height', 'hight'])('“%s” finds everything', async (search) => {
  expect(await list(search)).toMatchObject({ total: demoProducts.length, isPartial: false });
});

test.each<[string, string[], string[], number | null]>([
  // The price goes first, then the colour, then the material, then the size; the kind of piece stays.
  ['2 seater sofa under £900', ['under £900'], ['Sofa'], 104_900],
  ['sofa over £9,000', ['over £9,000'], ['Sofa'], 214_900],
  ['purple velvet sofa', ['purple'], ['Sofa'], null],
  ['green leather sofa under £900', ['green', 'under £900'], ['Sofa'], 164_900],
  ['velvet wardrobe under £1,500', ['velvet'], ['Wardrobe'], null],
  ['5 seater sofa', ['5 seater'], ['Sofa'], null],
  ['lamp under 2 cm wide', ['under 2 cm wide'], ['Lamp'], null],
  ['garden bench', ['garden'], ['Bench'], null],
  ['modern lamp', ['modern'], ['Lamp'], null],
  ['sofa with storage', ['storage'], ['Sofa'], null],
  ['coffee table 60 x 60', ['60 x 60'], ['Table'], null],
])('“%s” leaves out %j (§12.1)', async (search, leftOut, kinds, nearestPrice) => {
  const found = await list(search);
  expect(found).toMatchObject({ isPartial: true, leftOut, nearestPrice });
  expect(kindsOf(found)).toEqual(kinds);
});

test.each(['lamp 150 cm', 'lamps 150 cm'])('“%s” means the height of the lamp', async (search) => {
  expect(Object.keys((await list(search)).asks).some((name) => /height/i.test(name))).toBe(true);
});

test('a search for a kind of piece that is not sold finds nothing, whatever else it says (§12.1)', async () => {
  for (const search of ['oak desk', 'velvet curtains under £900', 'bookcase 120 cm wide', 'oak desk oak bookcase'])
    expect([search, (await list(search)).total]).toEqual([search, 0]);
});

test('beside a kind that is not sold the page offers what stands in the same place and is sold (§12.1)', async () => {
  expect(await list('wool rug')).toMatchObject({ total: 0, notSold: 'rug', nearest: ['footstools', 'coffee tables'] });
  for (const search of ['desk', 'double bed', 'mirrors', 'curtains', 'bookcase', 'coat rack', 'shelves']) {
    const { nearest, notSold } = await list(search);
    expect([search, nearest.length, notSold]).toEqual([search, 2, expect.any(String)]);
    for (const other of nearest)
      expect([other, (await list(other)).total, (await list(other)).notSold]).toEqual([
        other,
        expect.toSatisfy((total: number) => total > 0),
        null,
      ]);
  }
  // Where products come near, they are the list.
  expect(await list('dining table')).toMatchObject({ nearest: [], notSold: 'dining table' });
});

test.each<[string, Record<string, string>, string[]]>([
  ['2 seats', { seatsQuery: '2' }, []],
  ['slate sofa 2 seats', { seatsQuery: '2', colourQuery: 'grey' }, []],
  ['sofa with three seats', { seatsQuery: '3' }, []],
  ['sofa two seats', { seatsQuery: '2' }, []],
  ['sofa 180', { minWidthQuery: '172.8', maxWidthQuery: '187.2' }, []],
  ['sofa that fits a 76cm door', { doorQuery: '76' }, []],
  ['sofa through a doorway of 30 inches', { doorQuery: '76.2' }, []],
  ['my door is 76cm wide, will a sofa fit', { doorQuery: '76' }, []],
  ['sofa seats 4', { seatsQuery: '4' }, []],
  ['4 dining chairs', {}, []],
  ['two oak benches', { materialQuery: 'Oak' }, []],
  ['sofa not wider than 180', { maxWidthQuery: '180' }, []],
  ['sofa 1500 or under', { maxPriceQuery: '1500' }, []],
  ['sofa under 1500 in stock', { maxPriceQuery: '1500', inStockQuery: 'true' }, []],
  ['2 seater and 3 seater', { seatsQuery: '2_3' }, []],
  ['leathersofa', { materialQuery: 'Leather' }, []],
  ['2seatersofas', { seatsQuery: '2' }, []],
  ['wardrobe 76 door', { doorQuery: '76' }, []],
  ['stone side table', { materialQuery: 'Granite_Marble_Slate_Travertine' }, []],
  ['armchair stone', { colourQuery: 'beige' }, []],
  ['white oak bench', { materialQuery: 'Oak' }, []],
  ['dining chairs set of 4', {}, []],
  ['sofa not too big', { sortBy: 'narrowest' }, []],
  ['sofa without large cushions', {}, ['without large cushions']],
  ['faux leather sofa', {}, ['faux leather']],
  ['2 x armchairs', {}, []],
  ['armchairs x 2', {}, []],
  ['pack of 2 dining chairs', {}, []],
  ['oke bench', { materialQuery: 'Oak' }, []],
  ['sofa max width 180cm', { maxWidthQuery: '180' }, []],
  ['wardrobe hight 200', { minHeightQuery: '192', maxHeightQuery: '208' }, []],
  ['sideboard 160 x 45 cm', { minWidthQuery: '153.6', maxWidthQuery: '166.4', minDepthQuery: '43.2', maxDepthQuery: '46.8' }, []],
  ['sofa height', {}, []],
  ['stool with a seat height of 65 cm', { minHeightQuery: '63.7', maxHeightQuery: '66.3' }, []],
  ["sofa that isn't leather", {}, ['not leather']],
  ['non leather sofa', {}, ['non leather']],
  ['anything but grey sofa', {}, ['anything but grey']],
  ['2 or 3 seater sofa', { seatsQuery: '2_3' }, []],
  ['two to three seater sofa', { seatsQuery: '2_3' }, []],
  ['2.5 seater sofa', { seatsQuery: '2' }, []],
  ['2x bedside tables', {}, []],
  ['bench under two hunded and seventy pounds', { maxPriceQuery: '270' }, []],
  ['sofa lenght 200cm', { minWidthQuery: '192', maxWidthQuery: '208' }, []],
  ['wardrobe 1½ m', { minWidthQuery: '144', maxWidthQuery: '156' }, []],
  ['armchair walnut frame', { materialQuery: 'Walnut' }, []],
  ['stool for the kitchen worktop', { minHeightQuery: '60' }, ['worktop']],
  ['livingroom lamp', {}, []],
  ['brass handles wardrobe', {}, []],
  ['three legged stool', {}, []],
  ['coffee table that isnt too big', { sortBy: 'narrowest' }, []],
  ['chairs that dont have arms', {}, ['not have arms']],
  ['somewhere for a bench', {}, []],
])('“%s” asks for %j (§12.6)', async (search, asks, leftOut) => {
  const found = await list(search);
  expect(found).toMatchObject({ asks, leftOut });
  expect(found.total).toBeGreaterThan(0);
});

test('words for a sale say that nothing is reduced, and filter what is where something is (§12.6)', async () => {
  for (const [search, total] of [
    ['sale', demoProducts.length],
    ['sofas on offer', (await list('sofas')).total],
    ['reduced sofas', (await list('sofas')).total],
    ['wardrobe sale', (await list('wardrobe')).total],
  ] as const)
    expect([search, await list(search)]).toEqual([
      search,
      expect.objectContaining({ total, isNothingReduced: true, isPartial: false, leftOut: [], asks: {} }),
    ]);
  expect(await list('sofas for sale')).toMatchObject({ isNothingReduced: false, isPartial: false });
  const [sofa] = (await list('oslo sofa')).products;
  await putOnSale(sofa?._id ?? '');
  for (const search of ['sale', 'reduced sofas', 'sofa clearance under £5,000']) {
    const found = await list(search);
    expect([search, found.total, found.products[0]?._id]).toEqual([search, 1, sofa?._id]);
    expect(found).toMatchObject({ isNothingReduced: false, isPartial: false, asks: { saleQuery: 'true' } });
  }
  // Wardrobes are shown, and that none of them is reduced, rather than the sofa that is.
  const wardrobes = await list('wardrobe sale');
  expect(wardrobes).toMatchObject({ isNothingReduced: true, isPartial: false, leftOut: [], asks: {} });
  expect(kindsOf(wardrobes)).toEqual(['Wardrobe']);
  await putOnSale(sofa?._id ?? '', null);
});

test.each([
  ['how do I send a sofa back', '/refund-policy', ['Sofa']],
  ['do you take old furniture away', '/shipping-policy', []],
  ['is it flat packed', '/shipping-policy', []],
  ['can you carry a wardrobe upstairs', '/shipping-policy', ['Wardrobe']],
])('“%s” shows %s (§12.6)', async (search, page, kinds) => {
  const found = await list(search);
  expect(found).toMatchObject({ help: expect.arrayContaining([page]), isPartial: false });
  expect(kindsOf(found)).toEqual(kinds);
});

test('a word that may be mistyped in several ways is taken for the one that makes a phrase with its neighbour', async () => {
  expect(await list('hight chair')).toMatchObject({ notSold: 'high chair', isPartial: false });
  expect(await list('draw unit')).toMatchObject({ notSold: 'drawer unit' });
});

test.each([
  ['card table', 'Table', 'card table'],
  ['swivel chair', 'Chair', 'swivel chair'],
  ['nest', 'Table', 'nest'],
  ['nest of tables', 'Table', 'nest of tables'],
])('“%s” is not sold; a %s comes nearest', async (search, kind, notSold) => {
  const found = await list(search);
  expect([kindsOf(found), found.notSold]).toEqual([[kind], notSold]);
});

test.each([
  ['white bowl', ['white'], ['Heath Stoneware Bowl']],
  ['bowl', [], ['Heath Stoneware Bowl']],
  ['trays', [], ['Orchard Walnut Tray', 'Siena Travertine Tray']],
  ['green chair', [], ['Elgin Linen Armchair, sage']],
])('“%s” leaves out %j and finds %j, and nothing that only shares its category', async (search, leftOut, names) => {
  const found = await list(search);
  expect([found.leftOut, found.products.map(({ name, variant }) => variant?.name ?? name).sort()]).toEqual([leftOut, names]);
});

test('a word for a colour and a material is the material of a kind, or else its colour, in which it is shown (§12.6)', async () => {
  const names = async (search: string) => (await list(search)).products.map(({ name, variant }) => variant?.name ?? name);
  expect(await names('stone side table')).toEqual(['Siena Side Table']);
  expect((await names('armchair stone'))[0]).toBe('Elgin Linen Armchair, stone');
  expect(await list('terracotta velvet sofa')).toMatchObject({ asks: { colourQuery: 'orange', materialQuery: 'Velvet' } });
  // Alone it is both.
  expect(await names('terracotta')).toEqual(expect.arrayContaining(['Cairn Terracotta Vase', 'Rowan Wool Sofa']));
});

test('of two kinds of piece, either is found', async () => {
  const found = await list('stool and bench under £300');
  expect([found.isPartial, found.leftOut, kindsOf(found).sort()]).toEqual([false, [], ['Bench', 'Chair']]);
});

test.each(['2 seater and armchair', '2 seater sofa and armchair', 'loveseat and armchair'])(
  'in “%s” the seats are those of the sofa, and armchairs are found too (§12.1)',
  async (search) => {
    const { products, leftOut } = await list(search);
    expect([leftOut, products.filter(({ subCategory }) => !/Two-seat|Armchairs/.test(subCategory))]).toEqual([[], []]);
    expect(kindsOf({ products } as ProductList).sort()).toEqual(['Chair', 'Sofa']);
  },
);

test('a size beside a kind that is not sold is no kind of its own', async () => {
  expect(await list('dining table 6 seater')).toMatchObject({ notSold: 'dining table', leftOut: ['6 seater'] });
});

test('a parameter that filters nothing changes nothing, neither in its own answer nor in one that is cached', async () => {
  const search = 'sofa under £1,100';
  for (const nothing of [{ maxPriceQuery: 'cheap' }, { minPriceQuery: '-' }, {}] as Record<string, string>[]) {
    const { asks, products } = await get<ProductList>('', { search, ...nothing });
    expect([nothing, asks.maxPriceQuery]).toEqual([nothing, '1100']);
    expect(products.every(({ fromPrice }) => fromPrice <= 110_000)).toBe(true);
  }
});

test('a filter names the material that was meant', async () => {
  expect(await list('velvte sofa')).toMatchObject({ asks: { materialQuery: 'Velvet' }, plainSearch: 'sofa' });
});

test('what is too long, or holds too many words or amounts, is read as far as it counts, and the rest is named (§12.1)', async () => {
  const long = await list(`velvet sofa ${Array.from({ length: 30 }, (_, n) => `room${n}`).join(' ')}`);
  expect(long.isPartial).toBe(true);
  expect(long.leftOut.at(-1)).toMatch(/room\d+ room\d+ /);
  const wordy = await list('oak ash elm pine teak birch beech walnut maple velvet');
  expect([wordy.isPartial, wordy.leftOut.at(-1)]).toEqual([true, expect.stringMatching(/maple velvet$/)]);
  const measured = await list('sofa under £3000 under 400 cm wide under 300 cm deep under 290 cm high under £2990');
  expect([measured.isPartial, measured.leftOut]).toEqual([true, ['under £2990']]);
});

const HOSTILE = ' 🅥🅘🅢🅘🅣 «EVIL» ⓔⓥⓘⓛ.example';

test('nobody sees what somebody else typed: what is answered follows from the search as it is compared (§12.1)', async () => {
  for (const [hostile, honest] of [
    ['WALNUTT   dresser 🅥🅘🅢🅘🅣 💀', 'walnutt dresser'],
    ['vELVTE\u0301 sofa!!! 🅥', 'velvte sofa'],
    ['Velvet   SOFA (under £1,500)🎁', 'velvet sofa under £1,500'],
  ] as const) {
    expect(comparable(hostile)).toBe(comparable(honest));
    for (const path of ['', '/facets', '/suggestions']) {
      const first = await get<ProductList | Facets | Suggestions>(path, { search: hostile });
      expect(first).toEqual(await get(path, { search: honest }));
    }
  }
  const { suggestion, asks, plainSearch, leftOut } = await list(`velvte sofa${HOSTILE}`);
  expect(JSON.stringify([suggestion, asks, plainSearch, leftOut])).not.toMatch(/EVIL|[🅥«]/u);
});

test('a search is compared as it was compared before, and two that compare alike are read alike', async () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string({ unit: 'binary', maxLength: 60 }));
  fc.assert(
    fc.property(text, (typed) => {
      expect(comparable(comparable(typed))).toBe(comparable(typed));
    }),
  );
  await fc.assert(
    fc.asyncProperty(text, async (typed) => {
      const readOf = async (search: string) => {
        const { attempts, kindQueries: _, ...told } = await readSearch(db, search, services.vocabulary);
        return {
          ...told,
          attempts: attempts.map(({ words, asks, plain, leftOutTexts }) => ({ words, asks, plain, leftOutTexts })),
        };
      };
      expect(await readOf(typed)).toEqual(await readOf(comparable(typed)));
    }),
    { numRuns: runs(5) },
  );
});

const number = fc.oneof(
  fc.constantFrom('0', '1', '50', '1,000', '40000', '99999999999999999999', '3.5', '.5', '1e9', '١٢', '½', '1,2,3'),
  fc.integer({ min: -100_000, max: 10_000_000 }).map(String),
  fc.double({ min: 0, max: 100_000, noNaN: true }).map((value) => value.toFixed(2)),
);
const length = fc
  .tuple(
    fc.constantFrom('', '-', '+', '£', '-£'),
    number,
    fc.constantFrom('', ' '),
    fc.constantFrom('', 'mm', 'cm', 'm', 'in', '"', "'", 'ft', '’', '”'),
  )
  .map((parts) => parts.join(''));
const bound = fc.constantFrom('', 'under ', 'over ', 'between ', '< ', '>= ', 'up to ', 'from ');
const side = fc.constantFrom('', ' wide', ' deep', ' high', ' tall', ' long');
const asked = fc
  .tuple(fc.constantFrom('', 'sofa ', 'rug '), bound, length, fc.constantFrom('', ' to ', ' and ', '-', ' '), length, side)
  .map((parts) => parts.join(''));
const BOUNDS = ['Width', 'Depth', 'Height', 'Price'].flatMap((name) => [`min${name}Query`, `max${name}Query`]);

test('no number, unit, bound or sign is an error (§12.6)', async () => {
  const statusOf = async (path: string, query: Record<string, string>) =>
    [path, query, (await app.inject({ url: `/api/products${path}`, query })).statusCode] as const;
  await fc.assert(
    fc.asyncProperty(asked, number, fc.constantFrom(...BOUNDS), async (search, value, name) => {
      for (const path of ['', '/facets', '/suggestions']) {
        expect(await statusOf(path, { search })).toEqual([path, { search }, 200]);
        expect(await statusOf(path, { [name]: value })).toEqual([path, { [name]: value }, 200]);
        expect(await statusOf(path, { search, [name]: value })).toEqual([path, { search, [name]: value }, 200]);
      }
    }),
    {
      numRuns: runs(8),
      examples: [
        ['50m rug', '4000', 'minWidthQuery'],
        ['40000mm', '99999', 'maxHeightQuery'],
        ['4000cm wide sofa', '-1', 'minDepthQuery'],
        ['3.5\' 1,000"', '2000000000', 'minPriceQuery'],
      ],
    },
  );
});

test('a word that is typed again is not left out', async () => {
  expect(await list('sofa '.repeat(40))).toMatchObject({ isPartial: false, leftOut: [] });
  expect(await list(`${'sofa '.repeat(30)}velvet`)).toMatchObject({ isPartial: true });
});

test('a word beyond what is read is named, also where nothing is found (§12.1)', async () => {
  expect(await list(`${Array.from({ length: 12 }, (_, n) => `xxxx${n}`).join(' ')} sofa`)).toMatchObject({
    total: 0,
    isPartial: true,
    leftOut: ['sofa'],
  });
});

test.each(['bed', 'beds'])('“%s” names a kind of piece as a whole word, and no bedside table or bedroom (§12.1)', async (search) => {
  expect(await list(search)).toMatchObject({ total: 0, isPartial: false });
});
