import type { Product } from '#contract/catalogue/catalogue.ts';
import { SIDES } from './dimensions.ts';
import { inBothUnits } from './lengths.ts';

/** Pieces whose smallest side is less go through every door, in millimetres. */
const LARGE = 550;

/** Whether one of a product's sizes is so large that a door may be too narrow for it. */
export const isLarge = (dimensions: Product['dimensions']): boolean =>
  dimensions.some((outer) => SIDES.every((side) => (outer[side] ?? 0) >= LARGE));

/** "71 cm (28 in), with its legs off (4 screws)", "comes in 3 boxes": how a size comes through a door; undefined if that is not known. */
export function smallestDoorText(
  { dimensions, carrying }: Pick<Product, 'dimensions' | 'carrying'>,
  sizeIndex: number,
): string | undefined {
  const smallest = dimensions.find(({ position }) => position === sizeIndex)?.door;
  const carried = carrying.find(({ position }) => position === sizeIndex);
  if (carried?.boxes) return carried.boxes === 1 ? 'comes in a box' : `comes in ${carried.boxes} boxes`;
  if (!smallest) return undefined;
  return `${inBothUnits(smallest)}${carried?.off ? `, with its ${carried.off}` : ''}`;
}
