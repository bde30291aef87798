/** Reasons for stock movements. The shop records the first group itself; `other` is a manual change in the database. */
const BY_ITSELF = {
  order: 'Ordered',
  unpaid: 'Card checkout ended unpaid',
  cancelled: 'Cancelled',
  returned: 'Returned',
  created: 'New',
  edited: 'Edited',
  imported: 'Imported',
  restored: 'Restored from a backup',
  other: 'Changed in the database',
} as const;

/** The reasons to choose from when what was counted differs. */
export const COUNT_REASONS = {
  counted: 'Counted',
  damaged: 'Damaged',
  lost: 'Lost or stolen',
  found: 'Found again',
  mistake: 'Earlier mistake',
} as const;

export const STOCK_REASONS = { ...BY_ITSELF, ...COUNT_REASONS } as const;
export type StockReason = keyof typeof STOCK_REASONS;
export type CountReason = keyof typeof COUNT_REASONS;
