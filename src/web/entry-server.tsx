import type { ReactNode } from 'react';
import { renderToReadableStream, renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import type { Render } from '#contract/page.ts';
import { loaderContext } from '#web/state/load.ts';
import { makeStore } from '#web/state/store.ts';
import { App } from './app/app.tsx';
import { officePages } from './office-routes.ts';
import type { PageHandle } from './page-route.ts';
import { carriedState, type PageState } from './page-state.ts';
import { routesWith } from './routes.tsx';
import { isInvented } from './shop/product/use-choice.ts';

/** Separates the metadata, which React puts first, from the page. */
const PAGE_START = '<div data-page="">';

/** Without the office's routes: the router tries all that it has, for each page. */
const shop = createStaticHandler(routesWith([]));
const office = createStaticHandler(routesWith(officePages));

/** Begins a part that React could not draw in one go, since its code is still being loaded. */
const PART_MISSING = '<!--$!-->';

/** The complete markup of a page. React's stream waits for the code of a part, but makes bytes of each piece: a tenth of a page's time. */
async function markupOf(page: ReactNode): Promise<string> {
  const markup = renderToString(page);
  if (!markup.includes(PART_MISSING)) return markup;
  const stream = await renderToReadableStream(page, { progressiveChunkSize: Number.POSITIVE_INFINITY });
  await stream.allReady;
  return new Response(stream).text();
}

/** Renders a page, the same for every visitor. */
export const render: Render = async ({ url, shop: facts, call }) => {
  const store = makeStore(call);
  const { query } = url.startsWith('/admin/') ? office : shop;
  const context = await query(new Request(new URL(url, 'http://shop')), { requestContext: loaderContext(store) });
  if (context instanceof Response) {
    return { status: context.status, location: context.headers.get('location') ?? '/', head: '', body: '', state: {}, modules: [] };
  }
  // The context holds the routes that match; the router would go through all that it is given, for each page.
  const router = createStaticRouter([], context);
  const markup = await markupOf(
    <App store={store} shop={facts}>
      <div data-page="">
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </div>
    </App>,
  );
  const start = markup.indexOf(PAGE_START);
  const pageData = context.loaderData[context.matches.at(-1)?.route.id ?? ''];
  const handles = context.matches.flatMap(({ route }) => (route.handle ? [route.handle as PageHandle] : []));
  const status = context.errors ? context.statusCode : (handles.at(-1)?.status?.(store.getState(), pageData) ?? 200);
  const errors = context.errors ? serialiseErrors(context.errors) : null;
  const state: PageState = { store: carriedState(store.getState()), shop: facts, loaderData: context.loaderData, errors };
  const { product, reviews, delivery } = store.getState().productDetail;
  const { searchParams } = new URL(url, 'http://shop');
  return {
    status,
    head: markup.slice(0, start),
    body: markup.slice(start),
    state,
    modules: handles.flatMap(({ module, part }) => [module, ...(part ? [part(searchParams)] : [])]),
    until: delivery?.until,
    isInvented: product !== null && isInvented(product, reviews?.pages ?? 1, searchParams),
  };
};

/** Errors carry only their message, no stack. */
function serialiseErrors(errors: Record<string, unknown>): Record<string, { message: string }> {
  return Object.fromEntries(
    Object.entries(errors).map(([id, error]) => [id, { message: error instanceof Error ? error.message : 'Unknown error' }]),
  );
}
