import { z } from 'zod';
import { PAGE_SIZE } from '#contract/base/lists.ts';
import * as schema from '#contract/catalogue.schema.ts';
import type { ListProductsQuery } from '#contract/catalogue.ts';
import * as contract from '#contract/catalogue.ts';
import { admin, type Ctx } from '#server/context/context.ts';
import { on, type Route } from '#server/http/route.ts';
import { forShop, listKey, listNewArrivals, listProducts, readProduct } from './catalogue.service.ts';
import { listProductsForOffice } from './product-list.service.ts';

/**
 * The back office's list has a size of page, sorts and a filter of its own, and is read each time, since it follows every move of stock. Only
 * a session gets it (an administrator's, else 401 or 403); for a visitor those parameters count for nothing.
 */
const isOffice = ({ pageSize }: ListProductsQuery, { token }: Ctx) => pageSize === PAGE_SIZE.admin && token !== undefined;
const byId = { params: schema.ProductParams };

export const catalogueRoutes: readonly Route[] = [
  on(
    contract.listProducts,
    { query: schema.ListProductsQuery, reply: schema.ProductList },
    async ({ query }, ctx) => {
      if (!isOffice(query, ctx)) return listProducts(ctx.readDb, ctx.listIndexes, forShop(query));
      await admin(ctx);
      return listProductsForOffice(ctx.readDb, query);
    },
    {
      cached: ({ query }, ctx) => (isOffice(query as ListProductsQuery, ctx) ? undefined : listKey(forShop(query as ListProductsQuery))),
    },
  ),
  on(contract.listNewArrivals, { reply: z.array(schema.ProductCard) }, (_, { readDb }) => listNewArrivals(readDb), {
    cached: () => '',
  }),
  on(contract.readProduct, { ...byId, reply: schema.Product }, ({ params }, { readDb }) => readProduct(readDb, params.id), {
    cached: ({ params }) => params,
  }),
];
