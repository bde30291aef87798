import { namesIn, textOf } from '#contract/platform/lists.ts';

/** The used part of URLSearchParams. */
export interface Search {
  getAll: (name: string) => string[];
}

/** The text that a list's URL searches for. */
export const searchedText = (search: Search): string | undefined => textOf(search.getAll('search')[0]);

/** The search as it was typed, also once its words have become filters. */
export const typedText = (search: Search): string | undefined => textOf(search.getAll('typed')[0]) ?? searchedText(search);

/** The categories of a list's URL, joined by `_`: those of `query`, else those of `category`. Empty for all. */
export const searchedCategories = (search: Search): string =>
  namesIn(search.getAll('query')).join('_') || namesIn(search.getAll('category')).join('_');
