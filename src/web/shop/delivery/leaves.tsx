import type { Delivery } from '#contract/delivery/delivery.ts';
import { windowText } from '#contract/delivery/delivery-window.ts';

/** When the pieces can leave, where that is not at once. */
export function Leaves({ delivery, children }: { delivery: Delivery | null; children: string }) {
  const day = delivery?.leaves;
  return day ? <p className="hint">{`${children} ${windowText({ from: day, to: day })}.`}</p> : null;
}
