import { createSlice } from '@reduxjs/toolkit';
import type { Product, ProductCard, Related } from '#contract/catalogue/catalogue.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import type { ReviewList } from '#contract/reviews/reviews.ts';
import { thunk } from './thunk.ts';

export const loadProduct = thunk('productDetail/load', (call, id: string) => call('GET /api/products/:id', { params: { id } }));

/** Loads the page of reviews that a URL asks for (`contract/reviews/review-parameters`). */
export const loadReviews = thunk('productDetail/reviews', (call, { id, search }: { id: string; search: string }) => {
  const asked = new URLSearchParams(search);
  const [pageNumber, sortBy] = ['reviewPage', 'reviewSort'].map((name) => asked.get(name) ?? undefined);
  return call('GET /api/products/:id/reviews', { params: { id }, query: { pageNumber, sortBy } });
});

/** Loads matching pieces and alternatives. */
export const loadRelated = thunk('productDetail/related', (call, id: string) => call('GET /api/products/:id/related', { params: { id } }));

/** Loads the delivery dates of an order placed now, for a postcode and for products; both may be empty. */
export const loadDelivery = thunk('productDetail/delivery', (call, { postcode, products }: { postcode: string; products: string }) =>
  call('GET /api/delivery', { query: { ...(postcode && { postcode }), ...(products && { products }) } }),
);

/** What a row of pieces shows of a product. */
export type LinkedPiece = Pick<ProductCard, '_id' | 'name' | 'images' | 'rating' | 'reviewCount' | 'fromPrice' | 'toPrice' | 'wasPrice'>;

interface RelatedPieces extends Omit<Related, 'goesWith' | 'instead'> {
  goesWith: LinkedPiece[];
  instead: LinkedPiece[];
}

export interface ProductDetailState {
  product: Product | null;
  pending: boolean;
  error: boolean;
  errorMessage: string;
  /** The HTTP status for the server's page; 0 without a failure. */
  errorStatus: number;
  /** A page of reviews; null until loaded, or after a failure. */
  reviews: ReviewList | null;
  /** The URL query that asked for them. */
  reviewsFor: string;
  /** Null until loaded, or after a failure. */
  related: RelatedPieces | null;
  /** Null until loaded, or after a failure. */
  delivery: Delivery | null;
}

const initialState: ProductDetailState = {
  product: null,
  pending: false,
  error: false,
  errorMessage: '',
  errorStatus: 0,
  reviews: null,
  reviewsFor: '',
  related: null,
  delivery: null,
};

export const productDetailSlice = createSlice({
  name: 'productDetail',
  initialState,
  reducers: {},
  extraReducers: (builder) =>
    builder
      .addCase(loadProduct.pending, ({ delivery }) => ({ ...initialState, delivery, pending: true }))
      .addCase(loadProduct.fulfilled, ({ reviews, reviewsFor, related, delivery }, { payload }) => ({
        ...initialState,
        reviews,
        reviewsFor,
        related,
        delivery,
        product: payload,
      }))
      .addCase(loadProduct.rejected, ({ delivery, related }, { error }) => ({
        ...initialState,
        delivery,
        related,
        error: true,
        errorMessage: error.message,
        errorStatus: error.status,
      }))
      .addCase(loadReviews.fulfilled, (state, { payload, meta }) => {
        state.reviews = payload;
        state.reviewsFor = meta.arg.search;
      })
      .addCase(loadRelated.fulfilled, (state, { payload }) => {
        state.related = payload;
      })
      .addCase(loadDelivery.fulfilled, (state, { payload }) => {
        state.delivery = payload;
      })
      .addCase(loadDelivery.rejected, (state) => {
        state.delivery = null;
      }),
  selectors: { selectProductDetail: (state) => state },
});

export const { selectProductDetail } = productDetailSlice.selectors;
