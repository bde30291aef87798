import { expect, test } from 'vitest';
import * as api from '#contract/catalogue/catalogue.endpoints.ts';
import { testShop } from '#server/testing/harness.ts';
import { localCalls, route } from './route.ts';

const { services } = await testShop();

test('a page that is rendered on the server gets nothing that the call does not answer over HTTP', async () => {
  const piece = { _id: '1', name: 'Sofa', price: 1, fromPrice: 1, toPrice: 1, x: 0, y: 0 };
  const room = route(api.readRoom, async () => [{ ...piece, supplierPrice: 1 }]);
  expect(await localCalls([room], services)('a-request')('GET /api/products/room', {})).toEqual([piece]);
});
