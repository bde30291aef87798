import { z } from 'zod';
import { limitedTo, PERIOD } from './periods.schema.ts';
import { BREAKDOWN_NAMES, type Breakdown } from './reports.ts';

/** Ten years. */
const MOST_DAYS = 3_660;

const checkLength = limitedTo(MOST_DAYS, 'Choose ten years at most.');

export const ReportQuery = z.object(PERIOD).superRefine(checkLength);
export const ReportTableQuery = z
  .object({ ...PERIOD, by: z.enum(['day', ...BREAKDOWN_NAMES], 'We do not recognise this table.') })
  .superRefine(checkLength);

const count = z.int();
const pence = z.int();

/** Sums of the orders that were placed in a period, as they are now. */
export const Figures = z.object({
  /** Neither cancelled nor refunded as a whole. */
  orders: count,
  /** The sum of those orders, less refunds and cancelled pieces. */
  revenue: pence,
  placed: count,
  cancelled: count,
  cancelledValue: pence,
  /** Pieces cancelled from orders that are otherwise kept. */
  cancelledPieces: count,
  /** The first order of its customer is new, any other is returning. */
  newOrders: count,
  newRevenue: pence,
  returningOrders: count,
  returningRevenue: pence,
  returns: count,
  returnedPieces: count,
  returnedValue: pence,
  /** Delivered by the last promised day, or later. */
  onTime: count,
  late: count,
  /** The price paid for goods. */
  goods: pence,
  /** The price paid without VAT for pieces with a known cost, and that cost. */
  net: pence,
  cost: pence,
});

export const ReportRow = z.object({
  key: z.string(),
  label: z.string(),
  count,
  amount: pence,
  countBefore: count,
  amountBefore: pence,
  net: pence,
  cost: pence,
});

/** An object rather than a record, so that the API's document names its fields. */
const TABLES = Object.fromEntries(BREAKDOWN_NAMES.map((name) => [name, z.array(ReportRow)])) as Record<
  Breakdown,
  z.ZodArray<typeof ReportRow>
>;
const Bar = z.object({ day: z.string(), orders: count, revenue: pence });
const Period = z.object({ from: z.string(), to: z.string() });

export const Report = z.object({
  period: Period,
  before: Period,
  /** Older days are still being added up after an upgrade. */
  isCounting: z.boolean(),
  figures: Figures,
  figuresBefore: Figures,
  /** By day, or by month for more than three months; oldest first. */
  unit: z.enum(['day', 'month']),
  bars: z.array(Bar),
  barsBefore: z.array(Bar),
  /** The best rows of each table. */
  tables: z.object(TABLES),
  /** The stock now: all pieces, the pieces with a known cost, and that cost. */
  stock: z.object({ pieces: count, known: count, cost: pence }),
});
