import { createSlice } from '@reduxjs/toolkit';
import type { Product, Related } from '#contract/catalogue/catalogue.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import type { ReviewList } from '#contract/reviews/reviews.ts';
import { thunk } from './thunk.ts';

/** Loads one product. */
export const loadProduct = thunk('productDetail/load', (call, id: string) => call('GET /api/products/:id', { params: { id } }));

/** Loads the page of a product's reviews that an address asks for (`contract/products/review-parameters`). */
export const loadReviews = thunk('productDetail/reviews', (call, { id, search }: { id: string; search: string }) => {
  const asked = new URLSearchParams(search);
  const [pageNumber, sortBy] = ['reviewPage', 'reviewSort'].map((name) => asked.get(name) ?? undefined);
  return call('GET /api/products/:id/reviews', { params: { id }, query: { pageNumber, sortBy } });
});

/** Loads what goes with a product, and what to take instead of it. */
export const loadRelated = thunk('productDetail/related', (call, id: string) => call('GET /api/products/:id/related', { params: { id } }));

/** Loads when an order placed now would arrive. */
export const loadDelivery = thunk('productDetail/delivery', (call) => call('GET /api/delivery', {}));

export interface ProductDetailState {
  product: Product | null;
  pending: boolean;
  error: boolean;
  errorMessage: string;
  /** The failure's HTTP status, so that the server's page carries it too; 0 without a failure. */
  errorStatus: number;
  /** A page of its reviews; null until they are loaded, and where they cannot be. */
  reviews: ReviewList | null;
  /** The query of the address that asked for it. */
  reviewsFor: string;
  /** What goes with it, and what to take instead of it; null in the same cases. */
  related: Related | null;
  /** When an order placed now would arrive; null while the server has not told. */
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
      .addCase(loadProduct.rejected, ({ delivery }, { error }) => ({
        ...initialState,
        delivery,
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
