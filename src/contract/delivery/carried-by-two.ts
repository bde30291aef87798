/** Cubic millimetres. What takes more room than this when packed, such as an armchair (0.5 m³), is carried by two; a lamp or a chair is not. */
const ONE_CAN_CARRY = 400_000_000;

interface Sides {
  width: number | null;
  depth: number | null;
  height: number | null;
}

/** Whether a piece is large: two people bring it, and collect it if it goes back. Never where a side is not known. Millimetres. */
export const isCarriedByTwo = (outer: Sides | undefined): boolean =>
  (outer?.width ?? 0) * (outer?.depth ?? 0) * (outer?.height ?? 0) >= ONE_CAN_CARRY;
