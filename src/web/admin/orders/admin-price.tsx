import type { Market } from '#contract/market.ts';

/** An amount as the back office shows orders, with the note that keeps it from being misread (clarifications on money). */
export function AdminPrice({ price: { text, note } }: { price: ReturnType<Market['adminOrderPrice']> }) {
  return (
    <span>
      <span className="mr-2 inline-block whitespace-nowrap">{text}</span>
      {note && <span className="inline-block whitespace-nowrap text-sm text-soft">({note})</span>}
    </span>
  );
}
