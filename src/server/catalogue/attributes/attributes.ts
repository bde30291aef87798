import type { Product } from '#contract/catalogue/catalogue.ts';
import { namedColour } from '#contract/catalogue/colour.ts';
import { dimensionsOf } from '#contract/catalogue/measurement.ts';
import { materialsOf } from './materials.ts';

/**
 * The version of the rules. Raise it with every change of a rule or of a vocabulary: products with older attributes are derived again after the next
 * start.
 */
export const ATTRIBUTES_VERSION = 3;

/** The fields from which attributes are derived. */
export type Described = Pick<Product, 'name' | 'subCategory' | 'description' | 'fit' | 'measurements'> & {
  colors: readonly { hexCode: string }[];
  sizes: readonly Pick<Product['sizes'][number], 'size' | 'measurements'>[];
};

/** Derived columns for filters and the search. */
export interface Attributes {
  materials: string[];
  colourFamilies: string[];
  /** The names of its sizes, colours and materials, for the search. */
  labelWords: string;
  /** The room or use in lower case. */
  fitKey: string;
  /** One for each size with a known dimension; for a product without sizes one of its own. */
  dimensions: Product['dimensions'];
}

function dimensionsOfAll({ measurements, sizes }: Described): Product['dimensions'] {
  const own = dimensionsOf(measurements);
  const rows = (sizes.length === 0 ? [[]] : sizes.map((size) => size.measurements)).map((typed, position) => {
    // A size overrides the product's measurements.
    const { width = null, depth = null, height = null } = { ...own, ...dimensionsOf(typed) };
    return { position, width, depth, height };
  });
  return rows.filter(({ width, depth, height }) => width !== null || depth !== null || height !== null);
}

/** Derives a product's attributes (decision 18). Deterministic. */
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
