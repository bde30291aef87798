import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { colourName, ownColourName } from '#contract/catalogue/colour.ts';
import { dimensionsOf } from '#contract/catalogue/measurement.ts';
import { type FieldName, PRODUCT_FIELDS, type ProductField, type ProductValues } from '#contract/catalogue/product-fields.ts';
import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import type { Model } from '#web/admin/catalogue/pictures/model-field.tsx';
import { type PictureField, type VariantOptions, withoutRemovedVariant } from '#web/admin/catalogue/pictures/picture-field.ts';
import { jsonText } from '#web/browser/form-of.ts';

export interface SizeFields {
  size: string;
  quantity: string;
  price: string;
  measurements: { name: string; value: string }[];
  /** Like barcode, weight and cost: empty for the product's own. */
  sku: string;
  barcode: string;
  weight: string;
  costPrice: string;
  /** The URL of its own 3D model, or empty. */
  model: string;
  /** Whether the uploaded model's size may differ from the measurements. */
  anyModelSize: boolean;
}

export interface ColourFields {
  hexCode: string;
  /** The shop's own name; if empty, the usual name of the hex code is shown. */
  name: string;
}

/** A colour as the API takes it. Without the shop's own name, its name is the hex code (specification §3). */
const colourBody = ({ hexCode, name }: ColourFields) => ({ colorName: name.trim() || hexCode, hexCode });

type TypedValues = { [name in keyof ProductValues]: ProductValues[name] extends boolean ? boolean : string };

/** The form's values as typed; numbers stay text. */
export interface ProductFields extends TypedValues {
  colors: ColourFields[];
  sizes: SizeFields[];
  /** Why the stock changes, in an edit. */
  stockNote: string;
}

const typedValues = (read: (field: ProductField) => string | boolean) =>
  Object.fromEntries(PRODUCT_FIELDS.map((field) => [field.name, read(field)])) as unknown as TypedValues;

/** A new colour starts as black (specification §9). */
export const NEW_COLOUR: ColourFields = { hexCode: '#000000', name: '' };
export const NEW_SIZE: SizeFields = {
  size: '',
  quantity: '0',
  price: '0',
  measurements: [],
  sku: '',
  barcode: '',
  weight: '',
  costPrice: '',
  model: '',
  anyModelSize: false,
};

function initialValue(field: ProductField): string | boolean {
  if (field.kind === 'choice') return field.options[0];
  return field.kind === 'flag' ? false : '';
}
export const NEW_PRODUCT: ProductFields = { ...typedValues(initialValue), colors: [], sizes: [], stockNote: '' };

/** `49999` → `= £499.99` (clarifications on money); empty if it is not a whole number. */
export const inPounds = (pence: string) => (/^\d{1,15}$/.test(pence) ? `= ${pounds(Number(pence))}` : '');

/** `12500` → `= 12.5 kg`; empty if it is not a whole number. */
export const inKilograms = (grams: string) => (/^\d{1,15}$/.test(grams) ? `= ${Number(grams) / 1_000} kg` : '');

/** Says that a product is a parcel while a side of a size is not typed, if its size decides; undefined if all are known. A set travels as its parts. */
export function missingSideNote(
  { deliveryClass, setParts, sizes }: Pick<ProductFields, 'deliveryClass' | 'setParts' | 'sizes'>,
  product: Pick<OfficeProduct, 'measurements'> | undefined,
): string | undefined {
  if (deliveryClass !== 'by size' || setParts !== '') return undefined;
  const ofProduct = dimensionsOf(product?.measurements ?? []);
  const all = sizes.length > 0 ? sizes : [NEW_SIZE];
  const index = all.findIndex(({ measurements }) => {
    const { width, depth, height } = { ...ofProduct, ...dimensionsOf(measurements) };
    return !(width && depth && height);
  });
  if (index < 0) return undefined;
  const of = all.length > 1 ? ` of ${all[index]?.size || `size ${index + 1}`}` : '';
  return `A side${of} is missing, so it is sent and returned as a parcel. Add width, depth and height under Sizes.`;
}

/** The sum of the sizes' stock if it differs from the product's; undefined if they are equal or there are no sizes. */
export function differingSum({ countInStock, sizes }: Pick<ProductFields, 'countInStock' | 'sizes'>): number | undefined {
  const pieces = sizes.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  return sizes.length > 0 && pieces !== Number(countInStock) ? pieces : undefined;
}

/** Said after saving if count and sizes disagree: an order takes from both, so the smaller number is what can be sold. */
export function stockWarning({ countInStock, sizes, setParts }: Pick<OfficeProduct, 'countInStock' | 'sizes' | 'setParts'>) {
  const sum = sizes.reduce((total, { quantity }) => total + quantity, 0);
  if (sizes.length === 0 || setParts || sum === countInStock) return undefined;
  const left = Math.min(sum, countInStock);
  const sold = left === 0 ? 'nothing can be sold' : `only ${left} can be sold`;
  return `The count in stock is ${countInStock}, but the sizes add up to ${sum}: ${sold}.`;
}

/** Whether the typed stock differs from the product's. */
export const isStockChanged = ({ countInStock, sizes }: ProductFields, product: OfficeProduct): boolean =>
  Number(countInStock) !== product.countInStock ||
  sizes.some(({ size, quantity }) => Number(quantity) !== (product.sizes.find((entry) => entry.size === size)?.quantity ?? 0));

/** Whether all parts of a saved set were removed in the form. Its stock then starts at 0. */
const stopsBeingSet = ({ setParts }: ProductFields, product: OfficeProduct): boolean => setParts === '' && product.setParts !== '';

/** What happens to the stock of a product that becomes a set or stops being one. */
export function setNote(fields: ProductFields, product: OfficeProduct | undefined): string | undefined {
  if (!product) return undefined;
  if (stopsBeingSet(fields, product)) return 'This is no longer a set. Its stock begins at 0: type what you have under Count In Stock.';
  const becomesSet = fields.setParts !== '' && product.setParts === '';
  if (!becomesSet || product.countInStock === 0) return undefined;
  const pieces = product.countInStock === 1 ? 'The piece that is in stock is' : `The ${product.countInStock} pieces that are in stock are`;
  return `${pieces} taken off when you save: a set has only what its parts make.`;
}

function typedValue({ kind }: ProductField, value: unknown): string | boolean {
  if (kind === 'flag') return Boolean(value);
  // The value of a `datetime-local` control.
  return kind === 'moment' && value ? shopTime(String(value)).replace(' ', 'T') : String(value ?? '');
}

export function fieldsOf(product: OfficeProduct): ProductFields {
  return {
    ...typedValues((field) => typedValue(field, product[field.column])),
    colors: product.colors.map((colour) => ({ hexCode: colour.hexCode, name: ownColourName(colour) })),
    sizes: product.sizes.map(({ quantity, price, weight, costPrice, model, ...size }) => ({
      ...size,
      quantity: String(quantity),
      price: String(price),
      weight: String(weight ?? ''),
      costPrice: String(costPrice ?? ''),
      model: model ?? '',
      anyModelSize: false,
    })),
    stockNote: '',
  };
}

export const picturesOf = ({ images, pictures }: OfficeProduct): PictureField[] =>
  images.map((url, place) => ({ url, shown: pictures[place] ?? {} }));

export const modelOf = ({ model }: OfficeProduct): Model => (model === null ? null : { url: model });

/** The typed sizes and colours, which a picture may show. */
export function variantOptionsOf({ sizes, colors }: ProductFields): VariantOptions {
  const names = new Map(colors.map((colour) => [colour.hexCode, colourName(colourBody(colour))]));
  return {
    sizes: [...new Set(sizes.map(({ size }) => size.trim()).filter(Boolean))],
    colours: [...names].map(([value, name]) => ({ value, name })),
  };
}

/** The body of a new product, or of an edit (specification §7). */
export function productBody(fields: ProductFields, pictures: PictureField[], model: Model, edited: OfficeProduct | undefined) {
  const typed = Object.fromEntries(PRODUCT_FIELDS.map(({ name }) => [name, String(fields[name])])) as Record<FieldName, string>;
  const sizesBefore = edited?.sizes.map(({ size, quantity }) => [size, quantity]) ?? [];
  const countBefore = edited && !stopsBeingSet(fields, edited) ? edited.countInStock : 0;
  return {
    ...typed,
    colors: jsonText(fields.colors.map(colourBody)),
    sizes: jsonText(fields.sizes),
    images: pictures.map((picture) => ('file' in picture ? picture.file : picture.url)),
    pictures: jsonText(pictures.map(({ shown }) => withoutRemovedVariant(shown, variantOptionsOf(fields)))),
    // An empty field removes the saved model; without the field it would stay.
    model: model ? ('file' in model ? model.file : model.url) : '',
    anyModelSize: String(model !== null && 'file' in model && model.anySize === true),
    ...(edited && {
      measurements: jsonText(edited.measurements),
      version: edited.version,
      stockNote: fields.stockNote,
      stockBefore: jsonText({ countInStock: countBefore, sizes: Object.fromEntries(sizesBefore) as Record<string, number> }),
    }),
  };
}
