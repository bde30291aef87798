import { z } from 'zod';
import { LOADS } from '#contract/delivery/delivery-classes.ts';
import { MAX_COMPARED, MAX_LINES } from '#contract/platform/limits.ts';
import { Id, oneOf, optionalNames, optionalText, PageNumber, paging, searchText } from '#contract/platform/lists.schema.ts';
import { FILTER_NAMES, FILTERS, type FilterQuery, filtersOfKind, type LengthName, namesOf, type ValueName } from './filters.ts';
import {
  OFFICE_COLUMNS,
  type OfficeColumns,
  PRODUCT_FIELDS,
  PRODUCT_STATES,
  type ProductField,
  PUBLIC_COLUMNS,
  type PublicColumns,
} from './product-fields.ts';
import { PictureKind } from './product-form.schema.ts';
import { ROOM_SHAPES } from './rooms.ts';

/** The outer dimensions of a size in whole millimetres, derived from its measurements; null if unknown. */
const SizeDimensions = z.object({
  /** The index of the size; 0 for a product without sizes. */
  position: z.int(),
  width: z.int().nullable(),
  depth: z.int().nullable(),
  height: z.int().nullable(),
  /** The width of the narrowest standard door, 198 cm high, that it comes through: with parts off or in boxes, where its measurements say so. */
  door: z.int().nullable(),
});

/** The dimensions, in whole millimetres, in which a size goes through doors: without legs, or in boxes. */
const Carrying = z.object({
  /** The index of the size; 0 for a product without sizes. */
  position: z.int(),
  /** What is taken off, such as "legs off (4 screws)"; null if it comes in boxes. */
  off: z.string().nullable(),
  /** The number of boxes, of which this is the largest; null if it comes in one piece. */
  boxes: z.int().nullable(),
  width: z.int(),
  depth: z.int(),
  height: z.int(),
});

/** The unique values of a comma-separated parameter, sorted and in lower case. Idempotent. */
const textsBetweenCommas = (value: string): string[] => {
  const texts = String(value ?? '')
    .toLowerCase()
    .split(',')
    .map((text) => text.trim());
  return [...new Set(texts.filter(Boolean))].sort();
};

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
  /** Visible reviews; if there are any, `rating` is their mean. */
  reviewCount: z.int(),
  /** Of each size with a known dimension. */
  dimensions: z.array(SizeDimensions),
  sizeCount: z.int(),
  /** The lowest price of its sizes, or its own; lists filter and sort by it. */
  fromPrice: z.int(),
  /** The highest price of its sizes. */
  toPrice: z.int(),
  /** `fromPrice` before the current sale; null if it must not be shown (decision 120). */
  wasPrice: z.int().nullable(),
  /** ISO time; null unless a sale is on. */
  saleEnds: z.string().nullable(),
  /** Pieces that can be sold; a product is in stock if there are any. */
  piecesLeft: z.int(),
  /** Its colours as entered, with their names. */
  colors: z.array(z.object({ colorName: z.string(), hexCode: z.string(), name: z.string() })),
  /**
   * The size and the colour that match the list's filters and search, if not all of them do: the cheapest matching size, preferably in stock, and the
   * first matching colour.
   */
  variant: z
    .object({
      /** Null if every size matches; `price` is then null too. */
      size: z.string().nullable(),
      colour: z.string().nullable(),
      /** "Oslo Sofa, two-seat, slate" */
      name: z.string(),
      price: z.int().nullable(),
      wasPrice: z.int().nullable(),
      piecesLeft: z.int(),
      image: z.string().nullable(),
    })
    .optional(),
});

/** A product as it can be put into the cart: in the size and colour asked for, else in its first size in stock and its first colour. */
export const Piece = z.object({
  _id: z.string(),
  name: z.string(),
  /** Of that size, in pence. */
  price: z.int(),
  /** It is in stock. */
  isSold: z.boolean(),
  image: z.string(),
  /** The picture of that size and colour. */
  picture: z.string(),
  /** Null for a product without sizes, or without colours. */
  size: z.string().nullable(),
  colour: z.object({ hexCode: z.string(), name: z.string() }).nullable(),
  /** The chosen size and colour as URLs and cart lines name them; null if the product has no choice. */
  chosen: z.object({ size: z.string().nullable(), colour: z.string().nullable() }),
});

/** A room to shop: its picture, cut to its shape, and its pieces with their places in it, in per cent from the top left. */
export const Room = z.object({
  picture: z.string(),
  shape: z.enum(ROOM_SHAPES),
  /** What the picture shows. */
  words: z.string(),
  pieces: z.array(Piece.extend({ x: z.number(), y: z.number() })).min(1),
});

export const ListRoomsQuery = z.object({
  /** Only rooms with one of these products, by their ids with commas; those with most of them first. */
  pieces: z.preprocess(textsBetweenCommas, z.array(Id).max(MAX_LINES)).default([]),
});

/** What a category's page shows besides its list of products. */
export const CategoryHead = z.object({
  /** Empty if the owner has set none, like `picture`. */
  text: z.string(),
  picture: z.string(),
  /** Its subcategories with a picture of one of their products; at most twelve. */
  subCategories: z.array(z.object({ name: z.string(), image: z.string() })),
  rooms: z.array(Room),
});

export const ReadCategoryQuery = z.object({
  name: z.preprocess(
    (value) =>
      String(value ?? '')
        .trim()
        .slice(0, 200),
    z.string(),
  ),
});

/** A measurement as typed; a length also in centimetres and inches. */
const StoredMeasurement = z.object({
  name: z.string(),
  value: z.coerce.string(),
  cm: z.string().optional(),
  inches: z.string().optional(),
});

/** A field without its limits, since older rows may exceed them. */
function storedAs(field: ProductField): z.ZodType {
  if (field.kind === 'flag') return z.boolean();
  if (field.kind === 'money' || field.kind === 'count') return field.optional ? z.int().nullable() : z.int();
  return field.kind === 'moment' ? z.string().nullable() : z.string();
}

const STORED_FIELDS = Object.fromEntries(PRODUCT_FIELDS.map((field) => [field.column, storedAs(field)]));
const storedShape = <C extends string>(columns: readonly C[]) =>
  Object.fromEntries(columns.map((column) => [column, STORED_FIELDS[column]])) as unknown;

const StoredSize = z.object({
  size: z.string(),
  quantity: z.int(),
  /** 0 if the size has the product's. */
  price: z.int(),
  /** The price before the current sale; null if it must not be shown (decision 120). */
  wasPrice: z.int().nullish(),
  measurements: z.array(StoredMeasurement),
  /** Empty or null if the size has the product's. */
  sku: z.string(),
  barcode: z.string(),
  weight: z.int().nullable(),
  /** The URL of its own 3D model; null if it shows the product's. */
  model: z.string().nullable(),
});

/** A part of a set: a product in one size and colour, and the number of pieces. */
const SetPiece = z.object({
  _id: z.string(),
  name: z.string(),
  qty: z.int(),
  /** Null if the product has only one, like `colour`. */
  size: z.string().nullable(),
  colour: z.string().nullable(),
  /** Of one piece bought by itself, in pence. */
  price: z.int(),
  image: z.string(),
  /** Two people must bring it, and so the whole set. */
  isByTwo: z.boolean(),
});

export const Product = ProductCard.extend({
  ...(storedShape(PUBLIC_COLUMNS) as { [column in keyof PublicColumns]: z.ZodType<PublicColumns[column]> }),
  sizes: z.array(StoredSize),
  measurements: z.array(StoredMeasurement),
  /** Of each size that is carried in boxes or without some parts. */
  carrying: z.array(Carrying),
  /** What each of `images` shows, in order; null for no particular size or colour, or if unknown. */
  pictures: z.array(
    z.object({ kind: PictureKind.nullable(), size: z.string().nullable(), color: z.string().nullable(), text: z.string().nullish() }),
  ),
  /** The URL of its 3D model (GLB), which shows its first size, or null. Its material variants are named by the colours, or by their codes. */
  model: z.string().nullable(),
  /** What is in it, if it is a set; a part that is no longer sold is left out, and the set is out of stock. */
  parts: z.array(SetPiece),
  /** How it travels, which its largest size decides. Not every delivery method takes every load. */
  load: z.enum(LOADS),
  /** Its materials, from its texts. */
  materials: z.array(z.string()),
  /** Care instructions from its description, else general advice for its materials. */
  care: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Increases with each edit; an edit of an older version is refused. */
  version: z.int(),
});

/** A product with the fields that only the back office sees. */
export const OfficeProduct = Product.extend({
  ...(storedShape(OFFICE_COLUMNS) as { [column in keyof OfficeColumns]: z.ZodType<OfficeColumns[column]> }),
  sizes: z.array(StoredSize.extend({ costPrice: z.int().nullable() })),
});

/** A stored 3D model, to be named as the model of a size. */
export const StoredModel = z.object({ model: z.string() });

/** The product that took the place of a deleted one. */
const SuccessorName = z.object({ _id: z.string(), name: z.string() });
export const Successor = z.object({ successor: SuccessorName.nullable() });
export const SuccessorBody = z.object({
  /** A product's id or the URL of its page; empty to remove the successor. */
  product: z.string('Type the address of a product’s page.').trim().max(500, 'The address is too long.'),
});

/** A row of the back office's list. `state` is one of the states of `stateQuery`. */
export const OfficeCard = ProductCard.extend({
  state: z.string(),
  liveFrom: z.string().nullable(),
  /** Whether few pieces are left, by its own level or the shop's. */
  isLow: z.boolean(),
  /** The product that the URL of a deleted product redirects to. */
  successor: SuccessorName.nullable(),
});

const FILTER_QUERY_NAMES = FILTER_NAMES.flatMap((name) => namesOf(name).map(({ query }) => query));
/** Values of a filter are joined by "_". Ratings are a minimum, 0 to 5; prices in pounds and lengths in centimetres are inclusive. */
const FILTER_QUERIES = Object.fromEntries(
  FILTER_NAMES.flatMap((name) => namesOf(name).map(({ query }) => [query, FILTERS[name].kind === 'values' ? optionalNames : optionalText])),
) as Record<FilterQuery, typeof optionalText>;

/** In the order in which the browser sends it (`listQueryOf`): a cache in front keeps no other. */
export const ListProductsQuery = z.object({
  ...FILTER_QUERIES,
  search: searchText,
  pageNumber: PageNumber,
  sortBy: oneOf(['bestmatch', 'ascprice', 'descprice', 'rating', 'narrowest', 'widest', 'tallest', 'lowest']),
});

export const SuggestionsQuery = z.object({ search: searchText });

/** Suggestions for a partly typed search. Each has results. */
export const Suggestions = z.object({
  /** The best first; `image` is null without a picture. */
  products: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      price: z.int(),
      fromPrice: z.int(),
      toPrice: z.int(),
      image: z.string().nullable(),
      /** The size and the colour that the search means; `name`, `image` and the prices are then theirs. */
      size: z.string().nullable(),
      colour: z.string().nullable(),
    }),
  ),
  categories: z.array(z.string()),
  subCategories: z.array(z.string()),
  /** The search with its typing errors corrected, its completions, and alternatives to a kind of piece that is not sold. */
  searches: z.array(z.string()),
  /** A kind of piece that the search names, perhaps half typed, and that is not sold here; `searches` are then the nearest alternatives. */
  notSold: z.string().nullable(),
  /** The URLs of the shop's pages that answer it. */
  help: z.array(z.string()),
  /** How many products it finds in all; at most 1,000. */
  total: z.int(),
  /** Whether there are more. */
  isMore: z.boolean(),
});

/** The filters of a list by name; `search` is the search. */
export const FilterName = z.enum(['search', ...FILTER_NAMES]);

const FacetValues = z.array(z.object({ value: z.string(), count: z.int() }));
const FACET_VALUES = Object.fromEntries(filtersOfKind('values').map((name) => [name, FacetValues])) as Record<
  ValueName,
  typeof FacetValues
>;
const Extent = z.object({ min: z.int(), max: z.int() }).nullable();
const EXTENTS = Object.fromEntries(filtersOfKind('length').map((name) => [name, Extent])) as Record<LengthName, typeof Extent>;

/**
 * The number of products for each value of each filter, given the other filters. Values with the most products are first and those with none last, but
 * seats are sorted by their number, and upholstery is before other materials. Each filter has at most a hundred values, besides the chosen ones. Counts of a
 * long list are estimates: 0 may mean a few.
 */
export const Facets = z.object({
  total: z.int(),
  isEstimate: z.boolean(),
  ...FACET_VALUES,
  /** By minimum rating. */
  ratings: FacetValues,
  /** By the parameters of the filters that are on or off. */
  flags: FacetValues,
  /** The smallest and largest outer dimensions that the catalogue has, in centimetres. */
  sizes: z.object(EXTENTS),
});

/** `words`: a CSV to read, with a row for each size. `fields`: the columns of the form, with lists as JSON. */
export const ExportProductsQuery = z.object({ columns: oneOf(['fields', 'words']) });

/** The back office's list of products. */
export const ListOfficeProductsQuery = ListProductsQuery.extend({
  sortBy: oneOf(['newest', 'name', 'ascprice', 'descprice', 'rating', 'stock']),
  /** Low in stock, or sold out. */
  stockQuery: oneOf(['', 'low', 'out']),
  /** All but the deleted ones, or those in one state; deleted ones of the last 30 days. */
  stateQuery: oneOf(['', ...PRODUCT_STATES, 'deleted']),
});

/** The ids of the compared products, joined by commas. Order and duplicates do not matter. */
export const CompareProductsQuery = z.object({
  ids: z.preprocess(
    textsBetweenCommas,
    z.array(Id).min(1, 'Choose the products to compare.').max(MAX_COMPARED, `At most ${MAX_COMPARED} products can be compared.`),
  ),
});

export const ProductList = z.object({
  products: z.array(ProductCard),
  ...paging,
  /** There are more than the `total` of 1,000, at which the list ends. */
  isMore: z.boolean(),
  /** A corrected spelling of a search without results. */
  suggestion: z.string().nullable(),
  /** No product matches the whole search; these match most of it. */
  isPartial: z.boolean(),
  /** The words of the search that are left out. */
  leftOut: z.array(z.string()),
  /** If a price is left out: the nearest one of these products, in pence. */
  nearestPrice: z.int().nullable(),
  /** The filters and the sort that words of the search ask for, as the list's parameters. Parameters of the request take precedence. */
  asks: z.partialRecord(z.enum([...FILTER_QUERY_NAMES, 'sortBy']), z.string()),
  /** The search without the words of `asks`. */
  plainSearch: z.string(),
  /** The search asks for reduced products, but none that it finds is reduced. */
  isNothingReduced: z.boolean(),
  /** The kind of piece in the search that is not sold here: the products are the nearest to it. */
  notSold: z.string().nullable(),
  /** If no product is like that kind: searches for alternatives, each of which finds something. */
  nearest: z.array(z.string()),
  /** The URLs of the shop's pages that answer the search. */
  help: z.array(z.string()),
  /** If filters leave nothing: the number of products without each of them, up to a thousand; `isMore` if there are more. */
  without: z.array(z.object({ filter: FilterName, total: z.int(), isMore: z.boolean() })),
});

/** What a row of pieces shows of a product. */
export const LinkedPiece = ProductCard.pick({
  _id: true,
  name: true,
  images: true,
  rating: true,
  reviewCount: true,
  fromPrice: true,
  toPrice: true,
  wasPrice: true,
});

export const Related = z.object({
  /**
   * Those that the shop picked, then products of other categories with the same range, brand, room or materials, the best first; all in stock. Each has its first
   * picture only.
   */
  goesWith: z.array(LinkedPiece),
  /** Alternatives of the same category that are in stock; empty if the product itself is. For a deleted product, also pieces that are sold out. */
  instead: z.array(LinkedPiece),
  /** Whether the product was deleted. */
  isGone: z.boolean(),
  /** The product that a deleted product's URL redirects to. */
  successor: z.string().nullable(),
  /** The rooms in which it stands with other pieces. */
  rooms: z.array(Room),
});

export const OfficeProductList = z.object({ products: z.array(OfficeCard), ...paging });
