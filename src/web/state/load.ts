import type { LoaderFunctionArgs } from 'react-router';
import type { AppStore } from './store.ts';

interface Wanted {
  pathname: string;
  params: Record<string, string | undefined>;
  search: URLSearchParams;
}

export type PageLoader = (store: AppStore) => (args: LoaderFunctionArgs) => Promise<Response | null>;

/** A page's loader, the same on both sides: it dispatches thunks and what they bring is in the store. A response that it returns leads elsewhere. */
export function load(run: (store: AppStore, wanted: Wanted) => Promise<unknown>): PageLoader {
  return (store) =>
    async ({ params, request }) => {
      const { pathname, searchParams } = new URL(request.url);
      const result = await run(store, { params, pathname, search: searchParams });
      return result instanceof Response ? result : null;
    };
}
