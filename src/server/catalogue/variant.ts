import {
  type Colour,
  defaultSizeOf,
  type ListProductsQuery,
  type ProductCard,
  priceOf,
  type Size,
  stockOfSize,
  wasPriceOf,
} from '#contract/catalogue/catalogue.ts';
import { colourInWords, colourName } from '#contract/catalogue/colour.ts';
import { filtersOfKind } from '#contract/catalogue/filters.ts';
import { pictureOf, type Shown } from '#contract/catalogue/shown-picture.ts';
import { variantName } from '#contract/catalogue/variant.ts';
import type { SizeDimensions } from './attributes/attributes.ts';
import { type Filters, type Range, wantedSeats } from './find/filters.ts';

/** A list's filters and sort. `colours` also has the colour names of the search. */
export type FiltersAndSort = Filters & { sortBy: ListProductsQuery['sortBy'] };

/** The sorts by a size's measurement; -1 puts the largest first. */
const BY_SIDE = {
  narrowest: { side: 'width', sign: 1 },
  widest: { side: 'width', sign: -1 },
  lowest: { side: 'height', sign: 1 },
  tallest: { side: 'height', sign: -1 },
} as const;
const sideSortOf = (sortBy: string) => BY_SIDE[sortBy as keyof typeof BY_SIDE] as (typeof BY_SIDE)[keyof typeof BY_SIDE] | undefined;

/** The columns of a product that decide its variants. */
interface ProductVariants {
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

/**
 * The best size that matches the filters: in stock first, then by the list's sort if that is by a measurement, then the cheapest. Undefined if the filters
 * and the sort do not tell the sizes apart.
 */
function sizeFor(product: ProductVariants, asked: FiltersAndSort): Size | undefined {
  const measuredAt = (index: number) => product.measured.find(({ position }) => position === index);
  const seats = wantedSeats(asked);
  // If no size has these seats, the subcategory holds for the whole product.
  const hasSeats = product.measured.some((one) => seats.includes(one.seats ?? ''));
  const matching = product.sizes.filter(({ size }, index) => {
    const measured = measuredAt(index);
    return (
      isWithin(priceOf(product, size), asked.price) &&
      (!asked.isInStock || stockOfSize(product, size) > 0) &&
      (!hasSeats || seats.includes(measured?.seats ?? '')) &&
      filtersOfKind('length', 'most').every((side) => isWithin(measured?.[side], asked[side]))
    );
  });
  const sort = sideSortOf(asked.sortBy);
  const isEverySize = matching.length === product.sizes.length;
  if (isEverySize && (!sort || matching.length < 2)) return undefined;
  const ranked = matching.map((size) => {
    const side = sort && measuredAt(product.sizes.indexOf(size))?.[sort.side];
    return { size, isOut: stockOfSize(product, size.size) === 0, rank: side ? sort.sign * side : 0, price: priceOf(product, size.size) };
  });
  return ranked.sort((a, b) => Number(a.isOut) - Number(b.isOut) || a.rank - b.rank || a.price - b.price)[0]?.size;
}

/**
 * The colour that matches the filters best: by its own name, then by its nearest colour family, since oatmeal is beige before it is grey. Undefined if all
 * colours match equally well, or none does.
 */
function colourFor({ colors }: ProductVariants, asked: FiltersAndSort): Colour | undefined {
  const ranks = colors.map((colour) => {
    const { name, families } = colourInWords(colour);
    const rank = [name.toLowerCase(), ...families].findIndex((word) => asked.colours.includes(word));
    return rank === -1 ? Infinity : rank;
  });
  const best = Math.min(...ranks);
  return ranks.every((rank) => rank === best) ? undefined : colors[ranks.indexOf(best)];
}

/** The variant of a product that matches a list's filters and search; undefined if they do not tell its variants apart. */
export function variantFor(product: ProductVariants, asked: FiltersAndSort): ProductCard['variant'] {
  const [size, colour] = [sizeFor(product, asked), colourFor(product, asked)];
  if (!size && !colour) return undefined;
  const pictures = product.images.map((image) => ({ kind: null, size: null, color: null, ...product.shown[image] }));
  const named = { size: size?.size ?? null, colour: colour ? colourName(colour) : null };
  return {
    ...named,
    name: variantName(product.name, named),
    price: size ? priceOf(product, size.size) : null,
    wasPrice: size ? wasPriceOf(product, size.size) : product.wasPrice,
    piecesLeft: size ? stockOfSize(product, size.size) : product.piecesLeft,
    image: product.images[pictureOf(pictures, size?.size ?? defaultSizeOf(product), (colour ?? product.colors[0])?.hexCode)] ?? null,
  };
}
