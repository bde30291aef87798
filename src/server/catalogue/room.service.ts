import type { RoomPiece } from '#contract/catalogue/catalogue.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { toPrice } from './catalogue.service.ts';

/** The products in the picture of the home page's room (made by `scripts/scenes.mjs`), with their positions in per cent. */
const SHOWN = [
  { name: 'Wren Velvet Sofa', x: 66, y: 47 },
  { name: 'Orla Round Coffee Table', x: 40, y: 62 },
  { name: 'Heath Stoneware Bowl', x: 59, y: 57 },
  { name: 'Fable Brass Floor Lamp', x: 87, y: 22 },
  { name: 'Siena Side Table', x: 10, y: 66 },
  { name: 'Moon Stoneware Vase', x: 10, y: 46 },
];

/** The products of the home page's room that the shop sells; of several with the same name the most expensive. Without any, no room is shown. */
export async function readRoom(db: Db): Promise<RoomPiece[]> {
  const sold = await db
    .selectFrom('products')
    .select(['id as _id', 'name', 'price', 'fromPrice', toPrice.as('toPrice')])
    .where(
      'name',
      'in',
      SHOWN.map(({ name }) => name),
    )
    .where('deletedAt', 'is', null)
    .orderBy('fromPrice', 'desc')
    .orderBy('id')
    .execute();
  return SHOWN.flatMap((place) => {
    const piece = sold.find(({ name }) => name === place.name);
    return piece ? [{ ...place, ...piece }] : [];
  });
}
