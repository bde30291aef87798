import { endpoint } from '#contract/platform/endpoint.ts';
import { Done } from '#contract/platform/lists.schema.ts';
import * as schema from './books.schema.ts';

export const readBooks = endpoint('GET /api/office/books', {
  right: 'see money',
  summary: 'Read the books of some days, and any differences',
  query: schema.BooksQuery,
  reply: schema.Books,
});

export const checkBooks = endpoint('POST /api/office/books/check', {
  right: 'move money',
  summary: 'Read the payment provider and compare everything now',
  errors: [502, 503],
  reply: Done,
});

export const listEntries = endpoint('GET /api/office/books/entries', {
  right: 'see money',
  summary: 'List what moved the balance at the payment provider on a day, beside the orders',
  query: schema.BookEntriesQuery,
  reply: schema.BookEntries,
});

export const exportEntries = endpoint('GET /api/office/books/export', {
  right: 'see money',
  summary: 'Download what moved the balance at the payment provider, beside the orders, as CSV',
  query: schema.BooksQuery,
  download: 'books.csv',
});

export const tickBook = endpoint('PUT /api/office/books/ticks', {
  right: 'move money',
  summary: 'Tick a day’s sum against the bank, or untick it',
  errors: [409],
  body: schema.TickBody,
  reply: schema.BookDay,
});
