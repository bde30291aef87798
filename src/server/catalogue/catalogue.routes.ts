import { z } from 'zod';
import * as schema from '#contract/catalogue/catalogue.schema.ts';
import type { ListProductsQuery } from '#contract/catalogue/catalogue.ts';
import * as contract from '#contract/catalogue/catalogue.ts';
import { on, type Route } from '#server/platform/http/route.ts';
import { compareProducts, listKey, listNewArrivals, listProducts, readProduct } from './catalogue.service.ts';
import { facetsKey, readFacets } from './facets.service.ts';
import { listRelated } from './related.service.ts';
import { readRoom } from './room.service.ts';
import { suggest, suggestionsKey } from './suggestions.service.ts';

const byId = { params: schema.ProductParams };

export const catalogueRoutes: readonly Route[] = [
  on(
    contract.listProducts,
    { query: schema.ListProductsQuery, reply: schema.ProductList },
    ({ query }, services) => listProducts(services, query),
    { cached: ({ query }) => listKey(query as ListProductsQuery) },
  ),
  on(contract.readFacets, { query: schema.ListProductsQuery, reply: schema.Facets }, ({ query }, services) => readFacets(services, query), {
    cached: ({ query }) => facetsKey(query as ListProductsQuery),
  }),
  on(
    contract.suggest,
    { query: schema.SuggestionsQuery, reply: schema.Suggestions },
    ({ query }, services) => suggest(services, query.search),
    { cached: ({ query }) => suggestionsKey((query as { search?: string }).search) },
  ),
  on(contract.listNewArrivals, { reply: z.array(schema.ProductCard) }, (_, { readDb }) => listNewArrivals(readDb), {
    cached: () => '',
  }),
  on(contract.readRoom, { reply: z.array(schema.RoomPiece) }, (_, { readDb }) => readRoom(readDb), { cached: () => '' }),
  on(
    contract.compareProducts,
    { query: schema.CompareProductsQuery, reply: z.array(schema.Product) },
    ({ query }, { readDb }) => compareProducts(readDb, query.ids),
    { cached: ({ query }) => query },
  ),
  on(contract.readRelated, { ...byId, reply: schema.Related }, ({ params }, { readDb }) => listRelated(readDb, params.id), {
    cached: ({ params }) => params,
  }),
  on(contract.readProduct, { ...byId, reply: schema.Product }, ({ params }, { readDb }) => readProduct(readDb, params.id), {
    cached: ({ params }) => params,
  }),
];
