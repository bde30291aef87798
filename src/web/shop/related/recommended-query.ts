/** The list of recommended pieces, those in stock. */
export const RECOMMENDED = { query: { inStockQuery: 'true' } };
export const MOST_RECOMMENDED = 8;
