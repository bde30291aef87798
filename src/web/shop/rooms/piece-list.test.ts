import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { Call } from '#contract/api.ts';
import type { RoomPiece } from '#contract/catalogue/catalogue.ts';
import { itemAdded } from '#web/state/cart.slice.ts';
import { lineOf } from '#web/state/piece-line.ts';
import { makeStore } from '#web/state/store.ts';
import { PieceList } from './piece-list.tsx';

/** Its children are arguments of `createElement`. */
const StoreProvider = Provider as FunctionComponent<{ store: ReturnType<typeof makeStore> }>;

const aPiece = (name: string, isSold: boolean): RoomPiece => ({
  _id: name,
  name,
  price: 4_500,
  isSold,
  image: '',
  picture: '',
  size: null,
  colour: null,
  chosen: { size: null, colour: null },
  x: 50,
  y: 50,
});
const vase = aPiece('Vase', false);
const [lamp, bowl] = [aPiece('Lamp', true), aPiece('Bowl', true)];

/** What stands below a list of pieces. */
function offerOf(pieces: RoomPiece[], inCart: RoomPiece[]): string {
  const store = makeStore((async () => ({})) as Call);
  for (const piece of inCart) store.dispatch(itemAdded(lineOf(piece)));
  const list = createElement(PieceList, { pieces, labelledBy: 'room' });
  const html = renderToStaticMarkup(createElement(StoreProvider, { store }, createElement(MemoryRouter, null, list)));
  return (html.split('</ul>')[1] ?? '').replace(/<[^>]*>/g, '');
}

test('a room offers what is in stock and not in the cart, and leads to a cart only if that has some of it (§19.4)', () => {
  expect(offerOf([vase, lamp, bowl], [])).toBe('Add all 2 to cart, £90.00');
  expect(offerOf([vase, lamp, bowl], [lamp])).toBe('Add it to cart, £45.00');
  expect(offerOf([vase, lamp], [lamp])).toBe('View cart');
  expect(offerOf([vase], [lamp])).toBe('');
});
