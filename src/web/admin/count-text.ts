/** `1 row`, `3 rows`. */
export const countText = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** `1 order`, `3 orders`. */
export const ordersText = (count: number): string => countText(count, 'order');
