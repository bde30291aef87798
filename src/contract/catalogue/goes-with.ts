/** The most pieces that are shown beside a product. */
export const MAX_GOES_WITH = 8;

/** The numbers of the products that were picked to go with one, separated by commas, spaces or lines; each once. */
export const goesWithOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
];
