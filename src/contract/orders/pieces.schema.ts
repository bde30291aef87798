import { z } from 'zod';
import { MAX_LINES, MAX_QUANTITY, MAX_QUANTITY_TEXT } from '#contract/platform/limits.ts';

const CHOOSE = 'Choose lines of the order.';
export const TOO_MANY_LINES = `A cart can hold at most ${MAX_LINES} different products.`;

/** The index of a line in `orderItems`. */
export const LinePosition = z.int(CHOOSE).min(0, CHOOSE).max(MAX_LINES, CHOOSE);

/** Pieces of one line. */
export const LinePieces = z.object({
  line: LinePosition,
  qty: z.int('The quantity must be a whole number.').min(1, 'The quantity must be at least 1.').max(MAX_QUANTITY, MAX_QUANTITY_TEXT),
});
export type LinePieces = z.infer<typeof LinePieces>;

/** Pieces of an order. */
export const Pieces = z.array(LinePieces, CHOOSE).max(MAX_LINES, TOO_MANY_LINES);

/** The revision of an order (`Order.revision`). */
export const Revision = z.int('The revision must be a whole number.').min(0, 'The revision cannot be below 0.');
/** The revision that was shown, so that a request that arrives twice takes no further pieces: the second is refused. */
export const SeenRevision = Revision.optional();
/** What could still be refunded when an order was looked at, in pence: a refund or a dispute since then is answered with 409. */
export const SeenRefundable = z.int('Send what the order says can be refunded.').optional();
