import { useContext } from 'react';
import { Link } from 'react-router';
import type { Sales } from '#contract/orders.ts';
import { MarketContext } from '#web/state/store.ts';
import { Table } from '#web/ui/table.tsx';
import { SalesChart } from './sales-chart.tsx';
import { VatExport } from './vat-export.tsx';

const pieces = (count: number) => (count === 1 ? '1 piece' : `${count} pieces`);
const orders = (count: number) => (count === 1 ? '1 order' : `${count} orders`);

function BestSellers({ bestSellers }: Pick<Sales, 'bestSellers'>) {
  const { shopPrice } = useContext(MarketContext);
  return (
    <div className="min-w-0 lg:w-72">
      <h3 className="mb-2 font-medium">Best sellers</h3>
      {bestSellers.length === 0 && <p className="text-soft">Nothing was sold yet.</p>}
      <ol className="grid list-decimal gap-1 pl-5 text-sm">
        {bestSellers.map(({ _id, name, pieces: sold, revenue }) => (
          <li key={_id}>
            {name}
            <span className="block text-soft">
              {pieces(sold)}, {shopPrice(revenue)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The charts' numbers. */
function Days({ days }: Pick<Sales, 'days'>) {
  const { shopPrice } = useContext(MarketContext);
  return (
    <details>
      <summary className="link w-fit">Show the days as a table</summary>
      <div className="mt-3">
        <Table
          caption="Orders and revenue per day"
          columns={[
            { label: 'Day', cell: ({ day }) => day },
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

/** What was sold in the last 30 days, as charts and as a table, what sells best, and what awaits its delivery. */
export function SalesPanel({ sales: { days, bestSellers, awaitingDelivery } }: { sales: Sales }) {
  const { shopPrice } = useContext(MarketContext);
  return (
    <section aria-labelledby="sales" className="panel mb-6 grid gap-5 print:hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="sales">Sales of the last {days.length} days</h2>
        <p>
          <Link to="/admin/orderlist?delivered=false" className="link">
            {orders(awaitingDelivery)} awaiting delivery
          </Link>
        </p>
      </div>
      <div className="grid items-start gap-6 md:grid-cols-2 lg:grid-cols-[1fr_1fr_auto]">
        <SalesChart label="Revenue per day" bars={days.map(({ day, revenue }) => ({ day, value: revenue }))} format={shopPrice} />
        <SalesChart label="Orders per day" bars={days.map((entry) => ({ day: entry.day, value: entry.orders }))} format={orders} />
        <BestSellers bestSellers={bestSellers} />
      </div>
      <Days days={days} />
      <VatExport />
    </section>
  );
}
