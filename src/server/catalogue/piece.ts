import { type Colour, defaultSizeOf, type Piece, priceOf, type Size, stockOfSize } from '#contract/catalogue/catalogue.ts';
import { namedColour } from '#contract/catalogue/colour.ts';
import { pictureOf, type Shown } from '#contract/catalogue/shown-picture.ts';
import { nameFromUrl, type Variant } from '#contract/catalogue/variant.ts';

/** The fields of a product that decide what goes into the cart without a choice. */
interface PieceProduct {
  _id: string;
  name: string;
  price: number;
  countInStock: number;
  images: readonly string[];
  shown: Record<string, Partial<Shown>>;
  sizes: readonly Size[];
  colors: readonly Colour[];
}

/**
 * A product in the size and colour of a variant, by name or slug. Without a known one it has those that its page opens with: the first size in stock, the
 * first colour.
 */
export function pieceOf(product: PieceProduct, wanted: Variant = {}): Piece {
  const { _id, name, images, shown, sizes, colors } = product;
  const sizeNames = sizes.map((one) => one.size);
  const size = nameFromUrl(wanted.size, sizeNames) ?? defaultSizeOf(product) ?? null;
  const colours = colors.map(({ hexCode }) => ({ hexCode, name: namedColour(hexCode).name }));
  const colour = colours.find((one) => nameFromUrl(wanted.colour, [one.name, one.hexCode])) ?? colours[0] ?? null;
  const isNameShared = colours.some(({ hexCode, name: other }) => hexCode !== colour?.hexCode && other === colour?.name);
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
      colour: colour && colours.length > 1 ? (isNameShared ? colour.hexCode : colour.name) : null,
    },
  };
}
