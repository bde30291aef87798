import { boxesOf } from '#contract/catalogue/boxes.ts';
import type { Measurement, Product } from '#contract/catalogue/catalogue.ts';
import { CLEARANCE, STANDARD_DOOR_HEIGHT } from '#contract/catalogue/doors.ts';
import { type Dimensions, lengthsOf, readMeasurement, withoutUnit } from '#contract/catalogue/measurement.ts';

/** How a size is carried in. Stored doors follow a change of these rules only with a higher `ATTRIBUTES_VERSION`. */
export type Carrying = Omit<Product['carrying'][number], 'position'>;

/** "Height with legs off (4 screws)" */
const PARTS_OFF = /^(width|depth|height) with (?:its )?(.+?) off(?: ?\((.+)\))?$/i;
/** "Packed size", "Largest of 3 boxes" */
const PACKED = /^(?:packed size|largest of (\d{1,3}) boxes)$/i;
const SMALLEST_DOOR = /^(?:smallest|narrowest) door$/i;

const list = new Intl.ListFormat('en-GB');

/** The box that it arrives in: the largest of them, if there are several. */
function boxedOf(measurements: readonly Measurement[]): Carrying | undefined {
  for (const { name, value } of measurements) {
    const plainName = withoutUnit(name);
    const [isPacked, count = '1'] = PACKED.exec(plainName) ?? [];
    // Read like the size of a piece, whose sides may be labelled in any order.
    const { width, depth, height } = (isPacked && readMeasurement(name.replace(plainName, 'Size'), value)) || {};
    if (width && depth && height) return { off: null, boxes: Number(count), width, depth, height };
  }
  return undefined;
}

/** The piece without the parts that come off. The first measurement of a side counts. */
function bareOf(measurements: readonly Measurement[], outer: Dimensions): Carrying | undefined {
  const sides = new Map<string, { length: number; off: string }>();
  for (const { name, value } of measurements) {
    const [, side, parts = '', how] = PARTS_OFF.exec(withoutUnit(name)) ?? [];
    const [length] = (side && lengthsOf(name, value)) || [];
    const key = side?.toLowerCase() ?? '';
    if (length && !sides.has(key)) sides.set(key, { length, off: `${parts.toLowerCase()} off${how ? ` (${how})` : ''}` });
  }
  if (sides.size === 0) return undefined;
  const [width, depth, height] = (['width', 'depth', 'height'] as const).map((side) => sides.get(side)?.length ?? outer[side]);
  const off = list.format([...new Set([...sides.values()].map((one) => one.off))]);
  return width && depth && height ? { off, boxes: null, width, depth, height } : undefined;
}

/**
 * How a piece that is not carried in assembled goes in: in boxes, else without the parts that come off. Read from the names of its measurements; undefined
 * for a piece that goes in assembled.
 */
export const carryingOf = (measurements: readonly Measurement[], outer: Dimensions): Carrying | undefined =>
  boxedOf(measurements) ?? bareOf(measurements, outer);

/** How each size is carried in, where that is known. What all sizes have in common is read once. */
export function carryingOfSizes(product: Pick<Product, 'dimensions' | 'sizes' | 'measurements' | 'boxes'>): Product['carrying'] {
  const ofAll = measurementsOf(undefined, product);
  const boxed = boxedOf(ofAll);
  return product.dimensions.flatMap(({ position, width, depth, height }) => {
    const own = product.sizes[position]?.measurements ?? [];
    const outer = { width: width ?? undefined, depth: depth ?? undefined, height: height ?? undefined };
    const carrying = boxedOf(own) ?? boxed ?? bareOf([...own, ...ofAll], outer);
    return carrying ? [{ position, ...carrying }] : [];
  });
}

/** The narrowest width of a standard door that a box goes through, with room for fingers, in whole centimetres; undefined if it goes through none. */
function doorOf({ width, depth, height }: Dimensions): number | undefined {
  if (!width || !depth || !height) return undefined;
  // The longest side goes through the door last, so only the two shorter ones must fit.
  const [least = 0, middle = 0] = [width, depth, height].sort((a, b) => a - b);
  return middle + CLEARANCE <= STANDARD_DOOR_HEIGHT ? Math.ceil((least + CLEARANCE) / 10) * 10 : undefined;
}

/** A product's field "Boxes" as a measurement: the largest box is the one that needs the widest door. A comma is a decimal one. */
function largestBoxOf(text: string): Measurement[] {
  const boxes = boxesOf(text.replaceAll(',', '.'));
  // A box that cannot be read counts as the largest: nothing is said of a door then.
  const widestDoor = (value: string) => doorOf(readMeasurement('Size', value) ?? {}) ?? Number.MAX_SAFE_INTEGER;
  const [largest] = boxes.toSorted((one, other) => widestDoor(other) - widestDoor(one));
  return largest ? [{ name: `Largest of ${boxes.length} boxes`, value: largest }] : [];
}

/**
 * All that is known of a size: its own measurements come before the boxes of its product, and those before the product's measurements. A box wins over parts
 * that come off (`carryingOf`), wherever it is named: it is how the piece arrives.
 */
export const measurementsOf = (
  size: Pick<Product['sizes'][number], 'measurements'> | undefined,
  { boxes, measurements }: Pick<Product, 'boxes' | 'measurements'>,
): Measurement[] => [...(size?.measurements ?? []), ...largestBoxOf(boxes), ...measurements];

/** The width in millimetres of the smallest door that it comes through: as its measurements say, else as it is carried. */
export function smallestDoorOf(measurements: readonly Measurement[], outer: Dimensions): number | null {
  const [stated] = measurements.flatMap(({ name, value }) => (SMALLEST_DOOR.test(withoutUnit(name)) && lengthsOf(name, value)) || []);
  return stated ?? doorOf(carryingOf(measurements, outer) ?? outer) ?? null;
}
