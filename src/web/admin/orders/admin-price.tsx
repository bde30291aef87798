import type { Market } from '#contract/market/market.ts';

/** An amount in the back office's orders, with the note in pounds (clarifications on money). */
export function AdminPrice({ price: { text, note } }: { price: ReturnType<Market['adminOrderPrice']> }) {
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <span className="whitespace-nowrap">{text}</span>
      {note && <span className="whitespace-nowrap text-sm text-soft">({note})</span>}
    </span>
  );
}
