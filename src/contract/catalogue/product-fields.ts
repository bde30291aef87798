/** The fields of a product, in order, for the form, its validation, the API, the CSV, the change history and the generator. CONTRIBUTING says how to add one. */

import { DELIVERY_CLASSES } from '#contract/delivery/delivery-classes.ts';
import { VAT_CLASSES } from '#contract/invoices/vat.ts';
import { pounds } from '#contract/market/money.ts';
import { MAX_PIECES, MAX_PRICE } from '#contract/platform/limits.ts';
import { boxesOf } from './boxes.ts';
import { goesWithOf, MAX_GOES_WITH } from './goes-with.ts';
import { isGtin } from './gtin.ts';
import { readMeasurement } from './measurement.ts';
import { isSetText, MAX_PARTS } from './set-parts.ts';

interface Common {
  /** The label of its form control. */
  label: string;
  /** Its name in messages, if not the label. */
  title?: string;
  /** Its name in the change history, if not the title in lower case. */
  change?: string;
  /** Its name in the database and the API's replies, if not the name in the form and the CSV. */
  column?: string;
  hint?: string;
  /** Required at creation, and optional in an edit, which folds it away (specification §2). */
  createOnly?: true;
  /** Optional always, or only at creation. Without a value, texts are empty, numbers and moments null, and choices the first option. */
  optional?: true | 'create';
  /** Only for the back office: never in a reply, a page or a feed for shoppers. */
  office?: true;
  /** The field's name in a size, if each size has its own value. */
  ofSize?: 'price' | 'quantity' | 'sku' | 'barcode' | 'weight' | 'costPrice';
  /** The folded group of the form that it is in. Fields without a group are always visible. */
  group?: GroupName;
}

interface TextField extends Common {
  /** `line` is a single line, `text` may have several. */
  kind: 'line' | 'text';
  /** In characters. */
  max: number;
  /** Checks a value that is not empty. */
  isValid?: (value: string) => boolean;
  /** The message for a value that is not valid. */
  invalid?: string;
}

interface NumberField extends Common {
  /** `money` is in pence, `count` is any whole number. */
  kind: 'money' | 'count';
  least: number;
  most: number;
  /** The message for a number below `least`, if not the usual one. */
  below?: string;
}

interface ChoiceField extends Common {
  kind: 'choice';
  /** The first is the default. */
  options: readonly [string, ...string[]];
}

interface FlagField extends Common {
  kind: 'flag';
}

interface MomentField extends Common {
  /** Stored as an ISO time, typed in the shop's time zone. */
  kind: 'moment';
}

type Field = TextField | NumberField | ChoiceField | FlagField | MomentField;

/** The folded groups of the form with their titles, in order. */
export const GROUPS = {
  inShop: 'In the shop',
  set: 'Set',
  goesWith: 'Goes with',
  leadTime: 'Lead time',
  fitAndColours: 'Fit and colours',
  codes: 'Codes and supplier',
  packingAndCare: 'Weight, boxes, assembly and care',
  searchEngines: 'Search engines',
} as const;
export type GroupName = keyof typeof GROUPS;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BOX = /^\d{1,4}([.,]\d)?( ?[x×] ?\d{1,4}([.,]\d)?){2}( cm)?$/i;

export const BARCODE = {
  max: 14,
  isValid: isGtin,
  invalid: 'A barcode has 8, 12, 13 or 14 digits, and this one has a wrong digit. Compare it with the label.',
} as const;
/** In grams, of a packed piece. */
export const WEIGHT = { kind: 'count', title: 'Weight', least: 1, most: 2_000_000 } as const satisfies Limits;
export const COST_PRICE = { kind: 'money', title: 'Cost price', least: 0, most: MAX_PRICE } as const satisfies Limits;
export const MAX_SKU = 60;

/** The states of a product that is not deleted (decision 117). */
export const PRODUCT_STATES = ['live', 'draft', 'hidden', 'scheduled'] as const;

const TABLE = {
  name: { kind: 'line', label: 'Name', max: 200 },
  description: { kind: 'text', label: 'Description', max: 10_000 },
  fit: { kind: 'line', label: 'Fit', max: 60, createOnly: true, hint: 'The room or the use, such as Living room.' },
  category: { kind: 'line', label: 'Category', max: 60 },
  subCategory: {
    kind: 'line',
    label: 'Subcategory',
    max: 60,
    optional: 'create',
    hint: 'For more than one, put commas between them: Two-seat, Three-seat',
  },
  brand: { kind: 'line', label: 'Brand', max: 60 },
  price: {
    kind: 'money',
    label: 'Price (in pence)',
    title: 'Price',
    ofSize: 'price',
    least: 1,
    most: MAX_PRICE,
    below: 'Price must be at least 1 penny.',
  },
  countInStock: {
    kind: 'count',
    label: 'Count In Stock',
    title: 'Count in stock',
    change: 'stock',
    ofSize: 'quantity',
    least: 0,
    most: MAX_PIECES,
  },
  lowStock: {
    kind: 'count',
    label: 'Low at',
    title: 'Low stock level',
    least: 0,
    most: MAX_PIECES,
    optional: true,
    hint: 'The product counts as running low when it, or one of its sizes, is down to this many. Leave empty for the number in Shop settings.',
  },
  vatClass: {
    kind: 'choice',
    label: 'VAT class',
    options: VAT_CLASSES,
    optional: true,
    hint: 'The rates are in Shop settings. The price includes the VAT.',
  },
  deliveryClass: {
    kind: 'choice',
    label: 'Delivery class',
    options: DELIVERY_CLASSES,
    optional: true,
    hint: 'Two-person: delivered and collected by two people. By size: two-person from 0.4 m³.',
  },
  state: {
    kind: 'choice',
    label: 'State',
    options: PRODUCT_STATES,
    optional: true,
    office: true,
    group: 'inShop',
    hint: 'Shoppers only see live products. A scheduled one goes live by itself.',
  },
  liveFrom: {
    kind: 'moment',
    label: 'Live from',
    optional: true,
    office: true,
    group: 'inShop',
    hint: 'UK time, for a scheduled product.',
  },
  setParts: {
    kind: 'text',
    label: 'Set of',
    title: 'Parts of the set',
    max: 2_000,
    isValid: isSetText,
    invalid: `Write at most ${MAX_PARTS} parts as pieces and the number of the product, with semicolons between, such as 4 x 019a0000-0000-7000-8000-000000000001 | Large | #b58a5a.`,
    optional: true,
    office: true,
    group: 'set',
  },
  goesWith: {
    kind: 'text',
    label: 'Goes with',
    max: 400,
    isValid: (text: string) => goesWithOf(text).length <= MAX_GOES_WITH && goesWithOf(text).every((id) => ID.test(id)),
    invalid: `Write the IDs of at most ${MAX_GOES_WITH} products, separated by commas, as in the ID column of the CSV.`,
    optional: true,
    office: true,
    group: 'goesWith',
  },
  leadWeeks: {
    kind: 'count',
    label: 'Made to order (in weeks)',
    title: 'Made to order',
    change: 'lead time',
    least: 1,
    most: 52,
    optional: true,
    group: 'leadTime',
    hint: 'Weeks until a piece can be sent. Leave empty if it can be sent straight away.',
  },
  readyFrom: {
    kind: 'moment',
    label: 'Ready from',
    optional: true,
    group: 'leadTime',
    hint: 'UK time, for pieces that you sell before they arrive.',
  },
  sku: {
    kind: 'line',
    label: 'SKU',
    max: MAX_SKU,
    change: 'SKU',
    ofSize: 'sku',
    optional: true,
    group: 'codes',
    hint: 'Your own code for the piece.',
  },
  barcode: {
    kind: 'line',
    label: 'Barcode',
    ...BARCODE,
    ofSize: 'barcode',
    optional: true,
    group: 'codes',
    hint: 'The GTIN or EAN, printed under the bars.',
  },
  supplier: { kind: 'line', label: 'Supplier', max: 100, optional: true, office: true, group: 'codes' },
  supplierReference: { kind: 'line', label: 'Supplier’s reference', max: 100, optional: true, office: true, group: 'codes' },
  costPrice: { ...COST_PRICE, label: 'Cost (in pence)', ofSize: 'costPrice', optional: true, office: true, group: 'codes' },
  weight: { ...WEIGHT, label: 'Weight (in grams)', ofSize: 'weight', optional: true, group: 'packingAndCare' },
  boxes: {
    kind: 'text',
    label: 'Boxes',
    max: 1_000,
    isValid: (text: string) =>
      boxesOf(text).every((box) => BOX.test(box) && readMeasurement('Size', box.replaceAll(',', '.')) !== undefined),
    invalid: 'Write one box per line, in centimetres, such as 120 x 60 x 20.',
    optional: true,
    group: 'packingAndCare',
    hint: 'One box per line, in centimetres: 120 x 60 x 20. The fit check uses the largest.',
  },
  assemblyMinutes: {
    kind: 'count',
    label: 'Assembly (in minutes)',
    title: 'Assembly',
    least: 0,
    most: 1_440,
    optional: true,
    group: 'packingAndCare',
    hint: '0 if it comes assembled.',
  },
  careText: {
    kind: 'text',
    label: 'Care',
    max: 2_000,
    optional: true,
    group: 'packingAndCare',
    hint: 'One tip per line. Leave empty to use the description, or advice for the materials.',
  },
  seoTitle: {
    kind: 'line',
    label: 'Title for search engines',
    max: 70,
    optional: true,
    group: 'searchEngines',
    hint: 'Leave empty to use the name.',
  },
  seoDescription: {
    kind: 'line',
    label: 'Description for search engines',
    max: 320,
    optional: true,
    group: 'searchEngines',
    hint: 'Leave empty to use the beginning of the description.',
  },
  guarantee: {
    kind: 'line',
    label: 'Guarantee',
    max: 120,
    optional: true,
    hint: 'Shown under Add To Cart, such as: 10 years on the frame',
  },
  newArrivals: { kind: 'flag', label: 'New Arrivals?', title: 'New arrivals', change: 'new arrival', column: 'isNewArrival' },
  isRecommend: { kind: 'flag', label: 'Recommend?', title: 'Recommend', change: 'recommended' },
} as const satisfies Record<string, Field>;

/** The fields that are lists, each with its own control and rules. A cell of the CSV holds them in words or as JSON (decision 130), and pictures as URLs. */
export const PRODUCT_LISTS = [
  { name: 'sizes', kind: 'json', title: 'Sizes' },
  { name: 'colors', kind: 'json', title: 'Colours' },
  { name: 'measurements', kind: 'json', title: 'Measurements' },
  { name: 'images', kind: 'addresses', title: 'Pictures' },
] as const;

type Table = typeof TABLE;
export type FieldName = keyof Table;
/** The fields that are always optional. */
export type OptionalName = { [N in FieldName]: Table[N] extends { optional: true } ? N : never }[FieldName];
/** The fields that are optional in an edit, which keeps the value of those left out. */
export type EditOptionalName = OptionalName | { [N in FieldName]: Table[N] extends { createOnly: true } ? N : never }[FieldName];
type ColumnOf<N extends FieldName> = Table[N] extends { column: infer C extends string } ? C : N;
type ValueOf<F> = F extends { kind: 'flag' }
  ? boolean
  : F extends { kind: 'moment' }
    ? string | null
    : F extends { kind: NumberField['kind'] }
      ? number | (F extends { optional: true } ? null : never)
      : string;

/** A product's values by the names of the form and the CSV. */
export type ProductValues = { [N in FieldName]: ValueOf<Table[N]> };
/** A product's values by the names of the database and the API's replies. */
export type ProductColumns = { [N in FieldName as ColumnOf<N>]: ValueOf<Table[N]> };
type OfficeColumn = { [N in FieldName]: Table[N] extends { office: true } ? ColumnOf<N> : never }[FieldName];
/** The columns that shoppers may see. */
export type PublicColumns = Omit<ProductColumns, OfficeColumn>;
export type OfficeColumns = Pick<ProductColumns, OfficeColumn>;

/** A field of the table with all its names filled in. */
export type ProductField = Field & {
  name: FieldName;
  title: string;
  change: string;
  column: keyof ProductColumns;
};

export const PRODUCT_FIELDS: readonly ProductField[] = Object.entries<Field>(TABLE).map(([name, field]) => {
  const { title = field.label } = field;
  const { change = title.toLowerCase(), column = name } = field;
  return { ...field, name: name as FieldName, title, change, column: column as keyof ProductColumns };
});

export const FIELD_COLUMNS = PRODUCT_FIELDS.map(({ column }) => column);
export const PUBLIC_COLUMNS = PRODUCT_FIELDS.flatMap(({ column, office }) => (office ? [] : [column as keyof PublicColumns]));
export const OFFICE_COLUMNS = PRODUCT_FIELDS.flatMap(({ column, office }) => (office ? [column as keyof OfficeColumns] : []));

/** A form's values by column; fields that the form does not have are undefined. */
export const columnsOf = <V extends Partial<ProductValues>>(values: V) =>
  Object.fromEntries(PRODUCT_FIELDS.map(({ name, column }) => [column, values[name]])) as {
    [N in keyof V & FieldName as ColumnOf<N>]: V[N];
  };

/** The group of a field in the create form or the edit form, which folds away the fields that only creation asks for (specification §2). */
export const groupOf = ({ group, createOnly }: ProductField, isNew: boolean): GroupName | undefined =>
  createOnly && !isNew ? 'fitAndColours' : group;

export function isRequired({ optional, createOnly }: ProductField, isNew: boolean): boolean {
  if (optional === true) return false;
  return isNew ? optional !== 'create' : !createOnly;
}

export type Limits = Omit<NumberField, keyof Common> & { title: string };

/** The messages for a number below or above its limits. */
export function limitTexts({ title, kind, least, most, below = `${title} cannot be below ${least}.` }: Limits) {
  const limit = kind === 'money' ? `${most} pence (${pounds(most)})` : most.toLocaleString('en-GB');
  return { below, above: `${title} can be at most ${limit}.` };
}

/** The limits of a size's own stock and price; a price of 0 is the product's. */
export const SIZE_QUANTITY: Limits = { kind: 'count', title: 'Quantity', least: 0, most: MAX_PIECES };
export const SIZE_PRICE: Limits = { kind: 'money', title: 'Size price', least: 0, most: MAX_PRICE };
