import { useContext } from 'react';
import { shopDay } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders.ts';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext } from '#web/state/store.ts';

/** What of an order goes back to its customer. */
export function Refunds({ order }: { order: Order }) {
  const { orderPrice } = useContext(MarketContext);
  if (order.refunds.length === 0) return null;
  return (
    <Panel title="Refunds" className="gap-2">
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
