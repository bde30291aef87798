import { lazyPart } from '#web/parts/lazy-part.tsx';

/** The filters beside the list: the server draws them, and they work as a plain form until somebody is there (decision 28). */
export const FilterPanel = lazyPart(async () => (await import('#web/shop/filters/panel/filter-panel.tsx')).FilterPanel, {
  when: 'touched',
});

/** The filters in a drawer. */
export const FilterDrawer = lazyPart(async () => (await import('#web/shop/filters/panel/filter-drawer.tsx')).FilterDrawer);

/** The chips above the list. */
export const AppliedFilters = lazyPart(async () => (await import('#web/shop/filters/applied-filters.tsx')).AppliedFilters);

/** What stands in the place of an empty list. */
export const ZeroResults = lazyPart(async () => (await import('./zero-results.tsx')).ZeroResults);
