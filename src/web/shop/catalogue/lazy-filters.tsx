import { useEffect, useMemo } from 'react';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import type { AppliedFiltersProps } from '#web/shop/filters/applied-filters.tsx';
import { filtersWanted, wantFilters, watchForFirstSign } from '#web/shop/filters/load-when-used.ts';
import type { FilterDrawerProps } from '#web/shop/filters/panel/filter-drawer.tsx';
import type { FilterPanelProps } from '#web/shop/filters/panel/filter-panel.tsx';

/** Asks for the filters' code; resolves once it is there, or cannot be had for now: the list is shown without it, and the panel asks again. */
export function loadFilters(): Promise<unknown> {
  wantFilters();
  return import('#web/shop/filters/panel/filter-panel.tsx').catch(() => undefined);
}

/** The panel, whose code comes with the first sign of a person. */
export const lazyPanel = lazyPart<FilterPanelProps>(async () => {
  await filtersWanted;
  return (await import('#web/shop/filters/panel/filter-panel.tsx')).FilterPanel;
});

/** The panel in a drawer, whose code comes when it is opened first. */
export const { Part: LazyFilterDrawer } = lazyPart<FilterDrawerProps>(
  async () => (await import('#web/shop/filters/panel/filter-drawer.tsx')).FilterDrawer,
);

/** The chips above the list, whose code comes with the first list that has any. */
export const lazyChips = lazyPart<AppliedFiltersProps>(async () => (await import('#web/shop/filters/applied-filters.tsx')).AppliedFilters);

/** The panel beside the list. */
export function LazyFilterPanel({ search, facets, id }: Required<FilterPanelProps>) {
  useEffect(watchForFirstSign, []);
  // The same element while nothing in it changes: an update would make React drop what the server drew, and draw it anew.
  return useMemo(() => <lazyPanel.Part search={search} facets={facets} id={id} />, [search, facets, id]);
}
