import * as api from '#contract/books/books.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { checkNow, readBooks, tickBook } from './books.service.ts';
import { exportEntries, listEntries } from './entries.service.ts';

export const bookRoutes: readonly Route[] = [
  route(api.readBooks, ({ query, who }, { db }) => readBooks(db, who, query)),
  route(api.checkBooks, ({ who }, ctx) => checkNow(ctx, who)),
  route(api.listEntries, ({ query: { day }, who }, { db }) => listEntries(db, who, day)),
  route(api.exportEntries, ({ query, who }, { db }) => exportEntries(db, who, query)),
  route(api.tickBook, ({ body, who }, { db }) => tickBook(db, who, body)),
];
