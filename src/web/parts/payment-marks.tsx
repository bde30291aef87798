import { useContext } from 'react';
import { MarketContext } from '#web/state/store.ts';

/** The cards and other ways to pay that the shop takes, in words: a brand's own sign would have to be fetched from its owner. */
export function PaymentMarks() {
  const { paymentMarks } = useContext(MarketContext);
  return (
    <ul aria-label="Ways to pay" className="flex flex-wrap gap-1.5">
      {paymentMarks.map((mark) => (
        <li key={mark} className="rounded-soft border border-line bg-paper px-2 py-0.5 text-ink text-sm">
          {mark}
        </li>
      ))}
    </ul>
  );
}
