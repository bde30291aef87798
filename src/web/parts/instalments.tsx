import { useContext } from 'react';
import { instalmentsOf } from '#contract/market/payment-ways.ts';
import { CompanyContext } from '#web/state/store.ts';

/** `or 3 × £433.00 with Klarna`, with the lender's words; nothing where no lender is set for the amount. */
export function Instalments({ total }: { total: number }) {
  const { payment } = useContext(CompanyContext);
  return instalmentsOf(payment, total).map(({ text, words }) => (
    <p key={text} className="text-sm">
      or {text}
      <span className="block text-soft">{words}</span>
    </p>
  ));
}
