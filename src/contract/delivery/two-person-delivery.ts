/** Cubic millimetres. An armchair (0.5 m³) is more; a chair is less. */
const ONE_CAN_CARRY = 400_000_000;
/** Millimetres. One person can carry a piece that is narrower than this both ways, such as a floor lamp. */
const SLENDER = 600;

/** Outer measurements in millimetres; null where unknown. */
export interface Sides {
  width: number | null;
  depth: number | null;
  height: number | null;
}

/** Whether two people bring and collect a piece (in millimetres). False if its size decides and a side is unknown. */
export function isCarriedByTwo(outer: Sides | undefined, deliveryClass: string): boolean {
  if (deliveryClass !== 'by size') return deliveryClass === 'two-person';
  const [least = 0, middle = 0, most = 0] = [outer?.width ?? 0, outer?.depth ?? 0, outer?.height ?? 0].sort((a, b) => a - b);
  return middle >= SLENDER && least * middle * most >= ONE_CAN_CARRY;
}
