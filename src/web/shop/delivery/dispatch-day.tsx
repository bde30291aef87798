import type { Delivery } from '#contract/delivery/delivery.ts';
import { dayText } from '#contract/delivery/delivery-window.ts';

/** `Ready to leave from Mon 30 Nov.`: the dispatch day, if it is later than now. */
export function DispatchDay({ intro, delivery }: { intro: string; delivery: Delivery | null }) {
  const day = delivery?.leaves;
  return day ? <p className="hint">{`${intro} ${dayText(day)}.`}</p> : null;
}
