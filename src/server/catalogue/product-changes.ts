import type { Measurement, Size } from '#contract/catalogue/catalogue.ts';
import { colourName } from '#contract/catalogue/colour.ts';
import { PRODUCT_FIELDS, type ProductColumns, type ProductField } from '#contract/catalogue/product-fields.ts';
import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { cut } from '#contract/platform/text.ts';

/** A size as its form has it. Its model: undefined leaves it as it is, an empty text or null takes it away. */
type HistorySize = Size & { model?: string | null | undefined };

/** The values whose changes a product's history shows. */
export interface HistoryValues extends ProductColumns {
  sizes: readonly HistorySize[];
  colors: readonly { colorName: string; hexCode: string }[];
  measurements: readonly Measurement[];
  images: readonly string[];
}

/** A value is cut after this many characters. */
const LONGEST = 80;

function worded({ kind }: ProductField, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (kind === 'money') return pounds(Number(value));
  if (kind === 'moment') return shopTime(String(value));
  if (kind === 'flag') return value ? 'yes' : 'no';
  return String(value);
}

const fromTo = (before: string, after: string) => `from ${before} to ${after}`;

/** Characters shown before the first difference of long texts. */
const CONTEXT = 20;

/** An old and a new text. Long ones are cut at the end, and at the beginning too if the first difference comes late. */
function textFromTo(before: string, after: string, quoted: (text: string) => string = String): string {
  const [oldCharacters, newCharacters] = [[...before], [...after]];
  let same = 0;
  while (same < oldCharacters.length && oldCharacters[same] === newCharacters[same]) same += 1;
  const from = same > LONGEST - CONTEXT ? same - CONTEXT : 0;
  const shown = (characters: readonly string[]) => {
    if (characters.length === 0) return 'none';
    return quoted((from > 0 ? '…' : '') + cut(characters.slice(from).join(''), LONGEST));
  };
  return fromTo(shown(oldCharacters), shown(newCharacters));
}

const lineFromTo = (before: unknown, after: unknown) => textFromTo(String(before ?? ''), String(after ?? ''), (text) => `“${text}”`);

function fieldChange(field: ProductField, before: HistoryValues, after: Partial<HistoryValues>): string[] {
  const { column, change, kind } = field;
  if (after[column] === undefined || after[column] === before[column]) return [];
  // A text of several lines: only that it has changed.
  if (kind === 'text') return [change];
  const words =
    kind === 'line' ? lineFromTo(before[column], after[column]) : fromTo(worded(field, before[column]), worded(field, after[column]));
  return [`${change} ${words}`];
}

const measured = (measurements: readonly Measurement[]) => measurements.map(({ name, value }) => `${name} ${value}`).join(', ');

function measurementsChange(before: readonly Measurement[], after: readonly Measurement[]): string[] {
  const [oldText, newText] = [measured(before), measured(after)];
  return oldText === newText ? [] : [`measurements ${textFromTo(oldText, newText)}`];
}

function sizeValue<T extends string | number>(
  what: string,
  before: T | null | undefined,
  after: T | null | undefined,
  inWords: (value: T) => string = String,
): string[] {
  const words = (value: T | null | undefined) => (value === null || value === undefined || value === '' ? 'none' : inWords(value));
  return after === undefined || words(before) === words(after) ? [] : [`${what} ${fromTo(words(before), words(after))}`];
}

/** A size without a price of its own has the product's. */
const priceOfSize = (price: number) => (price === 0 ? 'the product’s' : pounds(price));

function sizeChange(before: HistorySize, after: HistorySize): string[] {
  const changes = [
    before.quantity === after.quantity ? [] : [`quantity ${fromTo(String(before.quantity), String(after.quantity))}`],
    before.price === after.price ? [] : [`price ${fromTo(priceOfSize(before.price), priceOfSize(after.price))}`],
    measurementsChange(before.measurements, after.measurements),
    sizeValue('SKU', before.sku, after.sku),
    sizeValue('barcode', before.barcode, after.barcode),
    sizeValue('weight', before.weight, after.weight),
    sizeValue('cost price', before.costPrice, after.costPrice, pounds),
    after.model === undefined || (after.model || null) === (before.model ?? null) ? [] : ['3D model'],
  ].flat();
  return changes.length === 0 ? [] : [`size “${after.size}”: ${changes.join(', ')}`];
}

function sizesChange(before: readonly HistorySize[], after: readonly HistorySize[] | undefined): string[] {
  if (!after) return [];
  const sizesBefore = new Map(before.map((size) => [size.size, size]));
  const namesAfter = new Set(after.map(({ size }) => size));
  const changes = [
    ...after.flatMap((size) => {
      const earlier = sizesBefore.get(size.size);
      return earlier ? sizeChange(earlier, size) : [`size “${size.size}” added with ${size.quantity}`];
    }),
    ...before.filter(({ size }) => !namesAfter.has(size)).map(({ size }) => `size “${size}” removed`),
  ];
  const isMoved = before.length === after.length && before.some(({ size }, place) => after[place]?.size !== size);
  return changes.length === 0 && isMoved ? ['order of sizes'] : changes;
}

function coloursChange(before: HistoryValues['colors'], after: HistoryValues['colors'] | undefined): string[] {
  const names = (colors: HistoryValues['colors']) => colors.map((colour) => `${colourName(colour)} ${colour.hexCode}`).join(', ') || 'none';
  return after && names(after) !== names(before) ? [`colours ${fromTo(names(before), names(after))}`] : [];
}

function picturesChange(before: readonly string[], after: readonly string[] | undefined): string[] {
  if (!after) return [];
  const added = after.filter((image) => !before.includes(image)).length;
  const removed = before.filter((image) => !after.includes(image)).length;
  const counts = [added > 0 ? [`${added} added`] : [], removed > 0 ? [`${removed} removed`] : []].flat();
  if (counts.length > 0) return [`pictures: ${counts.join(', ')}`];
  return before.join() === after.join() ? [] : ['order of pictures'];
}

/** What changed in a product, in words for its history: `price from £10.00 to £12.00`. A value that `after` leaves out did not change. */
export function changesBetween(before: HistoryValues, after: Partial<HistoryValues>): string[] {
  return [
    ...PRODUCT_FIELDS.flatMap((field) => fieldChange(field, before, after)),
    ...sizesChange(before.sizes, after.sizes),
    ...coloursChange(before.colors, after.colors),
    ...(after.measurements ? measurementsChange(before.measurements, after.measurements) : []),
    ...picturesChange(before.images, after.images),
  ];
}
