import { z } from 'zod';
import { endpoint } from '#contract/platform/endpoint.ts';
import { ById } from '#contract/platform/lists.schema.ts';
import * as schema from './catalogue.schema.ts';

export const listProducts = endpoint('GET /api/products', {
  role: 'visitor',
  summary: 'List products: search, filter, sort, page',
  query: schema.ListProductsQuery,
  reply: schema.ProductList,
});

export const readFacets = endpoint('GET /api/products/facets', {
  role: 'visitor',
  summary: 'Count how many products each value of each filter would leave',
  query: schema.ListProductsQuery,
  reply: schema.Facets,
});

export const suggest = endpoint('GET /api/products/suggestions', {
  role: 'visitor',
  summary: 'Suggest products, categories and spellings while a search is typed',
  query: schema.SuggestionsQuery,
  reply: schema.Suggestions,
});

export const listNewArrivals = endpoint('GET /api/products/newarrivals', {
  role: 'visitor',
  summary: 'List new arrivals',
  reply: z.array(schema.ProductCard),
});

export const listRooms = endpoint('GET /api/products/rooms', {
  role: 'visitor',
  summary: 'List the rooms to shop, with their pieces: all, or those with some products',
  query: schema.ListRoomsQuery,
  reply: z.array(schema.Room),
});

export const readCategory = endpoint('GET /api/products/category', {
  role: 'visitor',
  summary: 'Read a category’s text, picture, subcategories and rooms',
  query: schema.ReadCategoryQuery,
  reply: schema.CategoryHead,
});

export const compareProducts = endpoint('GET /api/products/compare', {
  role: 'visitor',
  summary: 'Read up to four products to compare',
  errors: [400],
  query: schema.CompareProductsQuery,
  reply: z.array(schema.Product),
});

export const readRelated = endpoint('GET /api/products/:id/related', {
  role: 'visitor',
  summary: 'List what goes with a product, the rooms that it is in, and alternatives if it is sold out',
  errors: [404],
  params: ById,
  reply: schema.Related,
});

export const readProduct = endpoint('GET /api/products/:id', {
  role: 'visitor',
  summary: 'Read a product',
  errors: [404],
  params: ById,
  reply: schema.Product,
});
