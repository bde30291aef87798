import {
  type Colour,
  firstSizeOf,
  type ListProductsQuery,
  type ProductCard,
  piecesOfSize,
  priceOf,
  type Size,
  wasPriceOf,
} from '#contract/catalogue/catalogue.ts';
import { colourInWords, colourName } from '#contract/catalogue/colour.ts';
import { filtersOfKind } from '#contract/catalogue/filters.ts';
import { pictureOf, type Shown } from '#contract/catalogue/shown-picture.ts';
import { variantName } from '#contract/catalogue/variant.ts';
import type { SizeDimensions } from './attributes/attributes.ts';
import { type Filters, type Range, seatsMeant } from './filters.ts';

/** What a list asks of its variants: filters, colours by the names that were typed, and a sort. */
export type Asked = Filters & { sortBy: ListProductsQuery['sortBy'] };

/** Sorts by the measurement of a size, and whether the largest comes first. */
const BY_SIDE = {
  narrowest: { side: 'width', sign: 1 },
  widest: { side: 'width', sign: -1 },
  lowest: { side: 'height', sign: 1 },
  tallest: { side: 'height', sign: -1 },
} as const;
const bySide = (sortBy: string) => BY_SIDE[sortBy as keyof typeof BY_SIDE] as (typeof BY_SIDE)[keyof typeof BY_SIDE] | undefined;

/** A product as far as its variants go. */
interface Varied {
  name: string;
  price: number;
  fromPrice: number;
  wasPrice: number | null;
  piecesLeft: number;
  countInStock: number;
  images: readonly string[];
  shown: Record<string, Partial<Shown>>;
  sizes: readonly (Size & { wasPrice?: number | null })[];
  colors: readonly Colour[];
  measured: readonly SizeDimensions[];
}

const isWithin = (value: number | null | undefined, { min, max }: Range) =>
  (min === undefined && max === undefined) || (value != null && value >= (min ?? -Infinity) && value <= (max ?? Infinity));

/** Of the sizes that fit: one in stock before others, then as the list is sorted by a side, and then the cheapest. Undefined where any would do. */
function sizeFor(product: Varied, asked: Asked): Size | undefined {
  const measuredAt = (index: number) => product.measured.find(({ position }) => position === index);
  const seats = seatsMeant(asked);
  const isSeated = product.measured.some((one) => seats.includes(one.seats ?? ''));
  const fitting = product.sizes.filter(({ size }, index) => {
    const measured = measuredAt(index);
    return (
      isWithin(priceOf(product, size), asked.price) &&
      (!asked.isInStock || piecesOfSize(product, size) > 0) &&
      (!isSeated || seats.includes(measured?.seats ?? '')) &&
      filtersOfKind('length', 'most').every((side) => isWithin(measured?.[side], asked[side]))
    );
  });
  const sort = bySide(asked.sortBy);
  if (fitting.length === product.sizes.length && (!sort || fitting.length < 2)) return undefined;
  const ranked = fitting.map((size) => {
    const side = sort && measuredAt(product.sizes.indexOf(size))?.[sort.side];
    return { size, isOut: piecesOfSize(product, size.size) === 0, rank: side ? sort.sign * side : 0, price: priceOf(product, size.size) };
  });
  return ranked.sort((a, b) => Number(a.isOut) - Number(b.isOut) || a.rank - b.rank || a.price - b.price)[0]?.size;
}

/**
 * The first colour that is asked for: by its name, else by the family that it belongs to most, since oatmeal is beige before it is grey. Undefined where
 * all of them are alike, or none is asked for.
 */
function colourFor({ colors }: Varied, asked: Asked): Colour | undefined {
  const places = colors.map((colour) => {
    const { name, families } = colourInWords(colour);
    const place = [name.toLowerCase(), ...families].findIndex((word) => asked.colours.includes(word));
    return place === -1 ? Infinity : place;
  });
  const best = Math.min(...places);
  return places.every((place) => place === best) ? undefined : colors[places.indexOf(best)];
}

/** The variant of a product that a list's filters and search mean; undefined where they leave the choice open. */
export function variantFor(product: Varied, asked: Asked): ProductCard['variant'] {
  const [size, colour] = [sizeFor(product, asked), colourFor(product, asked)];
  if (!size && !colour) return undefined;
  const pictures = product.images.map((image) => ({ kind: null, size: null, color: null, ...product.shown[image] }));
  const named = { size: size?.size ?? null, colour: colour ? colourName(colour) : null };
  return {
    ...named,
    name: variantName(product.name, named),
    price: size ? priceOf(product, size.size) : null,
    wasPrice: size ? wasPriceOf(product, size.size) : product.wasPrice,
    piecesLeft: size ? piecesOfSize(product, size.size) : product.piecesLeft,
    image: product.images[pictureOf(pictures, size?.size ?? firstSizeOf(product), (colour ?? product.colors[0])?.hexCode)] ?? null,
  };
}
