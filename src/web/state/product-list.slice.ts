import { createSlice } from '@reduxjs/toolkit';
import { messageOf } from '#contract/base/problem.ts';
import { type ListProductsInput, listNewArrivals, listProducts, type ProductCard, type ProductList } from '#contract/catalogue.ts';
import { thunk } from './thunk.ts';

/** Loads one page of products (specification §4, product list). */
export const loadProducts = thunk('productList/load', (call, query: ListProductsInput) => call(listProducts, { query }));

/** Loads what is new; a failure is only logged and leaves the list empty (specification §8). The server keeps its own log. */
export const loadNewArrivals = thunk('productList/newArrivals', (call) =>
  call(listNewArrivals, {}).catch((error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: the specification wants it in the console.
    if (!import.meta.env.SSR) console.warn('New arrivals failed:', messageOf(error));
    throw error;
  }),
);

export interface ProductListState extends ProductList {
  pending: boolean;
  error: boolean;
  errorMessage: string;
  /** What the screen goes on showing until the new list is there. */
  previous: ProductList | null;
  newArrivals: ProductCard[];
}

const calm = { pending: false, error: false, errorMessage: '', previous: null };
const empty: ProductList = { products: [], page: 1, pages: 1, total: 0, isEstimate: false, suggestion: null, isPartial: false, chips: [] };

export const productListSlice = createSlice({
  name: 'productList',
  initialState: { ...empty, ...calm, newArrivals: [] } as ProductListState,
  reducers: {},
  extraReducers: (builder) =>
    builder
      .addCase(loadProducts.pending, (state) => {
        const { pending, error, errorMessage, previous, newArrivals, ...list } = state;
        return { ...empty, ...calm, pending: true, previous: pending || error ? previous : list, newArrivals };
      })
      .addCase(loadProducts.fulfilled, ({ newArrivals }, { payload }) => ({ ...payload, ...calm, newArrivals }))
      .addCase(loadProducts.rejected, (state, { error }) => {
        state.pending = false;
        state.error = true;
        state.errorMessage = error.message;
        state.previous = null;
      })
      .addCase(loadNewArrivals.fulfilled, (state, { payload }) => {
        state.newArrivals = payload;
      })
      .addCase(loadNewArrivals.rejected, (state) => {
        state.newArrivals = [];
      }),
  selectors: {
    selectProductList: (state) => state,
    selectNewArrivals: (state) => state.newArrivals,
    /** The list to show: while a new one is on its way, the one before it. */
    selectShownList: (state): ProductList => (state.pending && state.previous ? state.previous : state),
  },
});

export const { selectProductList, selectNewArrivals, selectShownList } = productListSlice.selectors;

/** A list's parameters, as `listParametersOf` reads them, by the names that the API gives them (specification §7). */
export function listQueryOf(search: URLSearchParams): ListProductsInput {
  return {
    search: search.get('search') ?? '',
    pageNumber: search.get('currPage') ?? '',
    sortBy: search.get('sortBy') ?? '',
    inStockQuery: search.get('inStock') ?? '',
    categoryQuery: search.get('query') ?? search.get('category') ?? '',
    brandQuery: search.get('brand') ?? '',
    minPriceQuery: search.get('minPrice') ?? '',
    maxPriceQuery: search.get('maxPrice') ?? '',
    subCategoryQuery: '',
  };
}
