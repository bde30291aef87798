import { z } from 'zod';
import { momentOf } from '#contract/market/moments.ts';
import type { JsonText } from '#contract/platform/endpoint.ts';
import { MAX_PIECES, MAX_SIZES, TOO_MANY_SIZES } from '#contract/platform/limits.ts';
import { isAbsent } from '#contract/platform/lists.ts';
import { storable } from '#contract/platform/storable.ts';
import { ONE_LINE } from '#contract/platform/text.schema.ts';
import {
  BARCODE,
  COST_PRICE,
  type EditOptionalName,
  type FieldName,
  isRequired,
  type Limits,
  limitTexts,
  MAX_SKU,
  type OptionalName,
  PRODUCT_FIELDS,
  type ProductField,
  type ProductValues,
  SIZE_PRICE,
  SIZE_QUANTITY,
  WEIGHT,
} from './product-fields.ts';

/** Forms send numbers as text. Empty text is a missing number, not 0; what is not written in digits stays text, and is refused. */
function numberOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  const text = value.trim();
  if (text === '') return undefined;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
const wholeNumber = (what: string) =>
  z
    .number({ error: ({ input }) => (input === undefined ? `${what} is required.` : `${what} must be a number.`) })
    .refine(Number.isInteger, {
      error: `${what} must be a whole number.`,
      abort: true,
    });
const limited = (field: Limits) => {
  const { below, above } = limitTexts(field);
  return wholeNumber(field.title).min(field.least, below).max(field.most, above);
};
const pieces = z.preprocess(numberOf, limited(SIZE_QUANTITY));
const text = (what: string, max: number) =>
  z.string(`${what} is required.`).trim().min(1, `${what} is required.`).max(max, `${what} is too long.`);
/** Text for a label, a list or a cell. */
const line = (what: string, max: number) => text(what, max).regex(ONE_LINE, `${what} must be one line of text.`);
/** A value other than text. Clients without a value send an empty text, `null` or `undefined` for it. */
const orAbsent = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (typeof value === 'string' && isAbsent(value) ? undefined : value), schema);

/** False by default. */
const flag = (what: string) =>
  orAbsent(z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive', error: `${what} must be true or false.` }).default(false));

export const Measurement = z.object({
  name: line('Measurement name', 60),
  /** A number is read as its text. */
  value: z.preprocess((value) => (typeof value === 'number' ? String(value) : value), line('Measurement value', 30)),
});

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
const sizeText = (schema: z.ZodType<string, string>) => z.union([z.literal(''), schema]).optional();
const sizeNumber = (field: Limits) =>
  z.preprocess((value) => (value === null || isBlank(value) ? null : numberOf(value)), limited(field).nullable().optional()).optional();

export const Size = z.object({
  size: line('Size', 60),
  quantity: pieces,
  /** In pence; 0 means the product's price (specification §5). */
  price: z.preprocess(numberOf, limited(SIZE_PRICE)),
  measurements: z.array(Measurement).max(30).default([]),
  /** The size's own values, if they differ from the product's. A field that is left out is unchanged. */
  sku: sizeText(line('SKU', MAX_SKU)),
  barcode: sizeText(line('Barcode', BARCODE.max).refine(BARCODE.isValid, BARCODE.invalid)),
  weight: sizeNumber(WEIGHT),
  costPrice: sizeNumber(COST_PRICE),
});

/** A size as the form sends it. */
const FormSize = Size.extend({
  /** The URL of its own 3D model, as `POST /api/products/models` answered it; empty or null for the product's. Left out, it stays. */
  model: z.string('The 3D model of a size must be given by its address.').nullable().optional(),
  /** A new model may differ in size from the measurements; otherwise it is refused. */
  anyModelSize: z.boolean().optional(),
});

/** The sizes of a product form; all of them together are bounded as the product's own stock is. */
const Sizes = z
  .array(FormSize)
  .max(MAX_SIZES, TOO_MANY_SIZES)
  .refine((sizes) => sizes.reduce((sum, { quantity }) => sum + quantity, 0) <= MAX_PIECES, {
    error: `All sizes together can have at most ${MAX_PIECES.toLocaleString('en-GB')} pieces.`,
  });

export const Colour = z.object({ colorName: line('Colour', 60), hexCode: line('Colour', 60) });

/** The kinds of product pictures. */
export const PictureKind = z.enum(
  ['packshot', 'front', 'detail', 'room', 'material'],
  'A picture is a packshot, front, detail, room or material.',
);

/** What a picture shows. Without a size or colour, it stands for all of them. */
export const Shown = z.object({
  kind: PictureKind.nullish(),
  size: z.string('The size that a picture shows must be text.').max(60, 'A picture shows a size that the product does not have.').nullish(),
  color: z
    .string('The colour that a picture shows must be text.')
    .max(60, 'A picture shows a colour that the product does not have.')
    .nullish(),
  /** Its alternative text; the product's name by default. */
  text: z.string('The text of a picture must be text.').trim().max(200, 'The text of a picture is too long.').nullish(),
});

/** A field of a form whose text is JSON; it may be left out. */
const json = <S extends z.ZodType>(what: string, schema: S) =>
  z
    .preprocess((value: JsonText<z.input<S>> | undefined, { issues }) => {
      if (typeof value !== 'string') return value;
      if (isAbsent(value)) return undefined;
      try {
        return storable(JSON.parse(value) as unknown);
      } catch {
        issues.push({ code: 'custom', message: `${what} is not valid JSON.`, input: value });
        return z.NEVER;
      }
    }, schema.optional())
    .optional();

type Part = z.input<z.ZodFile> | string;
/** Whether a part is a file or a URL. Clients without either send an empty file, or a word such as `null`. */
const isGiven = (part: Part) => (typeof part === 'string' ? !isAbsent(part) : part.size > 0);

/**
 * The parts `images`, in order: a file is a new picture, a text the URL of a picture to keep. Undefined, for no change, if there is only an empty file
 * input; an empty text removes all pictures.
 */
const Images = z
  .preprocess((value: Part | Part[]) => {
    const parts = [value].flat();
    const pictures = parts.filter(isGiven);
    return pictures.length > 0 || parts.includes('') ? pictures : undefined;
  }, z.array(z.union([z.file(), z.string()])).optional())
  .optional();

/** The part `model`: a file is a new GLB, a text the URL of the model to keep, an empty text removes it. Undefined, for no change, for an empty file input. */
const Model = z
  .preprocess(
    (value: Part) => (value === '' || Array.isArray(value) || isGiven(value) ? value : undefined),
    z.union([z.file(), z.string()], 'Send one 3D model.').optional(),
  )
  .optional();

/** What the parts `images` show, in their order. If it is left out, kept pictures keep their descriptions. */
const Pictures = json('Pictures', z.array(Shown).max(50, 'There are more picture descriptions than pictures.'));

/** A moment as an API says it, or as people type it in the shop's time: `2026-12-04 09:00`, `04/12/2026 09:00`, `2026-12-04T09:00:00Z`. */
const moment = (what: string) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (momentOf(value) ?? value) : value),
    z.iso.datetime(`${what} must be a day and a time, such as 2026-12-04 09:00.`),
  );

/** What is stored for an optional field without a value. */
function emptyOf(field: ProductField): unknown {
  if (field.kind === 'choice') return field.options[0];
  return field.kind === 'line' || field.kind === 'text' ? '' : null;
}

const checked = (schema: z.ZodString, { isValid, invalid }: { isValid?: (value: string) => boolean; invalid?: string }) =>
  isValid ? schema.refine(isValid, invalid) : schema;

/** The schema of a value that is not left out. */
function givenOf(field: ProductField): z.ZodType {
  const { title } = field;
  switch (field.kind) {
    case 'flag':
      return flag(title);
    case 'text':
      return checked(text(title, field.max), field);
    case 'line':
      return checked(line(title, field.max), field);
    case 'choice':
      return z.enum(field.options, `${title} must be one of: ${field.options.join(', ')}.`);
    case 'moment':
      return moment(title);
    default:
      return z.preprocess(numberOf, limited(field));
  }
}

/** How a field is read, from text as forms and cells send it. An edit keeps the optional fields that it leaves out. */
function schemaOf(field: ProductField, isNew: boolean): z.ZodType {
  const given = givenOf(field);
  if (field.kind === 'flag' || isRequired(field, isNew)) return given;
  const empty = emptyOf(field);
  const read = z.preprocess((value) => (isBlank(value) ? null : value), given.nullable()).transform((value) => value ?? empty);
  return isNew ? read.default(empty) : read.optional();
}

type Read<N extends FieldName> = z.ZodType<ProductValues[N], string | number | boolean>;
const shapeOf = (isNew: boolean) => Object.fromEntries(PRODUCT_FIELDS.map((field) => [field.name, schemaOf(field, isNew)])) as unknown;

const Colours = json('Colors', z.array(Colour).max(50, 'A product can have at most 50 colours.'));

const NEW_SHAPE = shapeOf(true) as { [N in FieldName]: N extends OptionalName ? z.ZodDefault<Read<N>> : Read<N> };
const EDITED_SHAPE = shapeOf(false) as {
  [N in FieldName]: N extends EditOptionalName ? z.ZodOptional<Read<N>> : Read<N>;
};

/** What a new product is made of, besides its pictures. */
export const ProductFields = z.object({
  ...NEW_SHAPE,
  sizes: json('Sizes', Sizes).transform((sizes) => sizes ?? []),
  colors: Colours.transform((colors) => colors ?? []),
});

/** A new model may differ in size from the measurements; otherwise it is refused. */
const AnyModelSize = flag('Any model size');

export const ModelForm = z.object({ model: z.file('Choose a 3D model.').min(1, 'The file is empty.') });

export const NewProductForm = ProductFields.extend({ images: Images, pictures: Pictures, model: Model, anyModelSize: AnyModelSize });

export const EditedProductForm = z.object({
  ...EDITED_SHAPE,
  sizes: json('Sizes', Sizes),
  /** If they are left out, as in the specified edit, they stay. */
  colors: Colours,
  measurements: json('Measurements', z.array(Measurement).max(30)),
  images: Images,
  pictures: Pictures,
  model: Model,
  anyModelSize: AnyModelSize,
  /** The version that the form was filled from; a stale one is refused with 409. */
  version: orAbsent(z.coerce.number<unknown>().int().optional()),
  /** The stock that the form was filled from: what was sold since then stays sold, the difference that was typed counts. */
  stockBefore: json('Stock before', z.object({ countInStock: EDITED_SHAPE.countInStock, sizes: z.record(z.string(), pieces) })),
  /** Why the stock is another than before, for its ledger. */
  stockNote: z.string().trim().max(200, 'The reason is too long.').optional(),
});

/** The fields of a product that can be changed in the product list. Sizes are found by name, and the other fields stay. */
export const QuickEditBody = EditedProductForm.pick({
  price: true,
  countInStock: true,
  newArrivals: true,
  isRecommend: true,
  version: true,
  stockBefore: true,
}).extend({ sizes: z.array(Size.pick({ size: true, quantity: true, price: true })).max(MAX_SIZES, TOO_MANY_SIZES) });
