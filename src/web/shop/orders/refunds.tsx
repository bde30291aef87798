import { pounds } from '#contract/market/money.ts';
import { shopDate } from '#contract/market/shop-time.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Panel } from '#web/parts/panel.tsx';

export function Refunds({ order }: { order: Order }) {
  const { refunds, overpayments, isPaid, isRefunded, totalPrice, waivedPrice } = order;
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
        {overpayments.map(({ _id, receivedAt, receivedBy, amount, status }) => {
          const counts = status === 'owed' && receivedBy !== 'card' && !isPaid && totalPrice > waivedPrice;
          return (
            <li key={_id}>
              <p className="font-medium">
                {pounds(amount)} {counts ? 'received' : status === 'owed' ? 'refund pending' : 'refunded'}
              </p>
              <p className="text-sm text-soft">
                {shopDate(receivedAt)},{' '}
                {counts ? 'a part of what is due' : isRefunded ? 'your payment was not accepted' : 'you paid more than was due'}
              </p>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
