import { z } from 'zod';
import { Id, optionalText, PageNumber, paging } from './lists.schema.ts';

const amount = (what: string) =>
  z.coerce
    .number<unknown>(`${what} must be a number.`)
    .int(`${what} must be a whole number.`)
    .min(0, `${what} cannot be below 0.`)
    .max(100_000_000, `${what} is too large.`);
const text = (what: string, max: number) =>
  z.string(`${what} is required.`).trim().min(1, `${what} is required.`).max(max, `${what} is too long.`);

export const Measurement = z.object({
  name: text('Measurement name', 60),
  value: z.coerce.string().trim().min(1, 'Measurement value is required.').max(30),
});

export const Size = z.object({
  size: text('Size', 60),
  quantity: amount('Quantity'),
  price: amount('Size price'),
  measurements: z.array(Measurement).max(30).default([]),
});

export const Colour = z.object({ colorName: text('Colour', 60), hexCode: text('Colour', 60) });

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
});

export const Product = ProductCard.extend({
  description: z.string(),
  fit: z.string(),
  sizes: z.array(Size),
  measurements: z.array(Measurement),
  colors: z.array(Colour),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Grows with every edit; an edit that names an older one is refused. */
  version: z.int(),
});

export const ListProductsQuery = z.object({
  search: optionalText,
  pageNumber: PageNumber,
  /** Rows a page: the shop's 12 unless the back office asks for its 10. */
  pageSize: z.preprocess((value) => (Number(value) === 10 ? 10 : 12), z.union([z.literal(10), z.literal(12)])),
  sortBy: z.preprocess(
    (value) => String(value ?? '').toLowerCase(),
    z.enum(['bestmatch', 'ascprice', 'descprice', 'rating', 'newest', 'name', 'stock']).catch('bestmatch'),
  ),
  inStockQuery: optionalText,
  categoryQuery: optionalText,
  brandQuery: optionalText,
  minPriceQuery: optionalText,
  maxPriceQuery: optionalText,
  subCategoryQuery: optionalText,
  /** For the back office: what is nearly, or quite, sold out. */
  stockQuery: z.preprocess((value) => String(value ?? ''), z.enum(['low', 'out', '']).catch('')),
});

export const ProductList = z.object({
  products: z.array(ProductCard),
  ...paging,
  /** The nearest spelling of a search that found nothing. */
  suggestion: z.string().nullable(),
});

/** Fields of the product form once its multipart body has been read; `images` keeps the order of the parts. */
export const ProductForm = z.object({
  name: text('Name', 200),
  description: text('Description', 10_000),
  category: text('Category', 60),
  subCategory: z.string().trim().max(60).default(''),
  brand: text('Brand', 60),
  price: amount('Price'),
  countInStock: amount('Count in stock'),
  newArrivals: z.stringbool('New arrivals must be true or false.').default(false),
  isRecommend: z.stringbool('Recommend must be true or false.').default(false),
  sizes: z.array(Size).max(50),
});

export const NewProductForm = ProductForm.extend({
  fit: text('Fit', 60),
  sizes: z.array(Size).max(50).default([]),
  colors: z.array(Colour).max(50).default([]),
});

export const EditedProductForm = ProductForm.extend({
  subCategory: text('Subcategory', 60),
  sizes: z.array(Size).max(50).optional(),
  measurements: z.array(Measurement).max(30).optional(),
  /** The version that the form was filled from; a stale one is refused with 409. */
  version: z.coerce.number<unknown>().int().optional(),
});

export const ProductParams = z.object({ id: Id });

/** What an import of products would do, or did. Rows count as in a spreadsheet: the head is row 1. */
export const ImportReport = z.object({
  isDone: z.boolean(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  changes: z.array(z.object({ row: z.int(), name: z.string(), change: z.string() })),
  errors: z.array(z.object({ row: z.int(), column: z.string(), message: z.string() })),
  /** Names exactly these changes: sent back to carry them out, refused when the catalogue has become another. */
  fingerprint: z.string(),
});
/** Multipart: `file` is the CSV; without `fingerprint` it is only checked. */
export const ImportForm = z.object({
  file: z.string('Choose a CSV file.').min(1, 'The file is empty.'),
  fingerprint: z.string().optional(),
});
