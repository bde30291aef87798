import type { LoaderFunctionArgs } from 'react-router';
import type { AppStore } from './store.ts';

interface Wanted {
  params: Record<string, string | undefined>;
  search: URLSearchParams;
}

export type PageLoader = (store: AppStore) => (args: LoaderFunctionArgs) => Promise<null>;

/** A page's loader, the same on both sides: it dispatches thunks and what they bring is in the store. */
export function load(run: (store: AppStore, wanted: Wanted) => Promise<unknown>): PageLoader {
  return (store) =>
    async ({ params, request }) => {
      await run(store, { params, search: new URL(request.url).searchParams });
      return null;
    };
}
