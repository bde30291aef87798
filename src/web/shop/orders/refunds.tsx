import { pounds } from '#contract/market/money.ts';
import { shopDate } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Panel } from '#web/parts/panel.tsx';

export function Refunds({ order }: { order: Order }) {
  if (order.refunds.length === 0) return null;
  return (
    <Panel title="Refunds" className="gap-2">
      <ul className="grid gap-3">
        {order.refunds.map(({ _id, createdAt, amount, reason, detail, status }) => (
          <li key={_id}>
            <p className="font-medium">
              {pounds(amount)} {status === 'done' ? 'refunded' : 'refund pending'}
            </p>
            <p className="text-sm text-soft">
              {shopDate(createdAt)}, {reason}
              {detail && `: ${detail}`}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
