/** The most pieces of one product in an order, all of its lines together. */
export const MAX_QUANTITY = 99;
/** What an order, and the cart, says about that. */
export const MAX_QUANTITY_TEXT = `We sell at most ${MAX_QUANTITY} of each.`;
/** The most lines in a cart. */
export const MAX_LINES = 100;
/** The most pieces of a product, and of all its sizes together. */
export const MAX_PIECES = 1_000_000;
/** No price of a product, a size or a line is above this, in pence: £1,000,000. */
export const MAX_PRICE = 100_000_000;
/** No order may come to more, in pence; sums are stored as 32-bit integers. */
export const MAX_ORDER_TOTAL = 2_000_000_000;
/** The most products that are compared side by side. */
export const MAX_COMPARED = 4;
/** A CSV of products, in megabytes; a product takes 1 to 2 KB of an export. */
export const MAX_SHEET_MB = 100;
/** The most pictures in one review. */
export const MAX_REVIEW_PICTURES = 3;
/** The longest review, and the longest answer to one, in characters. */
export const MAX_REVIEW_TEXT = 2_000;
