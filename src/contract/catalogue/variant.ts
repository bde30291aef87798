/** A size and a colour of a product, by name; either may be missing. */
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

/** The name among `names` whose slug a URL has; undefined if none matches. */
export const nameFromUrl = (slug: string | null | undefined, names: readonly string[]): string | undefined =>
  slug ? names.find((name) => slugOf(name) === slugOf(slug)) : undefined;

export interface NamedColour {
  name: string;
  hexCode: string;
}

/** A colour in a URL: its name, or its hex code if two colours of the product share the name. */
export const colourForUrl = ({ name, hexCode }: NamedColour, colors: readonly NamedColour[]): string =>
  colors.some((other) => other.name === name && other.hexCode !== hexCode) ? hexCode : name;

/** The variant that a URL names, as slugs or other spellings of the names. */
export const variantIn = (search: { get: (name: string) => string | null }): Variant => ({
  size: search.get('size'),
  colour: search.get('colour'),
});

/** A variant as URL parameters: `size=two-seat&colour=slate`. */
export function variantParameters({ size, colour }: Variant): string {
  const slugs = { size: slugOf(size ?? ''), colour: slugOf(colour ?? '') };
  return Object.entries(slugs)
    .flatMap(([name, slug]) => (slug ? [`${name}=${encodeURIComponent(slug)}`] : []))
    .join('&');
}

/** A product's path with the URL parameters of a variant, which may be empty. */
export const productPathOf = (id: string, parameters = ''): string => `/product/${id}${parameters && `?${parameters}`}`;

/** The path of a product's page, showing a variant if one is given: `/product/…?size=two-seat&colour=slate`. */
export const productPath = (id: string, variant: Variant = {}): string => productPathOf(id, variantParameters(variant));

/** A variant in words, beside a product's name: "two-seat, slate". Abbreviations such as "XL" keep their capitals. */
export const variantText = ({ size, colour }: Variant): string =>
  [size, colour]
    .filter(Boolean)
    .join(', ')
    .replace(/\b\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());

/** "Oslo Sofa, two-seat, slate" */
export const variantName = (name: string, variant: Variant): string => [name, variantText(variant)].filter(Boolean).join(', ');
