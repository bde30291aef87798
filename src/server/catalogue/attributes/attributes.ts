import type { Product } from '#contract/catalogue/catalogue.ts';
import { namedColour } from '#contract/catalogue/colour.ts';
import { dimensionsOf } from '#contract/catalogue/measurement.ts';
import { materialsOf } from './materials.ts';

/**
 * Names the rules by which attributes are derived. Whoever changes a rule, or a word of a vocabulary, raises it: products that were derived by an
 * older one are derived again after the next start.
 */
export const ATTRIBUTES_VERSION = 3;

/** What attributes are derived from: what the administrator typed. */
export type Described = Pick<Product, 'name' | 'subCategory' | 'description' | 'fit' | 'measurements'> & {
  colors: readonly { hexCode: string }[];
  sizes: readonly Pick<Product['sizes'][number], 'size' | 'measurements'>[];
};

/** The outer dimensions of one size, by its position; millimetres, null where nothing tells. */
export interface SizeDimensions {
  position: number;
  width: number | null;
  depth: number | null;
  height: number | null;
}

/** What filters compare of a product, beside what it holds as it is. */
export interface Attributes {
  materials: string[];
  colourFamilies: string[];
  /** What the product is called by its sizes, colours and materials, for the search. */
  labelWords: string;
  /** The room or use, in lower case. */
  fitKey: string;
  /** One for each size of which anything is known; one for the product itself where its sizes tell nothing. */
  dimensions: SizeDimensions[];
}

function dimensionsOfAll({ measurements, sizes }: Described): SizeDimensions[] {
  const own = dimensionsOf(measurements);
  const rows = (sizes.length === 0 ? [[]] : sizes.map((size) => size.measurements)).map((typed, position) => {
    // What is true of the whole product is true of each size that does not say otherwise.
    const { width = null, depth = null, height = null } = { ...own, ...dimensionsOf(typed) };
    return { position, width, depth, height };
  });
  return rows.filter(({ width, depth, height }) => width !== null || depth !== null || height !== null);
}

/** Derives a product's attributes (decision 18). The same input gives the same attributes, also in another process. */
export function attributesOf(product: Described): Attributes {
  const materials = materialsOf(product);
  const colours = product.colors.map(({ hexCode }) => namedColour(hexCode));
  const colourFamilies = [...new Set(colours.flatMap(({ families }) => families))];
  const labels = [...product.sizes.map(({ size }) => size), ...colours.map(({ name }) => name), ...colourFamilies, ...materials];
  return {
    materials,
    colourFamilies,
    labelWords: [...new Set(labels)].join(' '),
    fitKey: product.fit.trim().toLowerCase(),
    dimensions: dimensionsOfAll(product),
  };
}
