import { z } from 'zod';
import { Transport } from '#contract/orders/parcels.schema.ts';
import { ListOrdersQuery } from '#contract/orders.schema.ts';

/** The orders that a list's filters find are dispatched in one go; `expected` is how many the check before it counted. */
export const DispatchManyBody = Transport.pick({ carrier: true, expectedOn: true }).extend({
  filters: ListOrdersQuery.omit({ pageNumber: true, sortBy: true }),
  expected: z.int('The number of orders must be a whole number.').min(1, 'There is nothing to dispatch.').nullish(),
});

/** What was dispatched in one go. */
export const Batch = z.object({
  _id: z.string(),
  createdAt: z.string(),
  actor: z.string(),
  orders: z.int(),
  /** Until then it can be undone; the mails leave after it. */
  undoUntil: z.string(),
});
export type Batch = z.infer<typeof Batch>;
export const BatchList = z.object({ batches: z.array(Batch) });

/** How many orders of those found would be dispatched, and how many not; once they were, the batch too. */
export const DispatchMany = z.object({ orders: z.int(), others: z.int(), batch: Batch.nullable() });
