import { useContext } from 'react';
import { MarketContext } from '#web/state/store.ts';

/** Accepted payment methods in words: brand logos would have to be loaded from their owners. */
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
