import type { Product } from '#contract/catalogue/catalogue.ts';
import { colourInWords } from '#contract/catalogue/colour.ts';
import { dimensionsOf, lengthsOf } from '#contract/catalogue/measurement.ts';
import { measurementsOf, smallestDoorOf } from './carrying.ts';
import { materialsOf } from './materials.ts';
import { seatsOf } from './seats.ts';

/**
 * The version of the rules. Raise it with every change of a rule or of a vocabulary: products with older attributes are derived again after the next
 * start.
 */
export const ATTRIBUTES_VERSION = 8;

/** The fields from which attributes are derived. */
export type Described = Pick<Product, 'name' | 'subCategory' | 'description' | 'fit' | 'measurements' | 'boxes'> & {
  colors: readonly { colorName: string; hexCode: string }[];
  sizes: readonly Pick<Product['sizes'][number], 'size' | 'measurements'>[];
};

/** What filters compare of a size: its dimensions in millimetres, and how many can sit on it. */
export type SizeDimensions = Product['dimensions'][number] & { seatHeight: number | null; seats: string | null };

/** Derived columns for filters and the search. */
export interface Attributes {
  materials: string[];
  colourFamilies: string[];
  /** Of all its sizes. */
  seats: string[];
  /** The names of its sizes, colours and materials, for the search. */
  labelWords: string;
  /** The room or use in lower case. */
  fitKey: string;
  /** Sort keys of lists, in millimetres; products without measurements come last. */
  leastWidth: number;
  mostWidth: number;
  leastHeight: number;
  mostHeight: number;
  /** One for each size with a known dimension; for a product without sizes one of its own. */
  dimensions: SizeDimensions[];
}

const seatHeightOf = (measurements: Described['measurements']): number | null => {
  const [height] = measurements.flatMap(({ name, value }) => (/^seat height\b/i.test(name) ? (lengthsOf(name, value)?.[0] ?? []) : []));
  return height ?? null;
};

/** A size overrides what the whole product says. */
function dimensionsOfSizes(product: Described): SizeDimensions[] {
  const { name, subCategory, measurements, sizes } = product;
  const outerOfProduct = dimensionsOf(measurements);
  const kinds = subCategory.split(',');
  // With several subcategories it is open which of them gives the seats.
  const seatsOfProduct = seatsOf(name) ?? (kinds.length === 1 ? seatsOf(subCategory) : null);
  const rows = (sizes.length === 0 ? [{ size: '', measurements: [] }] : sizes).map((size, position) => {
    const allMeasurements = measurementsOf(size, product);
    const outer = { ...outerOfProduct, ...dimensionsOf(size.measurements) };
    const { width = null, depth = null, height = null } = outer;
    const door = smallestDoorOf(allMeasurements, outer);
    return { position, width, depth, height, door, seatHeight: seatHeightOf(allMeasurements), seats: seatsOf(size.size) ?? seatsOfProduct };
  });
  return rows.filter(({ position, ...values }) => Object.values(values).some((value) => value !== null));
}

/** The largest `smallint`, the default of the columns with minimum lengths. */
const UNKNOWN_LENGTH = 32_767;

function extremesOf(dimensions: readonly SizeDimensions[]) {
  const widths = dimensions.flatMap(({ width }) => width ?? []);
  const heights = dimensions.flatMap(({ height }) => height ?? []);
  return {
    leastWidth: Math.min(UNKNOWN_LENGTH, ...widths),
    mostWidth: Math.max(0, ...widths),
    leastHeight: Math.min(UNKNOWN_LENGTH, ...heights),
    mostHeight: Math.max(0, ...heights),
  };
}

/** Derives a product's attributes (decision 18). Deterministic. */
export function attributesOf(product: Described): Attributes {
  const materials = materialsOf(product);
  const colours = product.colors.map(colourInWords);
  const colourFamilies = [...new Set(colours.flatMap(({ families }) => families))];
  const dimensions = dimensionsOfSizes(product);
  const labels = [...product.sizes.map(({ size }) => size), ...colours.map(({ name }) => name), ...colourFamilies, ...materials];
  return {
    materials,
    colourFamilies,
    seats: [...new Set(dimensions.flatMap(({ seats }) => seats ?? []))],
    labelWords: [...new Set(labels)].join(' '),
    fitKey: product.fit.trim().toLowerCase(),
    ...extremesOf(dimensions),
    dimensions,
  };
}
