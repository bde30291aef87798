/** Reasons for a return. If the shop is at fault, it pays all costs. */
export const RETURN_REASONS = {
  'I changed my mind': { isOurs: false },
  'It does not fit': { isOurs: false },
  'Damaged or faulty': { isOurs: true },
  'Not as described': { isOurs: true },
  'Wrong piece': { isOurs: true },
  'Another reason': { isOurs: false },
} as const;

export type ReturnReason = keyof typeof RETURN_REASONS;
export const RETURN_REASON_NAMES = Object.keys(RETURN_REASONS) as [ReturnReason, ...ReturnReason[]];

/** The states of a return, with their labels. */
export const RETURN_TEXT = {
  asked: 'Waiting for a reply',
  approved: 'Approved',
  refused: 'Refused',
  withdrawn: 'Cancelled',
  received: 'Received',
} as const;

export type ReturnState = keyof typeof RETURN_TEXT;
export const RETURN_STATES = Object.keys(RETURN_TEXT) as [ReturnState, ...ReturnState[]];
export const isOpenReturn = (status: ReturnState): boolean => status === 'asked' || status === 'approved';
