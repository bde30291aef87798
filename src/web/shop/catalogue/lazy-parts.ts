import { lazyPart } from '#web/parts/lazy-part.tsx';

/** Rendered by the server as a plain form; the code loads at the first interaction (decision 28). */
export const FilterPanel = lazyPart(async () => (await import('#web/shop/filters/panel/filter-panel.tsx')).FilterPanel, {
  when: 'touched',
});

export const FilterDrawer = lazyPart(async () => (await import('#web/shop/filters/panel/filter-drawer.tsx')).FilterDrawer);

export const ZeroResults = lazyPart(async () => (await import('./zero-results.tsx')).ZeroResults);

/** Links and pictures that work before their code is there. */
export const CategoryHead = lazyPart(async () => (await import('./category-head.tsx')).CategoryHead, { when: 'touched' });

export const CategoryRooms = lazyPart(async () => (await import('./category-head.tsx')).CategoryRooms, { when: 'touched' });
