import type { Product } from '#contract/catalogue/catalogue.ts';
import { namedColour } from '#contract/catalogue/colour.ts';
import { type FieldName, fieldsShown, PRODUCT_FIELDS, type ProductField, type ProductValues } from '#contract/catalogue/product-fields.ts';
import { pounds } from '#contract/market/money.ts';
import type { Model } from '#web/admin/catalogue/pictures/model-field.tsx';
import { type Offered, offeredOf, type PictureField } from '#web/admin/catalogue/pictures/picture-field.ts';
import { jsonText } from '#web/browser/form-of.ts';

export interface SizeFields {
  size: string;
  quantity: string;
  price: string;
  measurements: { name: string; value: string }[];
}

type TypedValues = { [name in keyof ProductValues]: ProductValues[name] extends boolean ? boolean : string };

/** The form's values as typed; numbers stay text. */
export interface ProductFields extends TypedValues {
  colors: string[];
  sizes: SizeFields[];
}

const typedValues = (read: (field: ProductField) => string | boolean) =>
  Object.fromEntries(PRODUCT_FIELDS.map((field) => [field.name, read(field)])) as unknown as TypedValues;

/** A new colour starts as black (specification §9). */
export const NEW_COLOUR = '#000000';
export const NEW_SIZE: SizeFields = { size: '', quantity: '0', price: '0', measurements: [] };

const empty = (field: ProductField) => (field.kind === 'choice' ? field.options[0] : field.kind !== 'flag' && '');
export const NEW_PRODUCT: ProductFields = { ...typedValues(empty), colors: [], sizes: [] };

/** `49999` → `= £499.99` (clarifications on money); empty if it is not a whole number. */
export const inPounds = (pence: string) => (/^\d{1,15}$/.test(pence) ? `= ${pounds(Number(pence))}` : '');

/** Says the sizes' total if it differs from the product's stock: the smaller number is what can be sold. */
export function stockHint({ countInStock, sizes }: Pick<ProductFields, 'countInStock' | 'sizes'>): string {
  const pieces = sizes.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  return sizes.length > 0 && pieces !== Number(countInStock) ? `The sizes have ${pieces} in all.` : '';
}

export function fieldsOf(product: Product): ProductFields {
  return {
    ...typedValues(({ kind, column }) => (kind === 'flag' ? Boolean(product[column]) : String(product[column] ?? ''))),
    colors: product.colors.map(({ hexCode }) => hexCode),
    sizes: product.sizes.map(({ size, quantity, price, measurements }) => ({
      size,
      quantity: String(quantity),
      price: String(price),
      measurements,
    })),
  };
}

export const picturesOf = ({ images, pictures }: Product): PictureField[] =>
  images.map((url, place) => ({ url, shown: pictures[place] ?? {} }));

export const modelOf = ({ model }: Product): Model => (model === null ? null : { url: model });

/** The sizes and colours as typed; an edit does not change the colours. */
export function offeredBy({ sizes, colors }: ProductFields, edited: Product | undefined): Offered {
  const typed = (values: string[]) => [...new Set(values.map((value) => value.trim()).filter(Boolean))];
  const colours = edited
    ? edited.colors.map(({ hexCode, name }) => ({ value: hexCode, name }))
    : typed(colors).map((value) => ({ value, name: namedColour(value).name }));
  return { sizes: typed(sizes.map(({ size }) => size)), colours };
}

/** The body of a new product, or of an edit (specification §7). */
export function productBody(fields: ProductFields, pictures: PictureField[], model: Model, edited: Product | undefined) {
  const shown = Object.fromEntries(fieldsShown(!edited).map(({ name }) => [name, String(fields[name])])) as Record<FieldName, string>;
  const sizes = edited?.sizes.map(({ size, quantity }) => [size, quantity]) ?? [];
  return {
    ...shown,
    sizes: jsonText(fields.sizes),
    images: pictures.map((picture) => ('file' in picture ? picture.file : picture.url)),
    pictures: jsonText(pictures.map(({ shown }) => offeredOf(shown, offeredBy(fields, edited)))),
    // Without this part the model would stay; an empty one removes it.
    model: model ? ('file' in model ? model.file : model.url) : '',
    anyModelSize: String(model !== null && 'file' in model && model.anySize === true),
    ...(edited
      ? {
          measurements: jsonText(edited.measurements),
          version: edited.version,
          stockBefore: jsonText({ countInStock: edited.countInStock, sizes: Object.fromEntries(sizes) as Record<string, number> }),
        }
      : { colors: jsonText(fields.colors.map((value) => ({ colorName: value, hexCode: value }))) }),
  };
}
