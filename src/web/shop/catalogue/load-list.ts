import { redirect } from 'react-router';
import { listParametersOf } from '#contract/catalogue/list-parameters.ts';
import { namesIn, pageNumberOf } from '#contract/platform/lists.ts';
import { listQueryOf } from '#web/shop/filters/list-url.ts';
import { load } from '#web/state/load.ts';
import { loadCategory, loadFacets, loadProducts, selectFacets, selectHead, selectProductList } from '#web/state/product-list.slice.ts';
import type { AppStore } from '#web/state/store.ts';
import { FilterPanel } from './lazy-parts.ts';

/** Loads the URL's list; a page past the end redirects to the last one (specification §4). */
async function loadPage(store: AppStore, { pathname, search }: { pathname: string; search: URLSearchParams }) {
  const wanted = new URLSearchParams(listParametersOf(search));
  await store.dispatch(loadProducts(listQueryOf(wanted)));
  const { error, pages } = selectProductList(store.getState());
  if (error || pageNumberOf(wanted.get('currPage')) <= pages) return undefined;
  wanted.set('currPage', String(pages));
  return redirect(`${pathname}?${wanted}`);
}

/** The category of a list that is of one category, and of no search; else empty. */
export function categoryOf(search: URLSearchParams): string {
  const [category = '', ...others] = namesIn([search.get('query') ?? search.get('category') ?? '']);
  return others.length > 0 || search.has('search') ? '' : category;
}

/** Loads what stands around the list of a category, once. */
async function loadAround(store: AppStore, category: string): Promise<void> {
  if (category && selectHead(store.getState())?.category !== category) await store.dispatch(loadCategory(category));
}

/** Without the filters' counts. */
export const loadList = load(loadPage);

/** Loads the list with its filters' counts, and what stands around it. Once there are counts, the list does not wait for new ones. */
export const loadFilteredList = load(async (store, wanted) => {
  const facets = store.dispatch(
    loadFacets({ ...listQueryOf(new URLSearchParams(listParametersOf(wanted.search))), pageNumber: '', sortBy: '' }),
  );
  const isFirst = import.meta.env.SSR || !selectFacets(store.getState());
  const around = loadAround(store, categoryOf(new URLSearchParams(listParametersOf(wanted.search))));
  const [reply] = await Promise.all([loadPage(store, wanted), around, isFirst && facets, import.meta.env.SSR || FilterPanel.load()]);
  return reply;
});
