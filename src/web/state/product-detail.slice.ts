import { createSlice } from '@reduxjs/toolkit';
import type { Product, Related } from '#contract/catalogue/catalogue.ts';
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

export interface ProductDetailState {
  /** The product that the page asked for last: a late answer for another one is dropped. */
  id: string;
  product: Product | null;
  pending: boolean;
  error: boolean;
  errorMessage: string;
  /** The HTTP status for the server's page: the API's, or 503 if it could not be reached; 0 without a failure. */
  errorStatus: number;
  /** The page of reviews that was loaded last; null before. */
  reviews: ReviewList | null;
  /** The URL query that asked for them. */
  reviewsFor: string;
  /** Also of a deleted product: its successor, or pieces to show instead. */
  related: Related | null;
  /** Null until loaded, and after a failure. */
  delivery: Delivery | null;
}

const initialState: ProductDetailState = {
  id: '',
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

/** Whether an answer is for the product that the page asked for last; a URL may have its id in capitals. */
const isFor = ({ id }: ProductDetailState, asked: string): boolean => asked.toLowerCase() === id.toLowerCase();

export const productDetailSlice = createSlice({
  name: 'productDetail',
  initialState,
  reducers: {},
  extraReducers: (builder) =>
    builder
      // The usual delivery dates are the same for every product.
      .addCase(loadProduct.pending, ({ delivery }, { meta }) => ({ ...initialState, id: meta.arg, delivery, pending: true }))
      .addCase(loadProduct.fulfilled, (state, { payload, meta }) => {
        if (!isFor(state, meta.arg)) return;
        state.product = payload;
        state.pending = false;
      })
      .addCase(loadProduct.rejected, (state, { error, meta }) => {
        if (!isFor(state, meta.arg)) return;
        state.pending = false;
        state.error = true;
        state.errorMessage = error.message;
        state.errorStatus = error.status;
      })
      .addCase(loadReviews.fulfilled, (state, { payload, meta }) => {
        if (!isFor(state, meta.arg.id)) return;
        state.reviews = payload;
        state.reviewsFor = meta.arg.search;
      })
      .addCase(loadRelated.fulfilled, (state, { payload, meta }) => {
        if (isFor(state, meta.arg)) state.related = payload;
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
