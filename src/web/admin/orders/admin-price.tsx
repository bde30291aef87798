import type { Market } from '#contract/market/market.ts';

/** An amount as the back office shows orders, with the note that keeps it from being misread (clarifications on money). */
export function AdminPrice({ price: { text, note } }: { price: ReturnType<Market['adminOrderPrice']> }) {
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <span className="whitespace-nowrap">{text}</span>
      {note && <span className="whitespace-nowrap text-sm text-soft">({note})</span>}
    </span>
  );
}
