import { useContext } from 'react';
import { paymentMarks } from '#contract/market/payment-ways.ts';
import { CompanyContext } from '#web/state/store.ts';

/** Accepted payment methods in words: brand logos would have to be loaded from their owners. */
export function PaymentMarks() {
  const { payment } = useContext(CompanyContext);
  return (
    <ul aria-label="Ways to pay" className="flex flex-wrap gap-1.5">
      {paymentMarks(payment).map((mark) => (
        <li key={mark} className="rounded-soft border border-line bg-paper px-2 py-0.5 text-ink text-sm">
          {mark}
        </li>
      ))}
    </ul>
  );
}
