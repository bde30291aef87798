import type { z } from 'zod';
import type * as schema from './reports.schema.ts';

export type Report = z.infer<typeof schema.Report>;
export type Figures = z.infer<typeof schema.Figures>;
export type ReportRow = z.infer<typeof schema.ReportRow>;

/** What the sales of a period are broken down by: the table's title, its first column, and what its counts are of. */
export const BREAKDOWNS = {
  product: { title: 'Products', column: 'Product', counts: 'Pieces', hasMargin: true },
  category: { title: 'Categories', column: 'Category', counts: 'Pieces', hasMargin: true },
  brand: { title: 'Brands', column: 'Brand', counts: 'Pieces', hasMargin: true },
  area: { title: 'Postcode areas', column: 'Postcode area', counts: 'Orders', hasMargin: false },
  promotion: { title: 'Codes and promotions', column: 'Promotion', counts: 'Uses', hasMargin: false },
  return: { title: 'Returns by reason', column: 'Reason', counts: 'Returns', hasMargin: false },
} as const;

export type Breakdown = keyof typeof BREAKDOWNS;
export const BREAKDOWN_NAMES = Object.keys(BREAKDOWNS) as [Breakdown, ...Breakdown[]];
/** The tables of goods. Their sums are without delivery, and refunds without pieces are not taken off. */
export const GOODS = BREAKDOWN_NAMES.filter((name) => BREAKDOWNS[name].hasMargin);
export const OTHER_MONEY = 'Delivery, less refunds without pieces';

/** Rows of a table on the screen; the CSV has all. */
export const ROWS_SHOWN = 20;

/** Margin of goods in per cent of what was paid for them without VAT; undefined where no cost is known. */
export const marginOf = ({ net, cost }: { net: number; cost: number }): number | undefined =>
  cost > 0 && net > 0 ? Math.round(((net - cost) / net) * 1_000) / 10 : undefined;
