import type { SheetRow, SizeRow } from './import-sheet.ts';
import type { ProductCells, ProductColumn } from './product-csv.ts';
import { normalWords } from './product-words.ts';

// Exports of other shops, by the column names that their makers publish. A variant becomes a size that is named by its options. Prices of sales, tags and
// what else has no place here are passed over.

/** Collects the rows of another shop's export; products are complete only at the end, since variants may be far from their product. */
export interface ForeignReader {
  add(row: number, cells: string[]): void;
  products(): SheetRow[];
}

type Cells = (heading: string) => string;

/** Defaults for required fields that other shops do not export. */
const NO_FIT = 'Home';
const NO_BRAND = 'Unbranded';
const NO_CATEGORY = 'Furniture';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'", apos: "'", pound: '£' };
/** The text of HTML, a paragraph a line. */
const textOf = (html: string) =>
  html
    .replace(/<(br|\/p|\/li|\/h\d|\/div)[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll('\\n', '\n')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();

const wholePieces = (text: string) => String(Math.max(0, Math.trunc(Number(text) || 0)));
const secure = (address: string) => address.trim().replace(/^http:/i, 'https:');
const sumOf = (counts: readonly string[]) => String(counts.reduce((sum, count) => sum + Number(count), 0));
const lowest = (prices: readonly string[]) => {
  const all = prices.map(Number).filter((price) => price > 0);
  return all.length > 0 ? Math.min(...all).toFixed(2) : '';
};

interface Variant {
  row: number;
  options: string[];
  cells: Partial<ProductCells>;
}
interface Product {
  row: number;
  cells: Partial<ProductCells>;
  pictures: string[];
  variants: Variant[];
}

const normalised = (cells: Partial<ProductCells>) =>
  Object.fromEntries(
    Object.entries(cells).map(([column, cell]) => [column, normalWords(column as ProductColumn, cell ?? '')]),
  ) as Partial<ProductCells>;

/** A product as this shop's rows: one for the product, one for each size. */
function sheetOf({ row, cells, pictures, variants }: Product, headings: ReadonlyMap<string, string>): SheetRow {
  const named = variants.filter(({ options }) => options.length > 0);
  const [only] = variants;
  const own = named.length === 0 && only ? only.cells : {};
  const offered = named.length > 0 ? named.map((variant) => variant.cells) : [own];
  const sizes = named.map(
    ({ row: at, options, cells: ofSize }): SizeRow => ({
      row: at,
      size: options.join(' / ').slice(0, 60),
      cells: normalised(ofSize),
      exported: '',
    }),
  );
  const price = cells.price || lowest(offered.map((one) => one.price ?? ''));
  const countInStock =
    named.length > 0 ? sumOf(offered.map((one) => one.countInStock ?? '0')) : (own.countInStock ?? cells.countInStock ?? '0');
  const images = [...new Set(pictures.filter(Boolean).map(secure))].slice(0, 12).join(' ');
  const all = { fit: NO_FIT, ...cells, ...own, price, countInStock, images };
  const filled = { ...all, _id: '', category: all.category || NO_CATEGORY, brand: all.brand || NO_BRAND };
  return { row, cells: normalised(filled), exported: '', isWords: true, headings, sizes, flaws: [] };
}

const SHOPIFY = {
  needed: ['Handle', 'Title', 'Variant Price'],
  state: { active: 'live', draft: 'draft', archived: 'hidden' } as Record<string, string>,
};

function shopifyVariant(row: number, cell: Cells): Variant {
  const options = [1, 2, 3].map((n) => cell(`Option${n} Value`)).filter((value) => value !== '' && value !== 'Default Title');
  const grams = Math.round(Number(cell('Variant Grams')) || 0);
  return {
    row,
    options,
    cells: {
      price: cell('Variant Price'),
      countInStock: wholePieces(cell('Variant Inventory Qty')),
      sku: cell('Variant SKU'),
      barcode: cell('Variant Barcode').replace(/^'/, ''),
      weight: grams > 0 ? String(grams) : '',
      costPrice: cell('Cost per item'),
    },
  };
}

/** Rows with the same handle are one product: the first has its texts, further ones have variants or only pictures. */
function shopify(products: Map<string, Product>, row: number, cell: Cells): void {
  const handle = cell('Handle');
  const known = products.get(handle);
  const product: Product = known ?? {
    row,
    cells: {
      name: cell('Title'),
      description: textOf(cell('Body (HTML)')) || cell('Title'),
      brand: cell('Vendor'),
      category: cell('Type') || (cell('Product Category').split('>').at(-1) ?? '').trim(),
      state: /^false$/i.test(cell('Published')) ? 'hidden' : (SHOPIFY.state[cell('Status').toLowerCase()] ?? 'live'),
      seoTitle: cell('SEO Title').slice(0, 70),
      seoDescription: cell('SEO Description').slice(0, 320),
    },
    pictures: [],
    variants: [],
  };
  products.set(handle, product);
  product.pictures.push(cell('Image Src'));
  if (cell('Variant Price') !== '') product.variants.push(shopifyVariant(row, cell));
}

const WOO_NEEDED = ['Type', 'SKU', 'Name', 'Published', 'Regular price'];

function wooCells(cell: Cells): Partial<ProductCells> {
  const weight = Number(cell('Weight (kg)')) * 1000 || Number(cell('Weight (g)')) || Number(cell('Weight (lbs)')) * 453.592 || 0;
  const lengths = [
    ['Width', cell('Width (cm)')],
    ['Depth', cell('Length (cm)')],
    ['Height', cell('Height (cm)')],
  ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  return {
    price: cell('Regular price'),
    // Stock without a count: the other shop only says that it is available.
    countInStock: cell('Stock') === '' ? (cell('In stock?') === '1' ? '1' : '0') : wholePieces(cell('Stock')),
    sku: cell('SKU'),
    barcode: cell('GTIN, UPC, EAN, or ISBN'),
    weight: weight > 0 ? String(Math.round(weight)) : '',
    measurements: lengths.join('; '),
  };
}

/** A variation names its product by SKU or by `id:12`. */
function woo(products: Map<string, Product>, row: number, cell: Cells): void {
  const type = cell('Type').toLowerCase();
  const options = [1, 2, 3, 4].map((n) => cell(`Attribute ${n} value(s)`)).filter(Boolean);
  if (type.startsWith('variation')) {
    const parent = products.get(cell('Parent'));
    parent?.variants.push({ row, options: options.length > 0 ? options : [cell('Name')], cells: wooCells(cell) });
    parent?.pictures.push(...cell('Images').split(','));
    return;
  }
  if (cell('Name') === '') return;
  const [category = ''] = cell('Categories').split(',');
  const product: Product = {
    row,
    cells: {
      ...wooCells(cell),
      name: cell('Name'),
      description: textOf(cell('Description') || cell('Short description')) || cell('Name'),
      brand: cell('Brands').split(',')[0] ?? '',
      category: (category.split('>').at(-1) ?? '').trim(),
      state: { '1': 'live', '0': 'hidden' }[cell('Published')] ?? 'draft',
      isRecommend: cell('Is featured?'),
    },
    pictures: cell('Images').split(','),
    variants: [],
  };
  for (const key of [`id:${cell('ID')}`, cell('SKU')]) if (key !== '') products.set(key, product);
}

/** The reader of another shop's export, by its headings; undefined for any other file. */
export function foreignReader(head: readonly string[]): ForeignReader | undefined {
  const has = (needed: readonly string[]) => needed.every((heading) => head.includes(heading));
  const read = has(SHOPIFY.needed) ? shopify : has(WOO_NEEDED) ? woo : undefined;
  if (!read) return undefined;
  const products = new Map<string, Product>();
  const headings = new Map(
    read === shopify
      ? Object.entries({
          name: 'Title',
          price: 'Variant Price',
          barcode: 'Variant Barcode',
          images: 'Image Src',
          countInStock: 'Variant Inventory Qty',
        })
      : Object.entries({
          name: 'Name',
          price: 'Regular price',
          barcode: 'GTIN, UPC, EAN, or ISBN',
          images: 'Images',
          countInStock: 'Stock',
        }),
  );
  return {
    add: (row, cells) => read(products, row, (heading) => (cells[head.indexOf(heading)] ?? '').trim()),
    products: () => [...new Set(products.values())].map((product) => sheetOf(product, headings)),
  };
}
