/** Why a customer cancels. */
export const CUSTOMER_REASONS = [
  'I changed my mind',
  'I ordered it by mistake',
  'I found it at a better price',
  'It takes too long',
  'Another reason',
] as const;

/** Why an administrator cancels, with the text in the customer's mail; empty for an internal reason. */
export const CANCEL_REASONS = {
  'The customer asked for it': 'as you asked',
  'Not in stock': 'because it is out of stock after all',
  'Damaged in the warehouse': 'because it was damaged in our warehouse',
  'Cannot be delivered': 'because we could not deliver to your address',
  'Another reason': '',
} as const;
export type CancelReason = keyof typeof CANCEL_REASONS;

/** Reasons that say that the pieces are not there, or cannot be sold. */
const NOT_FOR_SALE: readonly string[] = ['Not in stock', 'Damaged in the warehouse'] satisfies CancelReason[];
/** Whether pieces that an administrator cancels for a reason go back in stock by default. */
export const isRestockedFor = (reason: string): boolean => !NOT_FOR_SALE.includes(reason);

export const REFUND_REASONS = [
  'Returned',
  'Damaged or faulty',
  'Not as described',
  'Never arrived',
  'Late delivery',
  'Goodwill',
  'Another reason',
] as const;

/** Why staff write off what is still due; the credit note says it. */
export const WRITE_OFF_REASONS = ['Goodwill', 'Damaged or faulty', 'Cannot be collected', 'Another reason'] as const;

/** How staff pay a refund back by hand, in words. Only cash comes from the cash box. */
export const PAID_BACK_BY = { cash: 'in cash', transfer: 'by transfer' } as const;
export type PaidBackBy = keyof typeof PAID_BACK_BY;

export const REFUND_STATES = ['pending', 'done', 'failed'] as const;

export const OVERPAYMENT_STATES = ['owed', 'paid_back', 'undone', 'used'] as const;
