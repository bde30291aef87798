import { expect, test } from 'vitest';
import type { Call } from '#contract/api.ts';
import type { Related, Room } from '#contract/catalogue/catalogue.ts';
import { loadProduct, loadRelated } from '#web/state/product-detail.slice.ts';
import { loadRooms } from '#web/state/product-list.slice.ts';
import { makeStore } from '#web/state/store.ts';
import { carriedState } from './page-state.ts';

const room = (picture: string) => ({ picture, pieces: [{ _id: 'a' }, { _id: 'b' }] }) as Room;
const ANSWERS: Record<string, unknown> = {
  'GET /api/products/rooms': [room('one'), room('two')],
  'GET /api/products/:id/related': { rooms: [room('one'), room('two')] } satisfies Partial<Related>,
};

test('a page carries what its browser shows at first: no untouched slice, the pieces of one room', async () => {
  const store = makeStore((async (name: string) => ANSWERS[name]) as Call);
  expect(carriedState(store.getState())).toEqual({});
  await store.dispatch(loadRooms());
  expect(carriedState(store.getState())).toEqual({
    productList: { ...store.getState().productList, rooms: [room('one'), { ...room('two'), pieces: [] }] },
  });
  await Promise.all([store.dispatch(loadProduct('1')), store.dispatch(loadRelated('1'))]);
  const { related } = carriedState(store.getState()).productDetail ?? {};
  expect(related).toEqual({ rooms: [room('one'), { ...room('two'), pieces: [] }] });
});
