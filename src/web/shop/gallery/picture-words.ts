/** How wide a picture stands on the page, as in CSS `sizes`. */
export const PAGE_SIZES = '(min-width: 768px) 45vw, 100vw';

/** What a picture of a product is called. */
export const altOf = (name: string, index: number, count: number): string =>
  count > 1 ? `${name}, picture ${index + 1} of ${count}` : name;
