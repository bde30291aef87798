import { redirect } from 'react-router';
import { listParametersOf } from '#contract/catalogue/list-parameters.ts';
import { typedText } from '#contract/catalogue/searched.ts';
import { namesIn, pageNumberOf } from '#contract/platform/lists.ts';
import { listQueryOf } from '#web/shop/filters/list-url.ts';
import { load } from '#web/state/load.ts';
import { loadFacets, loadProducts, selectFacets, selectHead, selectProductList } from '#web/state/product-list.slice.ts';
import type { AppStore } from '#web/state/store.ts';
import { CategoryHead, FilterPanel } from './lazy-parts.ts';

interface Address {
  pathname: string;
  search: URLSearchParams;
}

/** Loads the URL's list, and with `around` its category's head and rooms; a page past the end redirects to the last one (specification §4). */
async function loadPage(store: AppStore, { pathname, search }: Address, around: { category?: string; withHead?: boolean } = {}) {
  const parameters = new URLSearchParams(listParametersOf(search));
  await store.dispatch(loadProducts({ ...listQueryOf(parameters), ...around }));
  const { error, pages } = selectProductList(store.getState());
  if (error || pageNumberOf(parameters.get('currPage')) <= pages) return undefined;
  parameters.set('currPage', String(pages));
  return redirect(`${pathname}?${parameters}`);
}

/** The category of a list that is of one category, and of no search; else empty. */
function categoryOf(search: URLSearchParams): string {
  const [category = '', ...others] = namesIn([search.get('query') ?? search.get('category') ?? '']);
  return others.length > 0 || typedText(search) ? '' : category;
}

/**
 * The list's category, and whether to load its head and rooms, once for each category. Loads the head's code first, since a late head would
 * move the list.
 */
async function aroundList(store: AppStore, search: URLSearchParams) {
  const category = categoryOf(new URLSearchParams(listParametersOf(search)));
  const withHead = category !== '' && !selectHead(store.getState(), category);
  if (withHead && !import.meta.env.SSR) await CategoryHead.load();
  return { category, withHead };
}

/** Without the filters' counts. */
export const loadList = load((store, address) => loadPage(store, address));

/** Loads the list with its filters' counts, and its category's head and rooms. Once there are counts, the list does not wait for new ones. */
export const loadFilteredList = load(async (store, address) => {
  const facets = store.dispatch(
    loadFacets({ ...listQueryOf(new URLSearchParams(listParametersOf(address.search))), pageNumber: '', sortBy: '' }),
  );
  const waitsForFacets = import.meta.env.SSR || !selectFacets(store.getState());
  const page = aroundList(store, address.search).then((around) => loadPage(store, address, around));
  const [redirected] = await Promise.all([page, waitsForFacets && facets, import.meta.env.SSR || FilterPanel.load()]);
  return redirected;
});
