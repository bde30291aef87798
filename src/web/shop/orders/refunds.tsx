import { useContext } from 'react';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders.ts';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext } from '#web/state/store.ts';

/** What of an order goes back to its customer, and what is left to pay once some of it was cancelled. */
export function Refunds({ order }: { order: Order }) {
  const { orderPrice } = useContext(MarketContext);
  const isLess = order.waivedPrice > 0 && order.amountDue > 0;
  if (order.refunds.length === 0 && !isLess) return null;
  return (
    <Panel title="Refunds and changes" className="gap-2">
      {isLess && <p>Left to pay: {orderPrice(order.amountDue)}</p>}
      <ul className="grid gap-3">
        {order.refunds.map(({ _id, createdAt, amount, reason, detail, status }) => (
          <li key={_id}>
            <p className="font-medium">
              {orderPrice(amount)} {status === 'done' ? 'refunded' : 'refund pending'}
            </p>
            <p className="text-sm text-soft">
              {shopDay(createdAt)}, {reason}
              {detail && `: ${detail}`}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
