import './styles.css';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { oneSpelling, ROOT_ID, STATE_ID } from '#contract/page.ts';
import { httpCall, prefetchCall } from '#web/browser/http-call.ts';
import { handleBackInOverlays } from '#web/browser/overlay-history.ts';
import { prefetchOnIntent } from '#web/browser/prefetch-on-intent.ts';
import { loaderContext } from '#web/state/load.ts';
import { makeStore } from '#web/state/store.ts';
import { App } from './app/app.tsx';
import type { PageState } from './page-state.ts';
import { OFFICE_ROUTE_ID, officePagesFor, routesWith } from './routes.tsx';

/** Loads the rendered routes' code first, so that hydration matches and no loader runs twice. */
async function loadMatchedRoutes(routes: RouteObject[]): Promise<void> {
  const matches = matchRoutes(routes, location) ?? [];
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return;
      Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}

/** Yields to the browser between two pieces of work. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

async function start(): Promise<void> {
  // Evaluating the packages was a piece of work itself.
  await pause();
  const path = oneSpelling(location.pathname);
  if (path !== location.pathname) history.replaceState(history.state, '', path + location.search + location.hash);
  const state = JSON.parse(document.getElementById(STATE_ID)?.textContent ?? '') as PageState;
  const store = makeStore(httpCall, state.store);
  const routes = routesWith(await officePagesFor(path));
  await loadMatchedRoutes(routes);
  await pause();
  const errors = state.errors && Object.fromEntries(Object.entries(state.errors).map(([id, { message }]) => [id, new Error(message)]));
  handleBackInOverlays(() => router);
  const router = createBrowserRouter(routes, {
    getContext: () => loaderContext(store),
    hydrationData: { loaderData: state.loaderData, errors },
    patchRoutesOnNavigation: async ({ path, patch }) => patch(OFFICE_ROUTE_ID, await officePagesFor(path)),
  });
  prefetchOnIntent(
    () => router.routes,
    () => loaderContext(makeStore(prefetchCall)),
  );
  const root = document.getElementById(ROOT_ID);
  if (!root) return;
  await pause();
  // A transition yields to the browser between pieces of hydration.
  startTransition(() => {
    hydrateRoot(
      root,
      <App store={store} shop={state.shop}>
        <div data-page="">
          <RouterProvider router={router} />
        </div>
      </App>,
    );
  });
}

void start();
