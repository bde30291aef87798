import type { z } from 'zod';
import type * as schema from './stock.schema.ts';

export type Movement = z.infer<typeof schema.Movement>;
export type Movements = z.infer<typeof schema.Movements>;
export type StockedProduct = z.infer<typeof schema.StockedProduct>;
export type StockList = z.infer<typeof schema.StockList>;
export type StockQuery = z.infer<typeof schema.StockQuery>;
export type CountBody = z.infer<typeof schema.CountBody>;
export type CountLine = z.infer<typeof schema.CountLine>;
export type CountForm = z.infer<typeof schema.CountForm>;
export type CountReport = z.infer<typeof schema.CountReport>;
export type Counted = z.infer<typeof schema.Counted>;

/** The columns of the count sheet's CSV. */
export const SHEET_COLUMNS = [
  'Product ID',
  'Product',
  'Category',
  'Size',
  'For sale',
  'Set aside',
  'Should be there',
  'Counted',
  'Reason',
  'Sheet',
] as const;
