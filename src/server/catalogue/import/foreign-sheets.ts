import { decodeHTMLStrict } from 'entities/decode';
import { MAX_PICTURES } from '#contract/catalogue/catalogue.ts';
import { MAX_SIZES, TOO_MANY_SIZES } from '#contract/platform/limits.ts';
import { cut } from '#contract/platform/text.ts';
import type { Flaw } from '#server/platform/csv.ts';
import type { Reader, SheetRow, SizeRow } from './import-sheet.ts';
import type { ProductCells, ProductColumn } from './product-csv.ts';
import { HEADINGS, normalWords } from './product-words.ts';

// Exports of other shops, by the column names that their makers publish. A variant becomes a size that is named by its options. Sale prices, tags and all
// other columns are ignored.

/** A cell of a row, with a default for a missing column. */
type Cells = (heading: string, missing?: string) => string;

/** Defaults for required fields that other shops do not export. */
const DEFAULT_FIT = 'Home';
const DEFAULT_BRAND = 'Unbranded';
const DEFAULT_CATEGORY = 'Furniture';

/** Text with HTML's references read: every space as an ordinary one, and without soft hyphens. */
const decoded = (text: string) =>
  decodeHTMLStrict(text)
    .replace(/[^\S\n]/g, ' ')
    .replaceAll('\u00ad', '');

/** The text of HTML, a paragraph a line. WooCommerce writes a line break as `\n`. */
const textOf = (html: string) =>
  decoded(html.replace(/<(?:br|\/p|\/li|\/h\d|\/div)[^<>]*>/gi, '\n').replace(/<[^<>]*>/g, ''))
    .replaceAll('\\n', '\n')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n');

const stockCell = (text: string) => String(Math.max(0, Math.trunc(Number(text) || 0)));
/** Pictures are fetched over https alone (`isWebAddress`). */
const httpsUrl = (url: string) => url.trim().replace(/^http:/i, 'https:');
const sumOf = (counts: readonly string[]) => String(counts.reduce((sum, count) => sum + Number(count), 0));
const lowest = (prices: readonly string[]) => {
  const known = prices.map(Number).filter((price) => price > 0);
  return known.length > 0 ? Math.min(...known).toFixed(2) : '';
};

/** What WooCommerce writes as the stock of a variation that shares its product's stock. */
const SHARED = 'parent';
/** The stock assumed where the other shop does not count it. */
const UNCOUNTED = '1';
const UNCOUNTED_NOTE = `${UNCOUNTED} in stock where the other shop does not count`;

interface Variant {
  row: number;
  options: string[];
  cells: Partial<ProductCells>;
  isUncounted: boolean;
}
interface Product {
  row: number;
  cells: Partial<ProductCells>;
  pictures: Set<string>;
  variants: Variant[];
  flaws: Flaw[];
  isUncounted: boolean;
}

/** The products of a file. */
interface Found {
  all: Set<Product>;
  /** By the key that variants refer to: a handle, an SKU or `id:12`. */
  byKey: Map<string, Product>;
  /** Placeholders for products that only their variations have named so far, by the same key. */
  orphans: Map<string, Product>;
}

const newProduct = (row: number, cells: Partial<ProductCells> = {}): Product => ({
  row,
  cells,
  pictures: new Set(),
  variants: [],
  flaws: [],
  isUncounted: false,
});

function addVariant({ variants, flaws }: Product, variant: Variant): void {
  if (variants.length < MAX_SIZES) variants.push(variant);
  else if (flaws.length === 0) flaws.push({ row: variant.row, column: '', message: TOO_MANY_SIZES });
}

function addPictures({ pictures }: Product, urls: readonly string[]): void {
  for (const url of urls.map(httpsUrl)) if (url !== '' && pictures.size < MAX_PICTURES) pictures.add(url);
}

const normalised = (cells: Partial<ProductCells>) =>
  Object.fromEntries(
    Object.entries(cells).map(([column, cell]) => [column, normalWords(column as ProductColumn, cell ?? '')]),
  ) as Partial<ProductCells>;

/** A product in this shop's columns, with its sizes. */
function sheetOf({ row, cells, pictures, variants, flaws, isUncounted }: Product, headings: ReadonlyMap<string, string>): SheetRow {
  const sizeVariants = variants.filter(({ options }) => options.length > 0).sort((one, other) => one.row - other.row);
  const hasSizes = sizeVariants.length > 0;
  // A variant without options has the price and the stock of the product itself.
  const onlyVariant: Partial<ProductCells> = hasSizes ? {} : (variants[0]?.cells ?? {});
  const variantCells = hasSizes ? sizeVariants.map((variant) => variant.cells) : [onlyVariant];
  const sharedStock = cells.countInStock ?? '0';
  const sizes = sizeVariants.map(
    ({ row: at, options, cells: ofSize }): SizeRow => ({
      row: at,
      size: cut(options.join(' / '), 60),
      cells: normalised(ofSize.countInStock === SHARED ? { ...ofSize, countInStock: sharedStock } : ofSize),
      exported: '',
    }),
  );
  const price = cells.price || lowest(variantCells.map((one) => one.price ?? ''));
  const counts = variantCells.map((one) => one.countInStock ?? '0');
  // Variants that share their product's stock are counted once.
  const stockOfSizes = sumOf([...counts.filter((count) => count !== SHARED), counts.includes(SHARED) ? sharedStock : '0']);
  const countInStock = hasSizes ? stockOfSizes : (onlyVariant.countInStock ?? sharedStock);
  const merged = { fit: DEFAULT_FIT, ...cells, ...onlyVariant, price, countInStock, images: [...pictures].join(' ') };
  const withDefaults = { ...merged, _id: '', category: merged.category || DEFAULT_CATEGORY, brand: merged.brand || DEFAULT_BRAND };
  const note = isUncounted || variants.some((variant) => variant.isUncounted) ? UNCOUNTED_NOTE : '';
  return { row, cells: normalised(withDefaults), exported: '', isWords: true, headings, sizes, flaws, note };
}

const SHOPIFY_STATES = new Map([
  ['', 'live'],
  ['active', 'live'],
  ['archived', 'hidden'],
]);

/** Any other state becomes a draft. */
function shopifyState(cell: Cells): string {
  const state = SHOPIFY_STATES.get(cell('Status').toLowerCase()) ?? 'draft';
  return state === 'live' && /^false$/i.test(cell('Published')) ? 'hidden' : state;
}

/** Shopify gives a product without options one variant, “Default Title”. */
function shopifyVariant(row: number, cell: Cells): Variant {
  const options = [1, 2, 3].map((n) => cell(`Option${n} Value`)).filter((value) => value !== '' && value !== 'Default Title');
  const grams = Math.round(Number(cell('Variant Grams')) || 0);
  const isUncounted = cell('Variant Inventory Tracker', 'shopify') === '';
  return {
    row,
    options,
    isUncounted,
    cells: {
      price: cell('Variant Price'),
      countInStock: isUncounted ? UNCOUNTED : stockCell(cell('Variant Inventory Qty')),
      sku: cell('Variant SKU'),
      // The apostrophe makes a spreadsheet read it as text.
      barcode: cell('Variant Barcode').replace(/^'/, ''),
      weight: grams > 0 ? String(grams) : '',
      costPrice: cell('Cost per item'),
    },
  };
}

/** Rows with the same handle are one product: the first has its texts, further ones have variants or only pictures. */
function readShopifyRow({ all, byKey }: Found, row: number, cell: Cells): void {
  const handle = cell('Handle');
  const product =
    byKey.get(handle) ??
    newProduct(row, {
      name: cell('Title'),
      description: textOf(cell('Body (HTML)')) || cell('Title'),
      brand: cell('Vendor'),
      category: cell('Type') || (cell('Product Category').split('>').at(-1) ?? '').trim(),
      state: shopifyState(cell),
      seoTitle: cut(cell('SEO Title'), 70),
      seoDescription: cut(cell('SEO Description'), 320),
    });
  all.add(product);
  byKey.set(handle, product);
  addPictures(product, [cell('Image Src')]);
  if (cell('Variant Price') !== '') addVariant(product, shopifyVariant(row, cell));
}

/** A picture's address may have commas of its own. */
const PICTURE_SEPARATOR = /,\s*(?=https?:)/i;
const WOO_PUBLISHED = '1';
const WOO_STATES = new Map([
  [WOO_PUBLISHED, 'live'],
  ['0', 'hidden'],
]);

/** WooCommerce leaves the stock empty for products that it only marks as in stock or not. */
const isUncountedInWoo = (cell: Cells) => cell('Stock') === '' && cell('In stock?') === '1';

function wooStock(cell: Cells): string {
  if (isUncountedInWoo(cell)) return UNCOUNTED;
  return cell('Stock') === SHARED ? SHARED : stockCell(cell('Stock'));
}

function wooCells(cell: Cells): Partial<ProductCells> {
  const weight = Number(cell('Weight (kg)')) * 1000 || Number(cell('Weight (g)')) || Number(cell('Weight (lbs)')) * 453.592 || 0;
  const lengths = [
    ['Width', cell('Width (cm)')],
    ['Depth', cell('Length (cm)')],
    ['Height', cell('Height (cm)')],
  ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  return {
    price: cell('Regular price'),
    countInStock: wooStock(cell),
    sku: cell('SKU'),
    barcode: cell('GTIN, UPC, EAN, or ISBN'),
    weight: weight > 0 ? String(Math.round(weight)) : '',
    measurements: lengths.join('; '),
  };
}

/** The product of a variation, by SKU or `id:12`. A placeholder stands for it until its own row is read. */
function parentOf({ byKey, orphans }: Found, key: string, row: number): Product {
  const parent = byKey.get(key) ?? orphans.get(key) ?? newProduct(row);
  if (!byKey.has(key)) orphans.set(key, parent);
  return parent;
}

/** Skips variations that are not published, since they are not for sale. */
function wooVariation(found: Found, row: number, cell: Cells): void {
  if (cell('Published') !== WOO_PUBLISHED) return;
  const options = [1, 2, 3, 4].map((n) => cell(`Attribute ${n} value(s)`)).filter(Boolean);
  const parent = parentOf(found, cell('Parent'), row);
  const named = options.length > 0 ? options : [cell('Name')];
  addVariant(parent, { row, options: named, cells: wooCells(cell), isUncounted: isUncountedInWoo(cell) });
  addPictures(parent, cell('Images').split(PICTURE_SEPARATOR));
}

function readWooRow(found: Found, row: number, cell: Cells): void {
  if (cell('Type').toLowerCase().startsWith('variation')) {
    wooVariation(found, row, cell);
    return;
  }
  if (cell('Name') === '') return;
  const [category = ''] = cell('Categories').split(',');
  const product = newProduct(row, {
    ...wooCells(cell),
    name: decoded(cell('Name')),
    description: textOf(cell('Description') || cell('Short description')) || cell('Name'),
    brand: decoded(cell('Brands').split(',')[0] ?? ''),
    category: decoded((category.split('>').at(-1) ?? '').trim()),
    state: WOO_STATES.get(cell('Published')) ?? 'draft',
    isRecommend: cell('Is featured?'),
  });
  addPictures(product, cell('Images').split(PICTURE_SEPARATOR));
  found.all.add(product);
  const keys = [cell('ID') && `id:${cell('ID')}`, cell('SKU')].filter(Boolean);
  for (const key of keys) {
    found.byKey.set(key, product);
    const placeholder = found.orphans.get(key);
    found.orphans.delete(key);
    for (const variant of placeholder?.variants ?? []) addVariant(product, variant);
    addPictures(product, [...(placeholder?.pictures ?? [])]);
    product.flaws.push(...(placeholder?.flaws ?? []));
  }
  product.isUncounted = product.variants.length === 0 && isUncountedInWoo(cell);
}

/** The rows of variations whose product is not in the file. */
const orphanSheet = (key: string, { row }: Product, headings: ReadonlyMap<string, string>): SheetRow => ({
  row,
  cells: { _id: '' },
  exported: '',
  isWords: true,
  headings,
  sizes: [],
  flaws: [
    {
      row,
      column: 'Parent',
      message: key ? `The file has no product “${cut(key, 60)}” for this variation.` : 'This variation names no product.',
    },
  ],
});

/** Other shops: the columns that identify their files, their headings for this shop's columns, and the reader of a row. */
const SHOPS = [
  {
    needed: ['Handle', 'Title', 'Variant Price'],
    headings: {
      name: 'Title',
      description: 'Body (HTML)',
      brand: 'Vendor',
      category: 'Type',
      price: 'Variant Price',
      sku: 'Variant SKU',
      barcode: 'Variant Barcode',
      weight: 'Variant Grams',
      costPrice: 'Cost per item',
      images: 'Image Src',
      countInStock: 'Variant Inventory Qty',
    },
    readRow: readShopifyRow,
  },
  {
    needed: ['Type', 'SKU', 'Name', 'Published', 'Regular price'],
    headings: {
      name: 'Name',
      description: 'Description',
      brand: 'Brands',
      category: 'Categories',
      price: 'Regular price',
      sku: 'SKU',
      barcode: 'GTIN, UPC, EAN, or ISBN',
      images: 'Images',
      countInStock: 'Stock',
    },
    readRow: readWooRow,
  },
];

/**
 * The reader of another shop's export, by its headings; undefined for any other file. Products are complete only at the end, since variants may be far from
 * their product.
 */
export function foreignReader(head: readonly string[]): Reader | undefined {
  const shop = SHOPS.find(({ needed }) => needed.every((heading) => head.includes(heading)));
  if (!shop) return undefined;
  const found: Found = { all: new Set(), byKey: new Map(), orphans: new Map() };
  const { all, orphans } = found;
  const headings = new Map<string, string>([...HEADINGS, ...Object.entries(shop.headings)]);
  const places = new Map(head.map((heading, at) => [heading, at]));
  return {
    add(row, cells) {
      shop.readRow(found, row, (heading, missing = '') => {
        const at = places.get(heading);
        return at === undefined ? missing : (cells[at] ?? '').trim();
      });
      return undefined;
    },
    // With those that only their variations name.
    count: () => all.size + orphans.size,
    *end() {
      found.byKey.clear();
      for (const product of all) {
        // Frees its memory.
        all.delete(product);
        yield sheetOf(product, headings);
      }
      for (const [key, product] of orphans) yield orphanSheet(key, product, headings);
    },
  };
}
