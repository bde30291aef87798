import { z } from 'zod';
import { MAX_COMPARED, MAX_PIECES, MAX_PRICE } from '#contract/base/limits.ts';
import { Id, optionalNames, optionalText, PageNumber, paging, searchText } from '#contract/base/lists.schema.ts';
import { isAbsent } from '#contract/base/lists.ts';
import { storable } from '#contract/base/storable.ts';
import { ONE_LINE } from '#contract/base/text.schema.ts';
import { pounds } from '#contract/market/money.ts';

/** Forms send numbers as text. Empty text is a missing number, not 0; what is not written in digits is no number. */
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
const pieces = (what: string) =>
  z.preprocess(
    numberOf,
    wholeNumber(what)
      .min(0, `${what} cannot be below 0.`)
      .max(MAX_PIECES, `${what} can be at most ${MAX_PIECES.toLocaleString('en-GB')}.`),
  );
const price = (what: string, least: number, below: string) =>
  z.preprocess(
    numberOf,
    wholeNumber(what)
      .min(least, below)
      .max(MAX_PRICE, `${what} can be at most ${MAX_PRICE} pence (${pounds(MAX_PRICE)}).`),
  );
const text = (what: string, max: number) =>
  z.string(`${what} is required.`).trim().min(1, `${what} is required.`).max(max, `${what} is too long.`);
const ofOneLine = (what: string) => [ONE_LINE, `${what} must be one line of text.`] as const;
/** What stands on a label, in a list or in one cell. */
const line = (what: string, max: number) => text(what, max).regex(...ofOneLine(what));
/** What is no text: clients without a value for it send one of the words for nothing. */
const orNothing = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (typeof value === 'string' && isAbsent(value) ? undefined : value), schema);

export const Measurement = z.object({
  name: line('Measurement name', 60),
  /** A number is as good as its text. */
  value: z.preprocess((value) => (typeof value === 'number' ? String(value) : value), line('Measurement value', 30)),
});

export const Size = z.object({
  size: line('Size', 60),
  quantity: pieces('Quantity'),
  /** In pence; 0 means the product's price (specification §5). */
  price: price('Size price', 0, 'Size price cannot be below 0.'),
  measurements: z.array(Measurement).max(30).default([]),
});

/** The sizes of a product form; all of them together are bounded as the product's own stock is. */
const Sizes = z
  .array(Size)
  .max(50, 'A product has at most 50 sizes.')
  .refine((sizes) => sizes.reduce((sum, { quantity }) => sum + quantity, 0) <= MAX_PIECES, {
    error: `All sizes together can have at most ${MAX_PIECES.toLocaleString('en-GB')} pieces.`,
  });

export const Colour = z.object({ colorName: line('Colour', 60), hexCode: line('Colour', 60) });

/** The outer dimensions of one size in whole millimetres, derived from its measurements; null where they do not tell. */
const SizeDimensions = z.object({
  /** The place of the size among the product's sizes; 0 for a product without any. */
  position: z.int(),
  width: z.int().nullable(),
  depth: z.int().nullable(),
  height: z.int().nullable(),
});

/** The texts of a comma-separated parameter, each once, in small letters and in their order. What was read so reads as the same again. */
const textsOf = (value: unknown): string[] => {
  const texts = String(value ?? '')
    .toLowerCase()
    .split(',')
    .map((text) => text.trim());
  return [...new Set(texts.filter(Boolean))].sort();
};

/** What a card shows. */
export const ProductCard = z.object({
  _id: z.string(),
  name: z.string(),
  category: z.string(),
  subCategory: z.string(),
  brand: z.string(),
  price: z.int(),
  countInStock: z.int(),
  images: z.array(z.string()),
  isNewArrival: z.boolean(),
  isRecommend: z.boolean(),
  rating: z.number(),
  /** Of each size of which anything is known. */
  dimensions: z.array(SizeDimensions),
});

/** As it was typed; a length also in centimetres and in inches, as people read them. */
const StoredMeasurement = z.object({
  name: z.string(),
  value: z.coerce.string(),
  cm: z.string().optional(),
  inches: z.string().optional(),
});

/** As stored: a row from before a limit was set is still shown. */
export const Product = ProductCard.extend({
  description: z.string(),
  fit: z.string(),
  sizes: z.array(z.object({ size: z.string(), quantity: z.int(), price: z.int(), measurements: z.array(StoredMeasurement) })),
  measurements: z.array(StoredMeasurement),
  /** As they were entered, each with the name that people read. */
  colors: z.array(z.object({ colorName: z.string(), hexCode: z.string(), name: z.string() })),
  /** What it is made of, as far as its description tells. */
  materials: z.array(z.string()),
  /** Customers' reviews that are shown; where there are any, `rating` is their mean. */
  reviewCount: z.int(),
  /** How to look after it: what its description says of that, else what is true of its materials. */
  care: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Grows with every edit; an edit that names an older one is refused. */
  version: z.int(),
});

export const ListProductsQuery = z.object({
  search: searchText,
  pageNumber: PageNumber,
  sortBy: z.preprocess(
    (value) => String(value ?? '').toLowerCase(),
    z.enum(['bestmatch', 'ascprice', 'descprice', 'rating']).catch('bestmatch'),
  ),
  inStockQuery: optionalText,
  categoryQuery: optionalNames,
  brandQuery: optionalNames,
  minPriceQuery: optionalText,
  maxPriceQuery: optionalText,
  /** Several values of one filter are joined by "_" and any of them will do; filters together must all hold. */
  subCategoryQuery: optionalNames,
  colourQuery: optionalNames,
  materialQuery: optionalNames,
  fitQuery: optionalNames,
  /** The least rating, 0 to 5. */
  ratingQuery: optionalText,
  newQuery: optionalText,
  /** Centimetres, inclusive; one size of the product must keep all of them. */
  minWidthQuery: optionalText,
  maxWidthQuery: optionalText,
  minDepthQuery: optionalText,
  maxDepthQuery: optionalText,
  minHeightQuery: optionalText,
  maxHeightQuery: optionalText,
});

export const SuggestionsQuery = z.object({ search: searchText });

/** What somebody may mean who has typed so much of a search. Each of them has results. */
export const Suggestions = z.object({
  /** The best first; `image` is null where there is no picture. */
  products: z.array(z.object({ _id: z.string(), name: z.string(), price: z.int(), image: z.string().nullable() })),
  categories: z.array(z.string()),
  /** The search without its typing errors. */
  searches: z.array(z.string()),
});

/** The filters of a list by name; `search` is what was searched for. */
export const FilterName = z.enum([
  ...(['search', 'categories', 'subCategories', 'brands', 'colours', 'materials', 'fits'] as const),
  ...(['isInStock', 'isNew', 'rating', 'price', 'width', 'depth', 'height'] as const),
]);

const FacetValues = z.array(z.object({ value: z.string(), count: z.int() }));
const Extent = z.object({ min: z.int(), max: z.int() }).nullable();

/**
 * How many products each value of each filter would leave, beside the other filters; the most first, and those that leave none with 0. At most a
 * hundred values of a filter, and those that are chosen. The counts of a long list are estimates: about right, and 0 may mean a few.
 */
export const Facets = z.object({
  total: z.int(),
  isEstimate: z.boolean(),
  categories: FacetValues,
  subCategories: FacetValues,
  brands: FacetValues,
  /** Rooms and uses. */
  fits: FacetValues,
  /** Families. */
  colours: FacetValues,
  materials: FacetValues,
  /** By the least rating. */
  ratings: FacetValues,
  /** `inStock` and `new`. */
  flags: FacetValues,
  /** The smallest and largest outer dimensions that the catalogue has, in centimetres. */
  sizes: z.object({ width: Extent, depth: Extent, height: Extent }),
});

/** The back office's list of products. */
export const ListOfficeProductsQuery = ListProductsQuery.extend({
  sortBy: z.preprocess(
    (value) => String(value ?? '').toLowerCase(),
    z.enum(['newest', 'name', 'ascprice', 'descprice', 'rating', 'stock']).catch('newest'),
  ),
  /** What is nearly, or quite, sold out. */
  stockQuery: z.preprocess((value) => String(value ?? ''), z.enum(['low', 'out', '']).catch('')),
});

/** Which products are compared: their ids, joined by commas. The order in which they are asked for does not matter, nor does asking twice. */
export const CompareProductsQuery = z.object({
  ids: z.preprocess(
    textsOf,
    z.array(Id).min(1, 'Choose the products to compare.').max(MAX_COMPARED, `At most ${MAX_COMPARED} products can be compared.`),
  ),
});

export const ProductList = z.object({
  products: z.array(ProductCard),
  ...paging,
  /** Whether `total`, and with it `pages`, is about so: the start of a long list is answered before it is counted. */
  isEstimate: z.boolean(),
  /** The nearest spelling of a search that found nothing. */
  suggestion: z.string().nullable(),
  /** No product has every word of the search: these have most of them. */
  isPartial: z.boolean(),
  /** The prices, lengths, colours and materials that a search asks for, each in words and with the search without it. */
  chips: z.array(z.object({ label: z.string(), search: z.string() })),
  /** The search without all of them. */
  plainSearch: z.string(),
  /** Where filters leave nothing: for each, how many products there would be without it. Told up to a thousand; `isMore` where there are more. */
  without: z.array(z.object({ filter: FilterName, total: z.int(), isMore: z.boolean() })),
});

export const Related = z.object({
  /** Pieces of other kinds of the same range, brand, room or material, the nearest first; all in stock. */
  goesWith: z.array(ProductCard),
  /** Pieces of the same kind that are in stock; empty while the product itself is. */
  instead: z.array(ProductCard),
});

export const OfficeProductList = z.object({ products: z.array(ProductCard), ...paging });

/** A field of a form whose text is JSON; it may be left out. */
const json = <S extends z.ZodType>(what: string, schema: S) =>
  z
    .preprocess((value, { issues }) => {
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

type Part = { size: number } | string;
const isPicture = (part: Part) => (typeof part === 'string' ? !isAbsent(part) : part.size > 0);

/**
 * The parts `images` in their order: a file is a new picture, a text the address of one to keep. Undefined where nothing is said of the
 * pictures, as by a file input without a file; an empty text says that there are none.
 */
const Images = z
  .preprocess((value) => {
    const parts = [value].flat() as Part[];
    const pictures = parts.filter(isPicture);
    return pictures.length > 0 || parts.includes('') ? pictures : undefined;
  }, z.array(z.union([z.file(), z.string()])).optional())
  .optional();

const ProductForm = z.object({
  name: line('Name', 200),
  description: text('Description', 10_000),
  category: line('Category', 60),
  subCategory: z
    .string()
    .trim()
    .max(60, 'Subcategory is too long.')
    .regex(...ofOneLine('Subcategory'))
    .default(''),
  brand: line('Brand', 60),
  price: price('Price', 1, 'Price must be at least 1 penny.'),
  countInStock: pieces('Count in stock'),
  newArrivals: orNothing(z.stringbool('New arrivals must be true or false.').default(false)),
  isRecommend: orNothing(z.stringbool('Recommend must be true or false.').default(false)),
});

/** What a new product is made of, besides its pictures. */
export const ProductFields = ProductForm.extend({
  fit: line('Fit', 60),
  sizes: json('Sizes', Sizes).transform((sizes) => sizes ?? []),
  colors: json('Colors', z.array(Colour).max(50)).transform((colors) => colors ?? []),
});

export const NewProductForm = ProductFields.extend({ images: Images });

export const EditedProductForm = ProductForm.extend({
  subCategory: line('Subcategory', 60),
  sizes: json('Sizes', Sizes),
  measurements: json('Measurements', z.array(Measurement).max(30)),
  images: Images,
  /** The version that the form was filled from; a stale one is refused with 409. */
  version: orNothing(z.coerce.number<unknown>().int().optional()),
  /** The stock that the form was filled from: what was sold since then stays sold, the difference that was typed counts. */
  stockBefore: json('Stock before', z.object({ countInStock: pieces('Count in stock'), sizes: z.record(z.string(), pieces('Quantity')) })),
});

export const ProductParams = z.object({ id: Id });
