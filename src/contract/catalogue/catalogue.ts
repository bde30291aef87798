import type { z } from 'zod';
import type * as imports from '#contract/catalogue/import.schema.ts';
import type * as schema from './catalogue.schema.ts';
import type * as form from './product-form.schema.ts';

export type Measurement = z.infer<typeof form.Measurement>;
export type Size = z.infer<typeof form.Size>;
export type Colour = z.infer<typeof form.Colour>;
export type ProductCard = z.infer<typeof schema.ProductCard>;
export type Product = z.infer<typeof schema.Product>;
export type OfficeProduct = z.infer<typeof schema.OfficeProduct>;
export type Successor = z.infer<typeof schema.Successor>;
export type OfficeCard = z.infer<typeof schema.OfficeCard>;
export type Facets = z.infer<typeof schema.Facets>;
export type Suggestions = z.infer<typeof schema.Suggestions>;
export type Piece = z.infer<typeof schema.Piece>;
export type Room = z.infer<typeof schema.Room>;
export type RoomPiece = Room['pieces'][number];
export type CategoryHead = z.infer<typeof schema.CategoryHead>;
export type LinkedPiece = z.infer<typeof schema.LinkedPiece>;
export type Related = z.infer<typeof schema.Related>;
export type FilterName = z.infer<typeof schema.FilterName>;
export type ProductList = z.infer<typeof schema.ProductList>;
/** The list's parameters as parsed. */
export type ListProductsQuery = z.infer<typeof schema.ListProductsQuery>;
export type ListOfficeProductsQuery = z.infer<typeof schema.ListOfficeProductsQuery>;
export type SortBy = ListProductsQuery['sortBy'] | ListOfficeProductsQuery['sortBy'];
export type OfficeProductList = z.infer<typeof schema.OfficeProductList>;
export type ProductFields = z.infer<typeof form.ProductFields>;
export type NewProductForm = z.infer<typeof form.NewProductForm>;
export type ImportForm = z.infer<typeof imports.ImportForm>;
export type ImportReport = z.infer<typeof imports.ImportReport>;
export type EditedProductForm = z.infer<typeof form.EditedProductForm>;
export type QuickEditBody = z.infer<typeof form.QuickEditBody>;

/** What a list says beside its products. */
export type ListNotes = Omit<ProductList, 'products' | 'page' | 'pages' | 'total' | 'isMore'>;

/** The notes of a list without a search and without filters. */
export const NO_NOTES: ListNotes = {
  suggestion: null,
  isPartial: false,
  leftOut: [],
  nearestPrice: null,
  asks: {},
  plainSearch: '',
  isNothingReduced: false,
  notSold: null,
  nearest: [],
  help: [],
  without: [],
};

/** The list's parameters as callers pass them (specification §7). */
export type ListProductsInput = Partial<Record<keyof ListProductsQuery, string | number | undefined>>;

/** How long a deleted product can be brought back. */
export const BRING_BACK_DAYS = 30;
/** The largest number of pictures a product may have. */
export const MAX_PICTURES = 12;
/** The largest file that becomes a picture. */
export const MAX_PICTURE_MB = 10;
/** The largest GLB that a product may have; shoppers load it on phones. */
export const MAX_MODEL_MB = 5;
/** The most pieces that are shown as "only n left". */
export const LOW_STOCK = 5;

interface Stock {
  countInStock: number;
  sizes: readonly Pick<Size, 'size' | 'quantity'>[];
}

/** Pieces of a product that can be sold. If it has sizes, that is their sum, but at most its own count. */
export function piecesLeft({ countInStock, sizes }: Stock): number {
  const ofSizes = sizes.reduce((sum, { quantity }) => sum + quantity, 0);
  return sizes.length > 0 ? Math.min(countInStock, ofSizes) : countInStock;
}

/** Pieces that can be sold of one size, or of a product without sizes. */
export function stockOfSize({ countInStock, sizes }: Stock, size: string | null | undefined): number {
  return Math.min(countInStock, sizes.find((entry) => entry.size === size)?.quantity ?? countInStock);
}

/** The size that is chosen when a product's page opens: the first in stock, else the first. */
export function defaultSizeOf(product: Stock): string | undefined {
  const inStock = product.sizes.find(({ size }) => stockOfSize(product, size) > 0);
  return (inStock ?? product.sizes[0])?.size;
}

/** The price of one piece: the chosen size's when it is not 0, else the product's (specification §5). */
export function priceOf(product: { price: number; sizes: readonly Pick<Size, 'size' | 'price'>[] }, size: string | undefined): number {
  return product.sizes.find((entry) => entry.size === size)?.price || product.price;
}

/** The price of one piece before the current sale; null if it must not be shown (decision 120). */
export function wasPriceOf(
  product: { wasPrice: number | null; sizes: readonly { size: string; wasPrice?: number | null | undefined }[] },
  size: string | undefined,
): number | null {
  const chosen = product.sizes.find((entry) => entry.size === size);
  return chosen ? (chosen.wasPrice ?? null) : product.wasPrice;
}
