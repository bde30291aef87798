import { z } from 'zod';
import { MAX_COMPARED } from '#contract/platform/limits.ts';
import { Id, oneOf, optionalNames, optionalText, PageNumber, paging, searchText } from '#contract/platform/lists.schema.ts';
import { FILTER_NAMES, FILTERS, type FilterQuery, filtersOfKind, namesOf, type ValueName } from './filters.ts';
import { PRODUCT_FIELDS, type ProductColumns, type ProductField } from './product-fields.ts';
import { PictureKind } from './product-form.schema.ts';

/** The outer dimensions of one size in whole millimetres, derived from its measurements; null where they do not tell. */
const SizeDimensions = z.object({
  /** The place of the size among the product's sizes; 0 for a product without any. */
  position: z.int(),
  width: z.int().nullable(),
  depth: z.int().nullable(),
  height: z.int().nullable(),
});

/** The texts of a comma-separated parameter, each once, in small letters and in their order. What was read so reads as the same again. */
const textsOf = (value: string): string[] => {
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
  /** Customers' reviews that are shown; where there are any, `rating` is their mean. */
  reviewCount: z.int(),
  /** Of each size of which anything is known. */
  dimensions: z.array(SizeDimensions),
  /** How many there are to choose from. */
  sizeCount: z.int(),
  /** The lowest price that can be paid, of one of its sizes where it has any; lists filter and sort by it. */
  fromPrice: z.int(),
  /** The highest one: the same where all sizes cost the same. */
  toPrice: z.int(),
  /** Pieces that can be sold: in stock are those of which there are any. */
  piecesLeft: z.int(),
  colourCount: z.int(),
});

/** A piece in the home page's room, and where its picture shows it, in hundredths of the width and of the height from the top left. */
export const RoomPiece = z.object({
  _id: z.string(),
  name: z.string(),
  price: z.int(),
  fromPrice: z.int(),
  toPrice: z.int(),
  x: z.number(),
  y: z.number(),
});

/** As it was typed; a length also in centimetres and in inches, as people read them. */
const StoredMeasurement = z.object({
  name: z.string(),
  value: z.coerce.string(),
  cm: z.string().optional(),
  inches: z.string().optional(),
});

/** A field as stored: a row from before a limit was set is still shown. */
function storedAs(field: ProductField): z.ZodType {
  if (field.kind === 'flag') return z.boolean();
  if (field.kind === 'text' || field.kind === 'line') return z.string();
  return field.optional ? z.int().nullable() : z.int();
}

const STORED_FIELDS = Object.fromEntries(PRODUCT_FIELDS.map((field) => [field.column, storedAs(field)])) as {
  [column in keyof ProductColumns]: z.ZodType<ProductColumns[column]>;
};

export const Product = ProductCard.extend({
  ...STORED_FIELDS,
  sizes: z.array(z.object({ size: z.string(), quantity: z.int(), price: z.int(), measurements: z.array(StoredMeasurement) })),
  measurements: z.array(StoredMeasurement),
  /** What each of `images` shows, in their order; null for no size or colour in particular, or where nobody has said so. */
  pictures: z.array(z.object({ kind: PictureKind.nullable(), size: z.string().nullable(), color: z.string().nullable() })),
  /** The address of a GLB that shows it in 3D; null where there is none. */
  model: z.string().nullable(),
  /** As they were entered, each with the name that people read. */
  colors: z.array(z.object({ colorName: z.string(), hexCode: z.string(), name: z.string() })),
  /** What it is made of, as far as its description tells. */
  materials: z.array(z.string()),
  /** How to look after it: what its description says of that, else what is true of its materials. */
  care: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Grows with every edit; an edit that names an older one is refused. */
  version: z.int(),
});

/** Several values of one filter are joined by "_". Ratings are the least, 0 to 5; prices are pounds and lengths centimetres, inclusive. */
const FILTER_QUERIES = Object.fromEntries(
  FILTER_NAMES.flatMap((name) => namesOf(name).map(({ query }) => [query, FILTERS[name].kind === 'values' ? optionalNames : optionalText])),
) as Record<FilterQuery, typeof optionalText>;

export const ListProductsQuery = z.object({
  search: searchText,
  pageNumber: PageNumber,
  sortBy: oneOf(['bestmatch', 'ascprice', 'descprice', 'rating']),
  ...FILTER_QUERIES,
});

export const SuggestionsQuery = z.object({ search: searchText });

/** What somebody may mean who has typed so much of a search. Each of them has results. */
export const Suggestions = z.object({
  /** The best first; `image` is null where there is no picture. */
  products: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      price: z.int(),
      fromPrice: z.int(),
      toPrice: z.int(),
      image: z.string().nullable(),
    }),
  ),
  categories: z.array(z.string()),
  /** The search without its typing errors. */
  searches: z.array(z.string()),
});

/** The filters of a list by name; `search` is what was searched for. */
export const FilterName = z.enum(['search', ...FILTER_NAMES]);

const FacetValues = z.array(z.object({ value: z.string(), count: z.int() }));
const FACET_VALUES = Object.fromEntries(filtersOfKind('values').map((name) => [name, FacetValues])) as Record<
  ValueName,
  typeof FacetValues
>;
const Extent = z.object({ min: z.int(), max: z.int() }).nullable();

/**
 * How many products each value of each filter would leave, beside the other filters; the most first, and those that leave none with 0. At most a
 * hundred values of a filter, and those that are chosen. The counts of a long list are estimates: about right, and 0 may mean a few.
 */
export const Facets = z.object({
  total: z.int(),
  isEstimate: z.boolean(),
  ...FACET_VALUES,
  /** By the least rating. */
  ratings: FacetValues,
  /** `inStock` and `new`. */
  flags: FacetValues,
  /** The smallest and largest outer dimensions that the catalogue has, in centimetres. */
  sizes: z.object({ width: Extent, depth: Extent, height: Extent }),
});

/** The back office's list of products. */
export const ListOfficeProductsQuery = ListProductsQuery.extend({
  sortBy: oneOf(['newest', 'name', 'ascprice', 'descprice', 'rating', 'stock']),
  /** What is nearly, or quite, sold out. */
  stockQuery: oneOf(['', 'low', 'out']),
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
  /** There are more than the `total` of 1,000, where the list and its `pages` end. */
  isMore: z.boolean(),
  /** The nearest spelling of a search that found nothing. */
  suggestion: z.string().nullable(),
  /** No product has all that was searched for: these have most of it. */
  isPartial: z.boolean(),
  /** What of the search is left out, in its words. */
  leftOut: z.array(z.string()),
  /** Where a price is left out: the nearest to it among these, in pence. */
  nearestPrice: z.int().nullable(),
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
