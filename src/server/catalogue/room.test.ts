import { expect, test } from 'vitest';
import type { RoomPiece } from '#contract/catalogue/catalogue.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();
const room = async () => (await app.inject({ url: '/api/products/room' })).json<RoomPiece[]>();

test('the room holds the pieces that the shop sells, with their price and their place, and none that is gone (§2.4.3)', async () => {
  expect(await room()).toEqual([]);
  const { headers } = await anAdmin(db);
  const vase = await aProduct(db, { name: 'Moon Stoneware Vase', price: 4_500 });
  const sofa = await aProduct(db, { name: 'Wren Velvet Sofa', price: 114_900 });
  await aProduct(db, { name: 'Another Sofa' });
  // Written past the shop's calls, which is why the shop's caches learn of it only with the next change.
  const other = await aProduct(db, { name: 'Siena Side Table' });
  await app.inject({ method: 'DELETE', url: `/api/products/${other._id}`, headers });
  const pieces = await room();
  expect(pieces).toEqual([
    {
      _id: sofa._id,
      name: 'Wren Velvet Sofa',
      price: 114_900,
      fromPrice: 114_900,
      toPrice: 114_900,
      x: expect.any(Number),
      y: expect.any(Number),
    },
    {
      _id: vase._id,
      name: 'Moon Stoneware Vase',
      price: 4_500,
      fromPrice: 4_500,
      toPrice: 4_500,
      x: expect.any(Number),
      y: expect.any(Number),
    },
  ]);
});
