import * as api from '#contract/catalogue/catalogue.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { cachedList, compareProducts, listNewArrivals, listProducts, readProduct } from './catalogue.service.ts';
import { readCategory } from './category.service.ts';
import { cachedFacets, readFacets } from './find/facets.service.ts';
import { cachedSuggestions, suggest } from './find/suggestions.service.ts';
import { listRelated } from './related.service.ts';
import { listRooms } from './rooms.service.ts';

/** Cards of products that a rule has chosen. */
const CHOSEN = ['named', 'products'] as const;
/** Products that the owner's settings name. */
const OWNERS_CHOICE = ['settings', ...CHOSEN] as const;

export const catalogueRoutes: readonly Route[] = [
  route(api.listProducts, ({ query }, services) => listProducts(services, query), { cached: ({ query }) => cachedList(query) }),
  route(api.readFacets, ({ query }, services) => readFacets(services, query), { cached: ({ query }) => cachedFacets(query) }),
  route(api.suggest, ({ query }, services) => suggest(services, query.search), { cached: ({ query }) => cachedSuggestions(query.search) }),
  route(api.listNewArrivals, (_, { readDb }) => listNewArrivals(readDb), { cached: () => ({ key: '', dependsOn: CHOSEN }) }),
  route(api.listRooms, ({ query }, services) => listRooms(services, query), {
    cached: ({ query }) => ({ key: query, dependsOn: OWNERS_CHOICE }),
  }),
  route(api.readCategory, ({ query }, services) => readCategory(services, query.name), {
    cached: ({ query }) => ({ key: query.name.toLowerCase(), dependsOn: OWNERS_CHOICE }),
  }),
  route(api.compareProducts, ({ query }, { readDb }) => compareProducts(readDb, query.ids), {
    // A product that is missing may come back.
    cached: ({ query }) => ({ key: query, dependsOn: CHOSEN }),
  }),
  route(api.readRelated, ({ params }, services) => listRelated(services, params.id), {
    cached: ({ params }) => ({ key: params, dependsOn: [...OWNERS_CHOICE, 'stock'] }),
  }),
  route(api.readProduct, ({ params }, { readDb }) => readProduct(readDb, params.id), {
    cached: ({ params }) => ({ key: params, dependsOn: ['named'] }),
  }),
];
