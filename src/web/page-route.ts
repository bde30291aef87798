import type { ComponentType } from 'react';
import type { LoaderFunction, RouteObject, ShouldRevalidateFunction } from 'react-router';
import type { RootState } from '#web/state/store.ts';

interface PageModule {
  Component: ComponentType;
  loader?: LoaderFunction;
  shouldRevalidate?: ShouldRevalidateFunction;
}

/** What the server needs of a route before it renders. */
export interface PageHandle {
  /** The source file, whose chunk is preloaded. */
  module: string;
  /** The page's HTTP status, from store and loader data; 200 by default. */
  status?: (state: RootState, data: unknown) => number;
  /** The source file of the lazy part that the browser draws first for these parameters, whose chunk is preloaded too. */
  part?: (search: URLSearchParams) => string;
}

/** A route whose page is a module, loaded when it is first needed. */
export const page = (
  path: string,
  module: string,
  lazy: () => Promise<PageModule>,
  handle: Pick<PageHandle, 'status' | 'part'> = {},
): RouteObject => ({
  id: path,
  path,
  // Paths as the specification spells them (clarifications, section 11).
  caseSensitive: true,
  handle: { module: `src/web/${module}`, ...handle } satisfies PageHandle,
  lazy,
});
