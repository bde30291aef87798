/** A size and a colour of a product, by their names; absent where none in particular is meant. */
export interface Variant {
  size?: string | null | undefined;
  colour?: string | null | undefined;
}

/** "Light grey" in a URL: `light-grey`. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** The one of `names` that a URL means, in whatever spelling; undefined where none is. */
export const nameFromUrl = (slug: string | null | undefined, names: readonly string[]): string | undefined =>
  slug ? names.find((name) => slugOf(name) === slugOf(slug)) : undefined;

export interface NamedColour {
  name: string;
  hexCode: string;
}

/** A colour in a URL: its name, or its hex code if two colours of the product share the name. */
export const colourForUrl = ({ name, hexCode }: NamedColour, colors: readonly NamedColour[]): string =>
  colors.some((other) => other.name === name && other.hexCode !== hexCode) ? hexCode : name;

/** The variant that a URL names, as written there. */
export const variantIn = (search: { get: (name: string) => string | null }): Variant => ({
  size: search.get('size'),
  colour: search.get('colour'),
});

/** The parameters of a URL that name a variant, in one order and spelling: `size=two-seat&colour=slate`. */
export function variantParameters({ size, colour }: Variant): string {
  const slugs = { size: slugOf(size ?? ''), colour: slugOf(colour ?? '') };
  return Object.entries(slugs)
    .flatMap(([name, slug]) => (slug ? [`${name}=${encodeURIComponent(slug)}`] : []))
    .join('&');
}

/** A product's path with a variant's parameters that are already written out. */
export const productPathOf = (id: string, parameters = ''): string => `/product/${id}${parameters && `?${parameters}`}`;

/** Where a product is shown, as one of its variants where one is meant: `/product/…?size=two-seat&colour=slate`. */
export const productPath = (id: string, variant: Variant = {}): string => productPathOf(id, variantParameters(variant));

/** Beside a product's name: "two-seat, slate". Abbreviations such as "XL" keep their capitals. */
export const variantText = ({ size, colour }: Variant): string =>
  [size, colour]
    .filter(Boolean)
    .join(', ')
    .replace(/\b\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());

/** "Oslo Sofa, two-seat, slate" */
export const variantName = (name: string, variant: Variant): string => [name, variantText(variant)].filter(Boolean).join(', ');
