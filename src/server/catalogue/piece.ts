import { type Colour, firstSizeOf, type Piece, priceOf, type Size, stockOfSize } from '#contract/catalogue/catalogue.ts';
import { namedColour } from '#contract/catalogue/colour.ts';
import { pictureOf, type Shown } from '#contract/catalogue/shown-picture.ts';
import { nameFromUrl, type Variant } from '#contract/catalogue/variant.ts';

/** A product as far as it says what one puts into the cart without choosing. */
interface Offered {
  _id: string;
  name: string;
  price: number;
  countInStock: number;
  images: readonly string[];
  shown: Record<string, Partial<Shown>>;
  sizes: readonly Size[];
  colors: readonly Colour[];
}

/** A product in a size and a colour, by their slugs; those that are not named or not known are as its page opens: its first size in stock, its first colour. */
export function pieceOf(product: Offered, wanted: Variant = {}): Piece {
  const { _id, name, images, shown, sizes, colors } = product;
  const sizeNames = sizes.map((one) => one.size);
  const size = nameFromUrl(wanted.size, sizeNames) ?? firstSizeOf(product) ?? null;
  const colours = colors.map(({ hexCode }) => ({ hexCode, name: namedColour(hexCode).name }));
  const colour = colours.find((one) => nameFromUrl(wanted.colour, [one.name, one.hexCode])) ?? colours[0] ?? null;
  const isShared = colours.some(({ hexCode, name: other }) => hexCode !== colour?.hexCode && other === colour?.name);
  const pictures = images.map((image) => ({ kind: null, size: null, color: null, ...shown[image] }));
  return {
    _id,
    name,
    price: priceOf(product, size ?? undefined),
    isSold: stockOfSize(product, size) > 0,
    image: images[0] ?? '',
    picture: images[pictureOf(pictures, size, colour?.hexCode)] ?? '',
    size,
    colour,
    chosen: {
      size: sizes.length > 1 ? size : null,
      colour: colour && colours.length > 1 ? (isShared ? colour.hexCode : colour.name) : null,
    },
  };
}
