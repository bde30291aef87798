import { z } from 'zod';
import { MAX_PIECES } from '#contract/platform/limits.ts';
import { Id, oneOf, optionalNames, PageNumber, paging, searchText } from '#contract/platform/lists.schema.ts';
import { COUNT_REASONS, type CountReason } from './reasons.ts';

/** How many pieces came (positive) or went (negative), and how many were left. */
const Move = z.object({ change: z.int(), left: z.int() });

/** A movement of a product's stock. */
export const Movement = z.object({
  id: z.string(),
  at: z.string(),
  /** In words. */
  reason: z.string(),
  /** Empty for what a customer or the shop does. */
  actor: z.string(),
  note: z.string(),
  order: z.object({ _id: Id, reference: z.string() }).nullable(),
  /** Of the product's count; null where only sizes moved. */
  count: Move.nullable(),
  sizes: z.array(Move.extend({ size: z.string() })),
});

export const Movements = z.object({
  movements: z.array(Movement),
  /** The `before` of the next page; null on the last page. */
  next: z.string().nullable(),
});

export const MovementsQuery = z.object({ before: z.string().optional() });

/** Pieces of a product without sizes, or of one of its sizes. */
const StockOfSize = z.object({
  size: z.string().nullable(),
  /** For sale. */
  quantity: z.int(),
  /** Sold, but still in the shop: ordered and not sent, or held for a card payment. */
  aside: z.int(),
  isLow: z.boolean(),
  /** When it was last counted. */
  countedAt: z.string().nullable(),
});

/** A product's row of the stock list. */
export const StockedProduct = z.object({
  _id: Id,
  name: z.string(),
  category: z.string(),
  countInStock: z.int(),
  /** The pieces of all sizes together if that is not `countInStock`, else null. */
  sizesSum: z.int().nullable(),
  /** The most pieces that count as low. */
  lowAt: z.int(),
  /** One for each size, or one for a product without sizes. */
  places: z.array(StockOfSize),
});

export const StockQuery = z.object({
  pageNumber: PageNumber,
  search: searchText,
  categoryQuery: optionalNames,
  /** Low in any size, sold out, or with a count that its sizes do not add up to. */
  show: oneOf(['', 'low', 'out', 'differs']),
});

export const StockList = z.object({ products: z.array(StockedProduct), ...paging });

const reasons = Object.keys(COUNT_REASONS) as [CountReason, ...CountReason[]];
const pieces = (what: string) =>
  z
    .int(`${what} must be a whole number.`)
    .min(0, `${what} cannot be below 0.`)
    .max(MAX_PIECES, `${what} can be at most ${MAX_PIECES.toLocaleString('en-GB')}.`);

export const CountLine = z.object({
  productId: Id,
  /** Null for a product without sizes. */
  size: z.string().max(60).nullable(),
  /** How many should be there by the sheet, including pieces set aside. */
  expected: pieces('The expected number'),
  counted: pieces('The counted number'),
  reason: z.enum(reasons, `A reason must be one of: ${reasons.join(', ')}.`).default('counted'),
});

export const CountBody = z.object({
  /** The sheet's id, so that the same lines sent twice count once. */
  sheet: z.uuid('The count needs the id of its sheet.'),
  lines: z.array(CountLine).min(1, 'Enter what you counted first.').max(1000, 'Please enter at most 1,000 lines at a time.'),
});

/** A file of a count sheet; without a fingerprint it is only checked. */
export const CountForm = z.object({ file: z.file('Choose a CSV file.').min(1, 'The file is empty.'), fingerprint: z.string().optional() });

/** What a file of counts would change or has changed. Rows count as in a spreadsheet: the head is row 1. */
export const CountReport = z.object({
  isDone: z.boolean(),
  same: z.int(),
  changed: z.int(),
  /** The first rows that change the stock. */
  differences: z.array(
    z.object({
      row: z.int(),
      name: z.string(),
      size: z.string(),
      expected: z.int(),
      counted: z.int(),
      change: z.int(),
      reason: z.string(),
    }),
  ),
  /** The first errors, and how many there are. */
  errors: z.array(z.object({ row: z.int(), column: z.string(), message: z.string() })),
  errorCount: z.int(),
  fingerprint: z.string(),
});

export const Counted = z.object({
  /** Lines whose pieces were as expected, and those whose stock was changed. */
  same: z.int(),
  changed: z.int(),
});
