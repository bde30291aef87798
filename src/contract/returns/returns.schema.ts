import { z } from 'zod';
import { LinePosition, Pieces, SeenRefundable, SeenRevision, TOO_MANY_LINES } from '#contract/orders/pieces.schema.ts';
import { MAX_LINES, MAX_PRICE, MAX_QUANTITY, MAX_QUANTITY_TEXT } from '#contract/platform/limits.ts';
import { writtenText } from '#contract/platform/text.schema.ts';
import { RETURN_REASON_NAMES, RETURN_STATES } from './return-reasons.ts';

const MAX_CHARACTERS = 1_000;
const words = (what: string) => writtenText(what, MAX_CHARACTERS).default('');

export const ReturnBody = z.object({
  lines: Pieces.min(1, 'Choose at least one piece.'),
  reason: z.enum(RETURN_REASON_NAMES, 'Choose a reason.'),
  note: words('The note'),
});
/** A return that staff agree to at once, with words for the customer. */
export const AgreedReturnBody = ReturnBody.extend({
  // Refused, since the customer would not read it.
  note: z.literal('', 'A return that you start has no note. Write to the customer in the answer.').optional(),
  answer: words('The answer'),
  revision: SeenRevision,
});

/** What the shop says to a return; a refusal needs words. */
export const JudgeBody = z
  .object({ isApproved: z.boolean('isApproved must be true or false'), answer: words('The answer') })
  .refine(({ isApproved, answer }) => isApproved || answer !== '', { path: ['answer'], error: 'Tell the customer why.' });

const count = z.int('The quantity must be a whole number.').min(0, 'The quantity cannot be below 0.').max(MAX_QUANTITY, MAX_QUANTITY_TEXT);

/** The pieces that came back, with their condition; `amount` (pence) if not what is due: their price, and with the last pieces the delivery's part. */
export const ReceiveBody = z.object({
  lines: z
    .array(z.object({ line: LinePosition, restocked: count, spoiled: count }), 'Say what came back.')
    .min(1, 'Say what came back.')
    .max(MAX_LINES, TOO_MANY_LINES),
  amount: z
    .number('The amount must be a number of pence.')
    .int('The amount must be whole pence.')
    .min(0, 'The amount cannot be below 0.')
    .max(MAX_PRICE * MAX_QUANTITY, 'The amount is too large.')
    .nullish(),
  answer: words('The answer'),
  refundable: SeenRefundable,
});

/** What staff must know of a return before they record it. */
export const ReturnTerms = z.object({
  /** The part of the delivery price that is refunded with the order's last pieces, in pence. */
  delivery: z.int(),
});

export const Return = z.object({
  _id: z.string(),
  askedAt: z.string(),
  status: z.enum(RETURN_STATES),
  reason: z.string(),
  /** By the customer. */
  note: z.string(),
  /** By the shop. */
  answer: z.string(),
  /** The last day for posting; null until approval, and if the shop collects. */
  sendBy: z.string().nullable(),
  receivedAt: z.string().nullable(),
  pieces: z.array(
    z.object({
      line: z.int(),
      qty: z.int(),
      /** Came back and was restocked. */
      restockedQty: z.int(),
      /** Came back and cannot be sold again. */
      spoiledQty: z.int(),
    }),
  ),
});
export type Return = z.infer<typeof Return>;
