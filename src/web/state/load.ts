import { createContext, type LoaderFunctionArgs, RouterContextProvider } from 'react-router';
import type { AppStore } from './store.ts';

interface Wanted {
  pathname: string;
  params: Record<string, string | undefined>;
  search: URLSearchParams;
}

export type PageLoader = (args: LoaderFunctionArgs) => Promise<Response | null>;

const storeContext = createContext<AppStore>();

/** The loaders' context: the store that they fill. */
export const loaderContext = (store: AppStore) => new RouterContextProvider(new Map([[storeContext, store]]));

/** The loader of a page that gets its data by `useLoaderData`. The server puts the data into the document. */
export function loadData<T>(run: (store: AppStore, wanted: Wanted) => Promise<T>): (args: LoaderFunctionArgs) => Promise<T> {
  return ({ params, request, context }) => {
    const { pathname, searchParams } = new URL(request.url);
    return run(context.get(storeContext), { params, pathname, search: searchParams });
  };
}

/** A page's loader on both sides: it fills the store by thunks. A returned response redirects. */
export function load(run: (store: AppStore, wanted: Wanted) => Promise<unknown>): PageLoader {
  const loader = loadData(run);
  return async (args) => {
    const result = await loader(args);
    return result instanceof Response ? result : null;
  };
}
