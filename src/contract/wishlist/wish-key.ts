import type { Wish } from './wishlist.ts';

/** Identifies a wish: product, size and colour. */
export const wishKey = ({ _id, size, color }: Wish): string => JSON.stringify([_id, size, color]);
