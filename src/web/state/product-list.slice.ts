import { createSlice } from '@reduxjs/toolkit';
import {
  type CategoryHead,
  type Facets,
  type ListProductsInput,
  NO_NOTES,
  type ProductCard,
  type ProductList,
  type Room,
} from '#contract/catalogue/catalogue.ts';
import { messageOf } from '#contract/platform/problem.ts';
import { thunk } from './thunk.ts';

interface AskedList extends ListProductsInput {
  /** The one category that the list is of. */
  category?: string;
  /** Loads the category's head and rooms too; a failure leaves them out. */
  withHead?: boolean;
}

/** Loads a list, together with its category's head and rooms: a head that came later would move the list. */
export const loadProducts = thunk('productList/load', async (call, { category = '', withHead = false, ...query }: AskedList) => {
  const head = withHead && call('GET /api/products/category', { query: { name: category } }).catch(() => null);
  const list = await call('GET /api/products', { query });
  return { list: { ...list, category, search: query.search ?? '' }, head: await head };
});

/** Loads the filters' counts; a failure keeps the old ones. */
export const loadFacets = thunk('productList/facets', (call, query: ListProductsInput) => call('GET /api/products/facets', { query }));

/** Loads new arrivals. A failure is logged and empties the list (specification §8). */
export const loadNewArrivals = thunk('productList/newArrivals', (call) =>
  call('GET /api/products/newarrivals', {}).catch((error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: the specification wants it in the console.
    if (!import.meta.env.SSR) console.warn('New arrivals failed:', messageOf(error));
    throw error;
  }),
);

/** Loads the rooms to shop; optional. */
export const loadRooms = thunk('productList/rooms', (call) => call('GET /api/products/rooms', { query: {} }));

/** A product list, and the search and the one category that it is of. */
export interface ShownList extends ProductList {
  search: string;
  category: string;
}

export interface ProductListState extends ShownList {
  pending: boolean;
  error: boolean;
  errorMessage: string;
  /** The list shown until the new one is loaded. */
  previous: ShownList | null;
  newArrivals: ProductCard[];
  /** Distinguishes a failure from an empty list. */
  haveNewArrivalsFailed: boolean;
  rooms: Room[];
  /** The category's text, picture, subcategories and rooms, once loaded. */
  head: (CategoryHead & { category: string }) | null;
  /** Null until loaded. */
  facets: Facets | null;
  /** Ids of the latest requests: answers to older ones are ignored. */
  asked: { list: string; facets: string };
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const calm = { pending: false, error: false, errorMessage: '', previous: null };
const empty: ShownList = { ...NO_NOTES, products: [], page: 1, pages: 1, total: 0, isMore: false, search: '', category: '' };

export const productListSlice = createSlice({
  name: 'productList',
  initialState: {
    ...empty,
    ...calm,
    newArrivals: [],
    haveNewArrivalsFailed: false,
    rooms: [],
    head: null,
    facets: null,
    asked: { list: '', facets: '' },
  } as ProductListState,
  reducers: {},
  extraReducers: (builder) =>
    builder
      .addCase(loadProducts.pending, (state, { meta }) => {
        const { pending, error, errorMessage, previous, newArrivals, haveNewArrivalsFailed, rooms, head, facets, asked, ...list } = state;
        const kept = { newArrivals, haveNewArrivalsFailed, rooms, head, facets, asked: { ...asked, list: meta.requestId } };
        return { ...empty, ...calm, ...kept, pending: true, previous: pending || error ? previous : list };
      })
      .addCase(loadProducts.fulfilled, (state, { payload, meta }) => {
        if (state.asked.list !== meta.requestId) return;
        const { list, head } = payload;
        Object.assign(state, list, calm);
        if (head) state.head = { ...head, category: list.category };
        state.asked.list = '';
      })
      .addCase(loadProducts.rejected, (state, { error, meta }) => {
        if (state.asked.list !== meta.requestId) return;
        state.asked.list = '';
        state.pending = false;
        state.error = true;
        state.errorMessage = error.message;
        state.previous = null;
      })
      .addCase(loadFacets.pending, ({ asked }, { meta }) => {
        asked.facets = meta.requestId;
      })
      .addCase(loadFacets.fulfilled, (state, { payload, meta }) => {
        if (state.asked.facets !== meta.requestId) return;
        state.asked.facets = '';
        state.facets = payload;
      })
      .addCase(loadFacets.rejected, ({ asked }, { meta }) => {
        if (asked.facets === meta.requestId) asked.facets = '';
      })
      .addCase(loadNewArrivals.fulfilled, (state, { payload }) => {
        state.newArrivals = payload;
        state.haveNewArrivalsFailed = false;
      })
      .addCase(loadNewArrivals.rejected, (state) => {
        state.newArrivals = [];
        state.haveNewArrivalsFailed = true;
      })
      .addCase(loadRooms.fulfilled, (state, { payload }) => {
        state.rooms = payload;
      }),
  selectors: {
    selectProductList: (state) => state,
    selectNewArrivals: (state) => state.newArrivals,
    selectHaveNewArrivalsFailed: (state) => state.haveNewArrivalsFailed,
    selectRooms: (state) => state.rooms,
    /** The category's head and rooms, if they are loaded. */
    selectHead: ({ head }, category: string) => (head && isSame(head.category, category) ? head : null),
    selectFacets: (state) => state.facets,
    /** The previous list while a new one loads. */
    selectShownList: (state): ShownList => (state.pending && state.previous ? state.previous : state),
  },
});

export const { selectProductList, selectNewArrivals, selectHaveNewArrivalsFailed, selectRooms, selectHead, selectFacets, selectShownList } =
  productListSlice.selectors;
