import type { Delivery } from '#contract/delivery/delivery.ts';
import { windowText } from '#contract/delivery/delivery-window.ts';

/** The dispatch day, if it is later than now. */
export function Leaves({ delivery, children }: { delivery: Delivery | null; children: string }) {
  const day = delivery?.leaves;
  return day ? <p className="hint">{`${children} ${windowText({ from: day, to: day })}.`}</p> : null;
}
