import type { Room } from '#contract/catalogue/catalogue.ts';
import type { ShopFacts } from '#contract/page.ts';
import type { ProductDetailState } from '#web/state/product-detail.slice.ts';
import type { ProductListState } from '#web/state/product-list.slice.ts';
import { type RootState, rootReducer } from '#web/state/store.ts';

/** The server's data for the browser, as a JSON block. */
export interface PageState {
  store: Partial<RootState>;
  shop: ShopFacts;
  /** What the loaders returned, by route. */
  loaderData: Record<string, unknown>;
  /** Loader errors by route. */
  errors: Record<string, { message: string }> | null;
}

const initial = rootReducer(undefined, { type: '' });

const withFirstPieces = (rooms: Room[]): Room[] => rooms.map((room, place) => (place === 0 ? room : { ...room, pieces: [] }));

const listOf = (list: ProductListState): ProductListState => ({
  ...list,
  rooms: withFirstPieces(list.rooms),
  head: list.head && { ...list.head, rooms: withFirstPieces(list.head.rooms) },
});

const detailOf = ({ related, ...detail }: ProductDetailState): ProductDetailState => ({
  ...detail,
  related: related && { ...related, rooms: withFirstPieces(related.rooms) },
});

/**
 * The part of the store that a page carries: one round trip less on a slow line. Left out are slices that a new store has too and the
 * pieces of all rooms but the first, which the browser loads (`useWholeRooms`).
 */
export function carriedState(state: RootState): Partial<RootState> {
  const lean = { ...state, productList: listOf(state.productList), productDetail: detailOf(state.productDetail) };
  const touched = Object.entries(lean).filter(([name]) => state[name as keyof RootState] !== initial[name as keyof RootState]);
  return Object.fromEntries(touched);
}
