import { useContext } from 'react';
import type { Report } from '#contract/orders/reports.ts';
import { DownloadButton } from '#web/parts/download-button.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext } from '#web/state/store.ts';
import type { useAction } from '#web/state/use-action.ts';
import { Table } from '#web/ui/table.tsx';
import { barName, SalesChart } from './sales-chart.tsx';

interface DayReportProps {
  report: Report;
  action: ReturnType<typeof useAction>;
}

/** Revenue and orders by day or month, as charts and as a table. */
export function DayReport({ report: { period, unit, bars, barsBefore }, action }: DayReportProps) {
  const { shopPrice } = useContext(MarketContext);
  const rows = bars.map((bar, index) => ({ ...bar, before: barsBefore[index] }));
  const column = unit === 'day' ? 'Day' : 'Month';
  return (
    <Panel title={unit === 'day' ? 'By day' : 'By month'} className="gap-5">
      <div className="grid gap-5 xl:grid-cols-2">
        <SalesChart
          label="Revenue"
          unit={unit}
          bars={rows.map(({ day, revenue, before }) => ({ day, value: revenue, before: before?.revenue }))}
          format={shopPrice}
        />
        <SalesChart
          label="Orders"
          unit={unit}
          bars={rows.map(({ day, orders, before }) => ({ day, value: orders, before: before?.orders }))}
          format={String}
        />
      </div>
      <p className="hint">Bars show this period, lines the period before.</p>
      <details>
        <summary className="link w-fit">Show the {unit}s as a table</summary>
        <div className="mt-3">
          <Table
            caption={`Orders and revenue by ${unit}`}
            columns={[
              { label: column, cell: ({ day }) => barName(day, unit) },
              { label: 'Orders', cell: ({ orders }) => orders, className: 'tabular-nums' },
              { label: 'Revenue', cell: ({ revenue }) => shopPrice(revenue), className: 'tabular-nums' },
              {
                label: 'Before',
                cell: ({ before }) => before && `${barName(before.day, unit)}: ${before.orders}, ${shopPrice(before.revenue)}`,
                className: 'tabular-nums',
              },
            ]}
            rows={rows.toReversed()}
            keyOf={({ day }) => day}
          />
        </div>
      </details>
      <div className="print:hidden">
        <DownloadButton
          label={`${column}s (CSV)`}
          endpoint="GET /api/office/reports/table"
          input={{ query: { ...period, by: 'day' } }}
          filename={`sales-${period.from}-${period.to}.csv`}
          action={action}
        />
      </div>
    </Panel>
  );
}
