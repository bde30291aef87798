import { expect, test } from 'vitest';
import type { Related } from '#contract/catalogue/catalogue.ts';
import { anAdmin, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { render } from '#web/entry-server.tsx';
import { editAsForm } from './testing/edit-as-form.ts';

const { app, db } = await testShop({ render });
const { headers } = await anAdmin(db);
const goesWith = async (id: string) =>
  (await app.inject({ url: `/api/products/${id}/related` })).json<Related>().goesWith.map(({ name }) => name);

const pick = (id: string, pieces: readonly string[]) => editAsForm(app, headers, id, { goesWith: pieces.join(', ') });

const pieceOf = (name: string, stock = 5) => aProduct(db, { name, category: name, brand: 'Vaasa', fit: 'Porch', stock });

test('the pieces that the shop picked come first in its order, each once; hidden, deleted and sold-out ones are left out', async () => {
  const [seat, , pot, lamp, hidden, sold] = [
    await pieceOf('Seat'),
    await pieceOf('Rug'),
    await pieceOf('Pot'),
    await aProduct(db, { name: 'Elsewhere', category: 'Seat', brand: 'Nobody', fit: 'Cellar' }),
    await pieceOf('Hidden'),
    await pieceOf('Sold', 0),
  ];
  await db.updateTable('products').set({ state: 'hidden', deletedAt: new Date().toISOString() }).where('id', '=', hidden._id).execute();
  const reply = await pick(seat._id, [lamp._id, hidden._id, seat._id, sold._id, pot._id]);
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await goesWith(seat._id)).toEqual(['Elsewhere', 'Pot', 'Rug']);
  await app.inject({ method: 'DELETE', url: `/api/products/${lamp._id}`, headers });
  expect(await goesWith(seat._id)).toEqual(['Pot', 'Rug']);
});

test('a cached page shows at once what is picked, and the shopper’s answer does not name what is hidden', async () => {
  const [bench, vase] = [
    await pieceOf('Bench of ash'),
    await aProduct(db, { name: 'Far Vase', category: 'Vase', brand: 'Any', fit: 'Loft' }),
  ];
  const page = async () => (await app.inject({ url: `/product/${bench._id}` })).body;
  expect(await page()).not.toContain('Far Vase');
  await pick(bench._id, [vase._id]);
  expect(await page()).toContain('Far Vase');
  expect((await app.inject({ url: `/api/products/${bench._id}` })).body).not.toContain(vase._id);
});

test('what is no number of a product, and a ninth, are refused', async () => {
  const table = await pieceOf('Table');
  for (const wrong of [['a lamp'], Array.from({ length: 9 }, (_, n) => `019a0000-0000-7000-8000-00000000000${n}`)]) {
    const reply = await pick(table._id, wrong);
    expect([reply.statusCode, reply.json<{ errors: object }>().errors]).toEqual([
      400,
      { goesWith: expect.stringMatching(/at most 8 products/) },
    ]);
  }
});
