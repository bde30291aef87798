import { useContext } from 'react';
import type { Sales } from '#contract/orders/orders.ts';
import { countText, ordersText } from '#web/admin/count-text.ts';
import { MarketContext } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
import { Table } from '#web/ui/table.tsx';
import { barName, SalesChart } from './sales-chart.tsx';

function BestSellers({ bestSellers }: Pick<Sales, 'bestSellers'>) {
  const { shopPrice } = useContext(MarketContext);
  return (
    <div className="min-w-0 lg:w-72">
      <h3 className="mb-2 font-medium">Best sellers</h3>
      {bestSellers.length === 0 && <p className="text-soft">Nothing was sold yet.</p>}
      <ol className="grid list-decimal gap-1 pl-5 text-sm">
        {bestSellers.map(({ _id, name, pieces, revenue }) => (
          <li key={_id}>
            {name}
            <span className="block text-soft">
              {countText(pieces, 'piece')}, {shopPrice(revenue)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function DaysTable({ days }: Pick<Sales, 'days'>) {
  const { shopPrice } = useContext(MarketContext);
  return (
    <details>
      <summary className="link w-fit">Show the days as a table</summary>
      <div className="mt-3">
        <Table
          caption="Orders and revenue per day"
          columns={[
            { label: 'Day', cell: ({ day }) => barName(day) },
            { label: 'Orders', cell: (entry) => entry.orders },
            { label: 'Revenue', cell: ({ revenue }) => shopPrice(revenue) },
          ]}
          rows={days.toReversed()}
          keyOf={({ day }) => day}
        />
      </div>
    </details>
  );
}

/** `12% more than £1,000.00 in the 30 days before` */
export function comparedWith(now: number, before: number, format: (value: number) => string): string {
  if (before <= 0) return 'nothing in the 30 days before';
  const change = Math.round(((now - before) / before) * 100);
  const words = change === 0 ? 'about as much as' : `${Math.abs(change)}% ${change > 0 ? 'more' : 'less'} than`;
  return `${words} ${format(before)} in the 30 days before`;
}

function Comparison({ days, before }: Pick<Sales, 'days' | 'before'>) {
  const { shopPrice } = useContext(MarketContext);
  const count = days.reduce((sum, day) => sum + day.orders, 0);
  const revenue = days.reduce((sum, day) => sum + day.revenue, 0);
  return (
    <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_auto_1fr]">
      {[
        ['Revenue', shopPrice(revenue), comparedWith(revenue, before.revenue, shopPrice)],
        ['Orders', String(count), comparedWith(count, before.orders, String)],
      ].map(([label, total, words]) => (
        <div key={label} className="contents">
          <dt className="font-medium">{label}</dt>
          <dd className="font-semibold">{total}</dd>
          <dd className="text-soft">{words}</dd>
        </div>
      ))}
    </dl>
  );
}

export function SalesFigures({ sales: { days, before, bestSellers, awaitingDelivery } }: { sales: Sales }) {
  const { shopPrice } = useContext(MarketContext);
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <Comparison days={days} before={before} />
        <p>
          <Link to="/admin/orderlist?delivered=false" className="link">
            {ordersText(awaitingDelivery)} awaiting delivery
          </Link>
        </p>
      </div>
      <div className="grid items-start gap-6 md:grid-cols-2 lg:grid-cols-[1fr_1fr_auto]">
        <SalesChart label="Revenue per day" bars={days.map(({ day, revenue }) => ({ day, value: revenue }))} format={shopPrice} />
        <SalesChart label="Orders per day" bars={days.map((entry) => ({ day: entry.day, value: entry.orders }))} format={ordersText} />
        <BestSellers bestSellers={bestSellers} />
      </div>
      <DaysTable days={days} />
    </>
  );
}
