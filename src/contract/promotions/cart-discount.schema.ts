import { z } from 'zod';
import { MAX_ORDER_TOTAL } from '#contract/platform/limits.ts';
import { oneLine } from '#contract/platform/text.schema.ts';

/** A code as typed. */
export const Code = oneLine('Discount code', 60);

/** A promotion of a cart or an order. */
export const AppliedPromotion = z.object({
  name: z.string(),
  /** Null for an automatic promotion. */
  code: z.string().nullable(),
  /** Discount on the goods in pence; 0 for free delivery. */
  amount: z.int(),
  isFreeDelivery: z.boolean(),
});

export const CartDiscount = z.object({
  /** Discount on the goods, in pence. */
  amount: z.int(),
  /** The default delivery method is free. */
  isFreeDelivery: z.boolean(),
  applied: z.array(AppliedPromotion),
  /** Why the code is refused; empty for an accepted code and without a code. */
  refusal: z.string(),
  /** Nobody made the code, and asking for it again would count as another guess. */
  isUnknown: z.boolean(),
});

/** The discount that the customer was shown. The server works out its own, and refuses the order if this one was larger. */
export const SeenDiscount = z.object(
  {
    code: Code.nullish(),
    amount: z.number('The discount must be a number of pence.').int().min(0).max(MAX_ORDER_TOTAL).nullish(),
    isFreeDelivery: z.boolean().nullish(),
    /** The refusal that the customer was shown for the code: the order is then placed without it. */
    refusal: z.string().max(300).nullish(),
  },
  'The discount must be an object.',
);
