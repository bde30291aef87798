import type { Piece } from '#contract/catalogue/catalogue.ts';
import { variantParameters } from '#contract/catalogue/variant.ts';
import type { CartItem } from './cart.slice.ts';

/** A cart line of a piece. */
export function lineOf({ _id, name, price, image, picture, size, colour, chosen }: Piece, qty = 1): CartItem {
  const variant = variantParameters(chosen);
  return {
    _id,
    name,
    image,
    price,
    qty,
    ...(picture !== image && { picture }),
    ...(size && { size }),
    ...(colour && { color: colour.hexCode, colourName: colour.name }),
    ...(variant && { variant }),
  };
}
