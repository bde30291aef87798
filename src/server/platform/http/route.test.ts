import { expect, test } from 'vitest';
import * as api from '#contract/catalogue/catalogue.endpoints.ts';
import { testShop } from '#server/testing/harness.ts';
import { localCalls, route } from './route.ts';

const { services } = await testShop();

test('a page that is rendered on the server gets nothing that the call does not answer over HTTP', async () => {
  const head = { text: 'To sit on.', picture: '', subCategories: [], rooms: [] };
  const category = route(api.readCategory, async () => ({ ...head, margin: 1 }));
  expect(await localCalls([category], services)('a-request')('GET /api/products/category', { query: { name: 'Sofa' } })).toEqual(head);
});
