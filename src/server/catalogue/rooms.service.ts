import type { Room } from '#contract/catalogue/catalogue.ts';
import { spotsIn } from '#contract/catalogue/rooms.ts';
import type { Services } from '#server/context/services.ts';
import { arrayOf } from '#server/platform/database/arrays.ts';
import { compiledOnce } from '#server/platform/database/compiled-query.ts';
import { sizesInOrder } from './catalogue.service.ts';
import { pieceOf } from './piece.ts';

const PIECE_COLUMNS = ['id as _id', 'name', 'category', 'price', 'countInStock', 'images', 'shown', 'colors', sizesInOrder] as const;

/** The products with some names; of several with the same name, one in stock before others, then the most expensive. */
const productsNamed = compiledOnce((db, names: string[]) =>
  db
    .selectFrom('products')
    .select(PIECE_COLUMNS)
    .where('name', '=', (eb) => eb.fn.any(arrayOf(names, 'text')))
    .where('deletedAt', 'is', null)
    .orderBy('isAvailable', 'desc')
    .orderBy('fromPrice', 'desc')
    .orderBy('id'),
);

/** A room's spots, one for each product: a second one of the same, such as of two chairs, would be added and counted twice. */
const spotsOf = (text: string) => (spotsIn(text) ?? []).filter(({ name }, at, all) => all.findIndex((spot) => spot.name === name) === at);

/** A room with its products that are in the shop, and what these are. */
interface SoldRoom {
  room: Room;
  categories: string[];
}

/** The owner's rooms in the owner's order, without those that have no product in the shop. */
async function readRooms({ config, readDb }: Pick<Services, 'config' | 'readDb'>): Promise<SoldRoom[]> {
  const rooms = config.catalogue.rooms.filter(({ picture }) => picture).map((room) => ({ ...room, spots: spotsOf(room.pieces) }));
  const names = [...new Set(rooms.flatMap(({ spots }) => spots.map(({ name }) => name)))];
  const sold = names.length === 0 ? [] : await productsNamed(readDb, names);
  // Reversed, so that the first product of a name counts.
  const byName = new Map(sold.toReversed().map((product) => [product.name, product]));
  return rooms.flatMap(({ picture, shape, words, spots }) => {
    const products = spots.flatMap(({ name, x, y }) => {
      const product = byName.get(name);
      return product ? [{ product, x, y }] : [];
    });
    if (products.length === 0) return [];
    const pieces = products.map(({ product, x, y }) => ({ ...pieceOf(product), x, y }));
    return [{ room: { picture, shape, words, pieces }, categories: products.map(({ product }) => product.category.toLowerCase()) }];
  });
}

/** The rooms to list; all if neither is given. */
interface Asked {
  category?: string | undefined;
  pieces?: readonly string[];
}

/** The owner's rooms with the products that are in the shop, in the owner's order. With `pieces` only rooms with some of these, those with the most first. */
export async function listRooms(
  { config, readDb, facts }: Pick<Services, 'config' | 'readDb' | 'facts'>,
  { category, pieces = [] }: Asked,
): Promise<Room[]> {
  // Every page of a product asks which rooms it stands in. A piece's size is the first in stock.
  const rooms = await facts.getOrMake('rooms', ['settings', 'products', 'stock'], () => readRooms({ config, readDb }));
  const wanted = category?.trim().toLowerCase();
  const found = rooms.flatMap(({ room, categories }) => {
    const shared = room.pieces.filter(({ _id }) => pieces.includes(_id)).length;
    const isAsked = (!wanted || categories.includes(wanted)) && (pieces.length === 0 || shared > 0);
    return isAsked ? [{ shared, room }] : [];
  });
  return found.sort((one, other) => other.shared - one.shared).map(({ room }) => room);
}
