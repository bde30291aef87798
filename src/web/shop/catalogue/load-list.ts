import { redirect } from 'react-router';
import { load } from '#web/app/load.ts';
import { listQueryOf, loadProducts, selectProductList } from '#web/app/product-list.slice.ts';

/** Loads the list that the URL names; a page past the end leads to the last one (specification §4). */
export const loadList = load(async (store, { pathname, search }) => {
  await store.dispatch(loadProducts(listQueryOf(search)));
  const { error, pages } = selectProductList(store.getState());
  if (error || !(Number.parseInt(search.get('currPage') ?? '', 10) > pages)) return undefined;
  const last = new URLSearchParams(search);
  last.set('currPage', String(pages));
  return redirect(`${pathname}?${last}`);
});
