import { pounds } from '#contract/market/money.ts';
import { shopDate } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Panel } from '#web/parts/panel.tsx';

export function Refunds({ order }: { order: Order }) {
  const { refunds, overpayments, isPaid, totalPrice, waivedPrice } = order;
  const counts = !isPaid && totalPrice > waivedPrice;
  if (refunds.length + overpayments.length === 0) return null;
  return (
    <Panel title="Refunds" className="gap-2">
      <ul className="grid gap-3">
        {refunds.map(({ _id, createdAt, amount, reason, detail, status }) => (
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
        {overpayments.map(({ _id, receivedAt, amount, status }) => (
          <li key={_id}>
            <p className="font-medium">
              {pounds(amount)} {status === 'paid_back' ? 'refunded' : counts ? 'received' : 'refund pending'}
            </p>
            <p className="text-sm text-soft">
              {shopDate(receivedAt)}, {counts && status === 'owed' ? 'a part of what is due' : 'you paid more than was due'}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
