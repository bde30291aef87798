import type { Measurement, Size } from '#contract/catalogue/catalogue.ts';
import { ownColourName } from '#contract/catalogue/colour.ts';
import { PRODUCT_FIELDS, PRODUCT_LISTS, type ProductField } from '#contract/catalogue/product-fields.ts';
import { momentOf } from '#contract/market/moments.ts';
import { penceOf, plainDecimal } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { isRounded, withoutCommas } from '#server/platform/csv.ts';
import { PRODUCT_COLUMNS, type ProductCells, type ProductColumn, type ProductRow } from './product-csv.ts';

/** The heading for a size's name. A row with a size belongs to the product with the same ID, or the one above. */
export const SIZE_HEADING = 'Size';

const headingOf = ({ kind, title, label }: ProductField) => (kind === 'money' ? `${title} (£)` : label);
/** The headings of the CSV that people edit, by column. Sizes have their own rows. */
export const HEADINGS = new Map<ProductColumn, string>([
  ['_id', 'ID'],
  ...PRODUCT_FIELDS.map((field) => [field.name, headingOf(field)] as const),
  ...PRODUCT_LISTS.flatMap(({ name, title }) => (name === 'sizes' ? [] : [[name, title] as const])),
]);

/** The columns of that CSV, in order. */
export const WORD_COLUMNS: readonly ProductColumn[] = PRODUCT_COLUMNS.filter((column) => HEADINGS.has(column));

const LONGEST_HEADING = 200;
/** `Weight (in grams)` → `weight grams` */
const keyOf = (heading: string) =>
  heading
    .slice(0, LONGEST_HEADING)
    .toLowerCase()
    .replace('(in ', '(')
    .replace(/[^\p{L}\p{N}£]+/gu, ' ')
    .trim();
// Reversed, so that of headings with the same key the first one counts.
const BY_KEY = new Map<string, ProductColumn>(
  [
    ...[...HEADINGS].map(([column, heading]) => [heading, column] as const),
    ...PRODUCT_FIELDS.flatMap(({ name, title, change, kind }) =>
      [title, change, name].flatMap((word) => [[word, name] as const, ...(kind === 'money' ? [[`${word} £`, name] as const] : [])]),
    ),
  ]
    .reverse()
    .map(([heading, column]) => [keyOf(heading), column]),
);
/** Finds a heading's column, ignoring case, with or without its unit. Undefined if the unit is another. */
export const columnOfHeading = (heading: string): ProductColumn | undefined => BY_KEY.get(keyOf(heading));
/** Finds the correct heading for one whose brackets are wrong. */
export function headingWithUnit(heading: string): string | undefined {
  const column = columnOfHeading(heading.slice(0, LONGEST_HEADING).replace(/\([^()]*\)/g, ' '));
  return column && HEADINGS.get(column);
}
export const isSizeHeading = (heading: string): boolean => keyOf(heading) === keyOf(SIZE_HEADING);

/** Product fields that each size has too. */
const SIZE_FIELDS = PRODUCT_FIELDS.flatMap(({ name, ofSize }) => (ofSize ? [{ name, ofSize }] : []));
type SizeField = (typeof SIZE_FIELDS)[number]['ofSize'];
/** The columns of a size's row. */
export const SIZE_COLUMNS: readonly ProductColumn[] = [...SIZE_FIELDS.map(({ name }) => name), 'measurements'];
/** The field of a size for a column. */
export const fieldOfSize = (column: ProductColumn): SizeField | undefined => SIZE_FIELDS.find(({ name }) => name === column)?.ofSize;
/** The column for a size's field. */
export const columnOfSize = (field: string): ProductColumn | undefined => SIZE_FIELDS.find(({ ofSize }) => ofSize === field)?.name;

const FIELDS = new Map(PRODUCT_FIELDS.map((field) => [field.name as string, field]));

/** `2026-11-26T09:00:00Z` → `26/11/2026 09:00` */
const momentInWords = (iso: string) => shopTime(iso).replace(/^(\d+)-(\d+)-(\d+)/, '$3/$2/$1');
const measurementsInWords = (measurements: readonly Measurement[]) => measurements.map(({ name, value }) => `${name}: ${value}`).join('; ');
const coloursInWords = (colors: ProductRow['colors']) =>
  colors.map((colour) => [ownColourName(colour), colour.hexCode].filter(Boolean).join(' ')).join('; ');

function fieldInWords({ kind }: ProductField, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (kind === 'money') return plainDecimal(Number(value));
  if (kind === 'flag') return value ? 'yes' : 'no';
  return kind === 'moment' ? momentInWords(String(value)) : String(value);
}

/** A product as the cells of its row. */
export function cellsInWords(product: ProductRow): ProductCells {
  const fields = PRODUCT_FIELDS.map((field) => [field.name, normalWords(field.name, fieldInWords(field, product[field.column]))]);
  return {
    _id: product.id,
    ...Object.fromEntries(fields),
    sizes: '',
    colors: coloursInWords(product.colors),
    measurements: measurementsInWords(product.measurements),
    images: product.images.join(' '),
  };
}

/** A size as the cells of its row. An empty price is the product's. */
export function sizeCellsInWords(size: Size | undefined): Partial<ProductCells> {
  const values = size as Partial<Record<SizeField, unknown>> | undefined;
  const cells = SIZE_FIELDS.map(({ name, ofSize }) => {
    const value = ofSize === 'price' ? values?.price || null : values?.[ofSize];
    return [name, fieldInWords(FIELDS.get(name) as ProductField, value)];
  });
  return { ...Object.fromEntries(cells), measurements: measurementsInWords(size?.measurements ?? []) };
}

const YES = new Set(['yes', 'y', 'true', '1', 'x', '✓']);
const NO = new Set(['no', 'n', 'false', '0', '']);

/** Normalises a cell to the export's spelling, from spreadsheet forms such as £1,299.00, TRUE and 26/11/2026. Unreadable text stays. */
export function normalWords(column: ProductColumn, cell: string): string {
  const text = cell.trim();
  const kind = FIELDS.get(column)?.kind;
  switch (kind) {
    case 'money': {
      // A comma before one or two last digits is a decimal one.
      const pence = penceOf(text.replace(/^GBP|GBP$/i, '').replace(/(?<=\d),(?=\d{1,2}$)/, '.'));
      return pence === undefined ? text : plainDecimal(pence);
    }
    case 'count':
      return withoutCommas(text).replace(/^(\d+)\.0+$/, '$1');
    case 'flag': {
      const word = text.toLowerCase();
      return YES.has(word) ? 'yes' : NO.has(word) ? 'no' : text;
    }
    case 'choice':
      return text.toLowerCase();
    case 'moment': {
      const moment = momentOf(text);
      return moment ? momentInWords(moment) : text;
    }
    case 'text':
    case 'line':
      return cell.replaceAll('\r\n', '\n');
    default:
      return text.replaceAll('\r\n', '\n');
  }
}

/** A cell as the form's value, or a message that says what to write. */
export type FromWords = { cell: string } | { wrong: string };

const COLOURS_HINT = 'Write names and codes, such as Oak #b58a5a; Black #000000.';
const MEASUREMENTS_HINT = 'Write names and centimetres, such as Width: 80; Seat height: 45.';
const partsOf = (words: string) =>
  words
    .split(/[;\n]/)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter(Boolean);

function coloursFrom(words: string): FromWords {
  const read = partsOf(words).map((part) => /^(.*?) ?\(?(#[\da-f]{3}(?:[\da-f]{3})?)\)?$/i.exec(part));
  if (read.includes(null)) return { wrong: COLOURS_HINT };
  const colours = read.map((found) => {
    const [, name = '', code = ''] = found ?? [];
    const hexCode = code.length === 4 ? code.replace(/[^#]/g, '$&$&') : code;
    return { colorName: name || hexCode, hexCode };
  });
  return { cell: JSON.stringify(colours) };
}

function measurementsFrom(words: string): FromWords {
  const read = partsOf(words).map((part) => /^(.+?) ?: ?(.+)$/.exec(part) ?? /^(.+?) (\d.*)$/.exec(part));
  if (read.includes(null)) return { wrong: MEASUREMENTS_HINT };
  return { cell: JSON.stringify(read.map((found) => ({ name: found?.[1], value: found?.[2] }))) };
}

/** Reads a cell as `normalWords` wrote it. */
export function fromWords(column: ProductColumn, words: string): FromWords {
  if (column === 'colors') return coloursFrom(words);
  if (column === 'measurements') return measurementsFrom(words);
  const field = FIELDS.get(column);
  if (!field || words === '') return { cell: words };
  switch (field.kind) {
    case 'money': {
      const pence = penceOf(words);
      return pence === undefined ? { wrong: 'Write pounds, such as 1299.00.' } : { cell: String(pence) };
    }
    case 'count':
      return /^\d+$/.test(words) ? { cell: words } : { wrong: 'Write a whole number from 0, such as 12.' };
    case 'flag':
      return words === 'yes' || words === 'no' ? { cell: String(words === 'yes') } : { wrong: 'Write yes or no.' };
    case 'moment': {
      const moment = momentOf(words);
      return moment ? { cell: moment } : { wrong: 'Write a day and a time, such as 26/11/2026 09:00.' };
    }
    case 'line':
      return isRounded(words)
        ? { wrong: 'A spreadsheet has shortened this number. Format the column as text, then type the number again.' }
        : { cell: words };
    default:
      return { cell: words };
  }
}
