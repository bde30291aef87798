import { partsText } from '#contract/orders/parts-text.ts';
import type { LineState } from './use-checked-cart.ts';

/** What is in a set, below its line: `1 × Table, 4 × Chair (Oak)`. */
export function PartsOfLine({ state }: { state: LineState | undefined }) {
  if (!state || state.parts.length === 0) return null;
  return <p className="text-sm text-soft">{partsText(state.parts)}</p>;
}
