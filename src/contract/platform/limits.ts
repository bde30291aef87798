/** The most pieces of one product in an order, over all its lines. */
export const MAX_QUANTITY = 99;
/** Shown above the limit. */
export const MAX_QUANTITY_TEXT = `We sell at most ${MAX_QUANTITY} of each.`;
/** The most lines in a cart. */
export const MAX_LINES = 100;
/** Maximum number of wishes. */
export const MAX_WISHES = 100;
/** Shown if the wish list is full. */
export const TOO_MANY_WISHES = `A wish list can hold at most ${MAX_WISHES} items.`;
/** The largest stock of a product, and of all its sizes together. */
export const MAX_PIECES = 1_000_000;
/** The highest price of a product, size or line, in pence: £1,000,000. */
export const MAX_PRICE = 100_000_000;
/** The highest total of an order, in pence; sums are stored as 32-bit integers. */
export const MAX_ORDER_TOTAL = 2_000_000_000;
/** The most sizes of a product. */
export const MAX_SIZES = 50;
/** Shown if a product has more sizes. */
export const TOO_MANY_SIZES = `A product can have at most ${MAX_SIZES} sizes.`;
/** The most products in a comparison. */
export const MAX_COMPARED = 4;
/** The largest CSV of products in megabytes; an exported product takes 1 to 2 KB. */
export const MAX_SHEET_MB = 100;
/** The most pictures in one review. */
export const MAX_REVIEW_PICTURES = 3;
/** The longest review, and the longest answer to one, in characters. */
export const MAX_REVIEW_TEXT = 2_000;
