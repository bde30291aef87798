import { createSlice } from '@reduxjs/toolkit';
import { type Product, readProduct } from '#contract/catalogue.ts';
import { thunk } from './thunk.ts';

/** Loads one product. */
export const loadProduct = thunk('productDetail/load', (call, id: string) => call(readProduct, { params: { id } }));

export interface ProductDetailState {
  product: Product | null;
  pending: boolean;
  error: boolean;
  errorMessage: string;
  /** The failure's HTTP status, so that the server's page carries it too; 0 without a failure. */
  errorStatus: number;
}

const initialState: ProductDetailState = { product: null, pending: false, error: false, errorMessage: '', errorStatus: 0 };

export const productDetailSlice = createSlice({
  name: 'productDetail',
  initialState,
  reducers: {},
  extraReducers: (builder) =>
    builder
      .addCase(loadProduct.pending, () => ({ ...initialState, pending: true }))
      .addCase(loadProduct.fulfilled, (_, { payload }) => ({ ...initialState, product: payload }))
      .addCase(loadProduct.rejected, (_, { error }) => ({
        ...initialState,
        error: true,
        errorMessage: error.message,
        errorStatus: error.status,
      })),
  selectors: { selectProductDetail: (state) => state },
});

export const { selectProductDetail } = productDetailSlice.selectors;
