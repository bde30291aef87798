import type { Product } from '#contract/catalogue.ts';
import type { Choice } from './use-choice.ts';

/** Cubic millimetres. What takes more room than this when packed, such as an armchair (0.5 m³), is carried by two; a lamp or a chair is not. */
const ONE_CAN_CARRY = 400_000_000;

/** Whether two people bring it to the room, as the shipping policy has it for large pieces; never where a side is not known. */
export function isCarriedByTwo({ sizes, dimensions }: Product, { chosen }: Pick<Choice, 'chosen'>): boolean {
  const place = chosen ? sizes.indexOf(chosen) : 0;
  const { width, depth, height } = dimensions.find(({ position }) => position === place) ?? {};
  return (width ?? 0) * (depth ?? 0) * (height ?? 0) >= ONE_CAN_CARRY;
}
