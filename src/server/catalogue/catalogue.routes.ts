import * as api from '#contract/catalogue/catalogue.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { cachedList, compareProducts, listNewArrivals, listProducts, readProduct } from './catalogue.service.ts';
import { cachedFacets, readFacets } from './facets.service.ts';
import { listRelated } from './related.service.ts';
import { readRoom } from './room.service.ts';
import { cachedSuggestions, suggest } from './suggestions.service.ts';

/** Cards of products that a rule has chosen. */
const CHOSEN = ['named', 'products'] as const;

export const catalogueRoutes: readonly Route[] = [
  route(api.listProducts, ({ query }, services) => listProducts(services, query), { cached: ({ query }) => cachedList(query) }),
  route(api.readFacets, ({ query }, services) => readFacets(services, query), { cached: ({ query }) => cachedFacets(query) }),
  route(api.suggest, ({ query }, services) => suggest(services, query.search), { cached: ({ query }) => cachedSuggestions(query.search) }),
  route(api.listNewArrivals, (_, { readDb }) => listNewArrivals(readDb), { cached: () => ({ key: '', dependsOn: CHOSEN }) }),
  route(api.readRoom, (_, { readDb }) => readRoom(readDb), { cached: () => ({ key: '', dependsOn: CHOSEN }) }),
  route(api.compareProducts, ({ query }, { readDb }) => compareProducts(readDb, query.ids), {
    cached: ({ query }) => ({ key: query, dependsOn: ['named'] }),
  }),
  route(api.readRelated, ({ params }, { readDb }) => listRelated(readDb, params.id), {
    cached: ({ params }) => ({ key: params, dependsOn: CHOSEN }),
  }),
  route(api.readProduct, ({ params }, { readDb }) => readProduct(readDb, params.id), {
    cached: ({ params }) => ({ key: params, dependsOn: ['named'] }),
  }),
];
