import { lazyPart } from '#web/parts/lazy-part.tsx';

/** A plain GET form of the server: it works without scripts, and gives crawlers no links. The code loads at the first interaction. */
export const FilterPanel = lazyPart(async () => (await import('#web/shop/filters/panel/filter-panel.tsx')).FilterPanel, {
  when: 'touched',
});

export const FilterDrawer = lazyPart(async () => (await import('#web/shop/filters/panel/filter-drawer.tsx')).FilterDrawer);

export const ZeroResults = lazyPart(async () => (await import('./zero-results.tsx')).ZeroResults);

/** Links and pictures that work before their code is there. */
export const CategoryHead = lazyPart(async () => (await import('./category-head.tsx')).CategoryHead, { when: 'touched' });

export const CategoryRooms = lazyPart(async () => (await import('./category-head.tsx')).CategoryRooms, { when: 'touched' });
