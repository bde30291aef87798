import type { Piece } from '#contract/catalogue/catalogue.ts';
import { type Variant, variantParameters } from '#contract/catalogue/variant.ts';
import type { Wish } from '#contract/wishlist/wishlist.ts';
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

/** The size and colour of a piece, if a particular one is chosen. */
export const choiceOf = ({ size, colour, chosen }: Piece): Variant => ({
  size: chosen.size && size,
  colour: chosen.colour && colour?.name,
});

/** The variant of a cart line, as a wish. */
export const wishOf = ({ _id, size, color }: CartItem): Wish => ({ _id, size: size ?? null, color: color ?? null });

/** A cart line's name with its choice. */
export const nameOf = ({ name, size, colourName }: CartItem): string => [name, size, colourName].filter(Boolean).join(', ');
