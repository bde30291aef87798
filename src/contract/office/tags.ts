/** The longest tag of staff, in characters. */
export const MAX_TAG = 30;
