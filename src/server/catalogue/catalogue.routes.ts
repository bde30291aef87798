import * as api from '#contract/catalogue/catalogue.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { compareProducts, listKey, listNewArrivals, listProducts, readProduct } from './catalogue.service.ts';
import { facetsKey, readFacets } from './facets.service.ts';
import { listRelated } from './related.service.ts';
import { readRoom } from './room.service.ts';
import { suggest, suggestionsKey } from './suggestions.service.ts';

export const catalogueRoutes: readonly Route[] = [
  route(api.listProducts, ({ query }, services) => listProducts(services, query), { cached: ({ query }) => listKey(query) }),
  route(api.readFacets, ({ query }, services) => readFacets(services, query), {
    cached: ({ query }) => facetsKey(query),
  }),
  route(api.suggest, ({ query }, services) => suggest(services, query.search), { cached: ({ query }) => suggestionsKey(query.search) }),
  route(api.listNewArrivals, (_, { readDb }) => listNewArrivals(readDb), {
    cached: () => '',
  }),
  route(api.readRoom, (_, { readDb }) => readRoom(readDb), { cached: () => '' }),
  route(api.compareProducts, ({ query }, { readDb }) => compareProducts(readDb, query.ids), { cached: ({ query }) => query }),
  route(api.readRelated, ({ params }, { readDb }) => listRelated(readDb, params.id), {
    cached: ({ params }) => params,
  }),
  route(api.readProduct, ({ params }, { readDb }) => readProduct(readDb, params.id), {
    cached: ({ params }) => params,
  }),
];
