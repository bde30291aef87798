import { z } from 'zod';
import { daysIn } from './periods.ts';
import { BREAKDOWN_NAMES, type Breakdown } from './reports.ts';

/** Ten years. */
const MOST_DAYS = 3_660;

const Day = z.iso.date('Choose a day.');
const period = { from: Day, to: Day };
const isInOrder = ({ from, to }: { from: string; to: string }) => from <= to;
const isShort = (query: { from: string; to: string }) => daysIn(query) <= MOST_DAYS;

export const ReportQuery = z
  .object(period)
  .refine(isInOrder, { message: 'The last day is before the first.', path: ['to'] })
  .refine(isShort, { message: 'Choose ten years at most.', path: ['to'] });
export const ReportTableQuery = z
  .object({ ...period, by: z.enum(['day', ...BREAKDOWN_NAMES], 'We do not recognise this table.') })
  .refine(isInOrder, { message: 'The last day is before the first.', path: ['to'] })
  .refine(isShort, { message: 'Choose ten years at most.', path: ['to'] });

const count = z.int();
const pence = z.int();

/** Sums of the orders that were placed in a period, as they are now. */
export const Figures = z.object({
  /** Neither cancelled nor refunded as a whole. */
  orders: count,
  /** What those come to, less what was refunded or cancelled of them. */
  revenue: pence,
  placed: count,
  cancelled: count,
  cancelledValue: pence,
  /** Of orders that are otherwise kept. */
  cancelledPieces: count,
  newOrders: count,
  newRevenue: pence,
  returningOrders: count,
  returningRevenue: pence,
  returns: count,
  returnedPieces: count,
  returnedValue: pence,
  onTime: count,
  late: count,
  /** What was paid for goods. */
  goods: pence,
  /** What was paid without VAT for pieces whose cost is known, and that cost. */
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

/** An object rather than a record, of which the API's document could not say what it holds. */
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
  /** What is in stock now: pieces, those whose cost is known, and what these cost. */
  stock: z.object({ pieces: count, known: count, cost: pence }),
});
