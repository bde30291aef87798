import type { z } from 'zod';
import { type Download, endpoint, formEndpoint } from '#contract/platform/endpoint.ts';
import type * as imports from '#contract/platform/import.schema.ts';
import type { Change, Done } from '#contract/platform/lists.schema.ts';
import type * as schema from './catalogue.schema.ts';
import type * as form from './product-form.schema.ts';

export type Measurement = z.infer<typeof form.Measurement>;
export type Size = z.infer<typeof form.Size>;
export type Colour = z.infer<typeof form.Colour>;
export type ProductCard = z.infer<typeof schema.ProductCard>;
export type Product = z.infer<typeof schema.Product>;
export type Facets = z.infer<typeof schema.Facets>;
export type Suggestions = z.infer<typeof schema.Suggestions>;
export type RoomPiece = z.infer<typeof schema.RoomPiece>;
export type Related = z.infer<typeof schema.Related>;
export type FilterName = z.infer<typeof schema.FilterName>;
export type ProductList = z.infer<typeof schema.ProductList>;
/** The list's parameters as parsed; `ListProductsInput` is what a caller may leave out. */
export type ListProductsQuery = z.infer<typeof schema.ListProductsQuery>;
export type ListOfficeProductsQuery = z.infer<typeof schema.ListOfficeProductsQuery>;
export type SortBy = ListProductsQuery['sortBy'] | ListOfficeProductsQuery['sortBy'];
export type OfficeProductList = z.infer<typeof schema.OfficeProductList>;
export type ProductFields = z.infer<typeof form.ProductFields>;
export type NewProductForm = z.infer<typeof form.NewProductForm>;
export type ImportForm = z.infer<typeof imports.ImportForm>;
export type ImportReport = z.infer<typeof imports.ImportReport>;
export type EditedProductForm = z.infer<typeof form.EditedProductForm>;

/** The list's parameters by the names that the API gives them (specification §7). */
export type ListProductsInput = Partial<Record<keyof ListProductsQuery, string | number | undefined>>;

/** The largest number of pictures a product may have. */
export const MAX_PICTURES = 12;
/** The largest file that becomes a picture. */
export const MAX_PICTURE_MB = 10;
/** The largest GLB that a product may have; shoppers load it on phones. */
export const MAX_MODEL_MB = 5;
/** The most pieces left that are called "only n left". */
export const LOW_STOCK = 5;

export const listProducts = endpoint<{ query: ListProductsInput }, ProductList>('GET', '/api/products');
/** Counts for the filters of a list; takes the list's parameters. */
export const readFacets = endpoint<{ query: ListProductsInput }, Facets>('GET', '/api/products/facets');
/** What a search that is being typed may mean. */
export const suggest = endpoint<{ query: { search?: string | undefined } }, Suggestions>('GET', '/api/products/suggestions');
export const listNewArrivals = endpoint<Record<never, never>, ProductCard[]>('GET', '/api/products/newarrivals');
/** The pieces in the home page's room that the shop sells, in the order in which the eye finds them. */
export const readRoom = endpoint<Record<never, never>, RoomPiece[]>('GET', '/api/products/room');
/** Up to four products to be compared, in the order of their ids; those that are gone are left out. */
export const compareProducts = endpoint<{ query: { ids: string } }, Product[]>('GET', '/api/products/compare');
export const readProduct = endpoint<{ params: { id: string } }, Product>('GET', '/api/products/:id');
export const createProduct = formEndpoint<{ body: unknown }, Product>('POST', '/api/products');
export const editProduct = formEndpoint<{ params: { id: string }; body: unknown }, Product>('PUT', '/api/products/:id');
export const deleteProduct = endpoint<{ params: { id: string } }, Done>('DELETE', '/api/products/:id');

/** The list as the back office shows it, with sorts and a filter of its own (administrators). */
export const listOfficeProducts = endpoint<
  { query: Partial<Record<keyof ListOfficeProductsQuery, string | number | undefined>> },
  OfficeProductList
>('GET', '/api/office/products');

/** Who changed a product, for administrators. */
export const listProductChanges = endpoint<{ params: { id: string } }, Change[]>('GET', '/api/products/:id/changes');

/** Asks, by mail, whether the owner of an address wants to hear when a sold-out product is back. The answer is the same for every address. */
export const requestAlert = endpoint<{ params: { id: string }; body: { email: string; consent: boolean } }, Done>(
  'POST',
  '/api/products/:id/alerts',
);
export const confirmAlert = endpoint<{ body: { token: string } }, Done>('POST', '/api/alerts/confirm');
export const stopAlert = endpoint<{ body: { token: string } }, Done>('POST', '/api/alerts/stop');
/** What goes with a product, and what to take instead where it is sold out. */
export const readRelated = endpoint<{ params: { id: string } }, Related>('GET', '/api/products/:id/related');

/** All products as CSV (administrators). */
export const exportProducts = endpoint<Record<never, never>, Download>('GET', '/api/products/export');
/** Checks a CSV of products, and writes it once its fingerprint is sent with it (administrators). */
export const importProducts = formEndpoint<{ body: unknown }, ImportReport>('POST', '/api/products/import');

interface Stock {
  countInStock: number;
  sizes: readonly Pick<Size, 'size' | 'quantity'>[];
}

/** Pieces of a product that can be sold: those of its sizes, where it has any, and never more than there are of it. It is in stock while there are any. */
export function piecesLeft({ countInStock, sizes }: Stock): number {
  const ofSizes = sizes.reduce((sum, { quantity }) => sum + quantity, 0);
  return sizes.length > 0 ? Math.min(countInStock, ofSizes) : countInStock;
}

/** Pieces that can be sold of one size, or of a product without sizes. */
export function piecesOfSize({ countInStock, sizes }: Stock, size: string | null | undefined): number {
  return Math.min(countInStock, sizes.find((entry) => entry.size === size)?.quantity ?? countInStock);
}

/** The price of one piece: the chosen size's when it is not 0, else the product's (specification §5). */
export function priceOf(product: { price: number; sizes: readonly Pick<Size, 'size' | 'price'>[] }, size: string | undefined): number {
  return product.sizes.find((entry) => entry.size === size)?.price || product.price;
}
