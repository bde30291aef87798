/** Cubic millimetres. What takes more room than this when packed, such as an armchair (0.5 m³), is carried by two; a chair is not. */
const ONE_CAN_CARRY = 400_000_000;
/** Millimetres. What is narrower than this both ways, such as a floor lamp, one can carry however long it is. */
const SLENDER = 600;

interface Sides {
  width: number | null;
  depth: number | null;
  height: number | null;
}

/** Whether a piece is large: two people bring it, and collect it if it goes back. Never where a side is not known. Millimetres. */
export function isCarriedByTwo(outer: Sides | undefined): boolean {
  const [least = 0, middle = 0, most = 0] = [outer?.width ?? 0, outer?.depth ?? 0, outer?.height ?? 0].sort((a, b) => a - b);
  return middle >= SLENDER && least * middle * most >= ONE_CAN_CARRY;
}
