import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, type RouteObject, type StaticHandlerContext, StaticRouterProvider } from 'react-router';
import { showPicturesFrom } from '#contract/catalogue/pictures.ts';
import type { Render } from '#contract/platform/page.ts';
import { lazyChips, lazyPanel } from '#web/shop/catalogue/lazy-filters.tsx';
import { lazyZeroResults } from '#web/shop/catalogue/lazy-zero-results.ts';
import { ZeroResults } from '#web/shop/catalogue/zero-results.tsx';
import { AppliedFilters } from '#web/shop/filters/applied-filters.tsx';
import { FilterPanel } from '#web/shop/filters/panel/filter-panel.tsx';
import { type AppStore, makeStore } from '#web/state/store.ts';
import { App } from './app/app.tsx';
import { drawFramed } from './app/frame.ts';
import type { PageState } from './page-state.ts';
import { createRoutes, type PageHandle } from './routes.tsx';

/** Marks where the metadata that React puts first ends and the page begins. */
const MARK = '<div data-page="">';

lazyPanel.drawAtOnce(FilterPanel);
lazyChips.drawAtOnce(AppliedFilters);
lazyZeroResults.drawAtOnce(ZeroResults);

/** The shop's routes, for one page at a time: their loaders fill `store`. */
interface Routes {
  handler: ReturnType<typeof createStaticHandler>;
  store: AppStore;
}

/** Routes that no page is being rendered with. Creating them per page cost 5 % of the render. */
const unused: Routes[] = [];

function newRoutes(store: AppStore): Routes {
  const routes: Omit<Routes, 'handler'> = { store };
  const dispatch = ((action: Parameters<AppStore['dispatch']>[0]) => routes.store.dispatch(action)) as AppStore['dispatch'];
  const current = { ...store, dispatch, getState: () => routes.store.getState() };
  return Object.assign(routes, { handler: createStaticHandler(createRoutes(current)) });
}

/** Loads what a page shows into the store. */
async function loadInto(store: AppStore, url: string) {
  const routes = unused.pop() ?? newRoutes(store);
  routes.store = store;
  const context = await routes.handler.query(new Request(new URL(url, 'http://shop')));
  // Where one part fails or leads elsewhere, another may still be under way: it must not find the store of the next page.
  if (!(context instanceof Response || context.errors)) unused.push(routes);
  return context;
}

/** The matched routes alone, each within the one before: the router goes through all that it is given, for each page. */
function matchedRoutes({ matches }: StaticHandlerContext): RouteObject[] {
  const routes = matches.map(({ route }) => route as RouteObject);
  return routes.reduceRight<RouteObject[]>((children, route) => [{ ...route, children } as RouteObject], []);
}

/** Renders one page for everyone: what depends on the visitor is filled in by the browser. */
export const render: Render = async ({ url, origin, pictures, market, company, call }) => {
  const store = makeStore(call);
  const context = await loadInto(store, url);
  if (context instanceof Response) {
    return { status: context.status, location: context.headers.get('location') ?? '/', head: '', body: '', state: {}, modules: [] };
  }
  const router = createStaticRouter(matchedRoutes(context), context);
  showPicturesFrom(pictures);
  const page = (
    <App store={store} market={market} company={company} origin={origin}>
      <div data-page="">
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </div>
    </App>
  );
  const markup = drawFramed(company, context.location, () => renderToString(page));
  const start = markup.indexOf(MARK);
  const handles = context.matches.flatMap(({ route }) => (route.handle ? [route.handle as PageHandle] : []));
  const status = context.errors ? context.statusCode : (handles.at(-1)?.status?.(store.getState()) ?? 200);
  const errors = context.errors ? serialiseErrors(context.errors) : null;
  const state: PageState = { store: store.getState(), market, company, origin, pictures, errors };
  const modules = handles.map(({ module }) => module);
  const { until } = store.getState().productDetail.delivery ?? {};
  return { status, head: markup.slice(0, start), body: markup.slice(start), state, modules, until };
};

/** Errors travel as their message only: no stack leaves the server. */
function serialiseErrors(errors: Record<string, unknown>): Record<string, { message: string }> {
  return Object.fromEntries(
    Object.entries(errors).map(([id, error]) => [id, { message: error instanceof Error ? error.message : 'Unknown error' }]),
  );
}
