import { redirect } from 'react-router';
import { pageNumberOf } from '#contract/base/lists.ts';
import { listParametersOf } from '#contract/list-parameters.ts';
import { load } from '#web/state/load.ts';
import { listQueryOf, loadProducts, selectProductList } from '#web/state/product-list.slice.ts';

/** Loads the list that the URL names; a page past the end leads to the last one (specification §4). */
export const loadList = load(async (store, { pathname, search }) => {
  const wanted = new URLSearchParams(listParametersOf(search));
  await store.dispatch(loadProducts(listQueryOf(wanted)));
  const { error, pages } = selectProductList(store.getState());
  if (error || pageNumberOf(wanted.get('currPage')) <= pages) return undefined;
  wanted.set('currPage', String(pages));
  return redirect(`${pathname}?${wanted}`);
});
