import { useContext } from 'react';
import {
  BREAKDOWNS,
  type Breakdown as BreakdownName,
  GOODS,
  marginOf,
  OTHER_MONEY,
  type Report,
  type ReportRow,
  ROWS_SHOWN,
} from '#contract/orders/reports.ts';
import { DownloadButton } from '#web/parts/download-button.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext } from '#web/state/store.ts';
import type { useAction } from '#web/state/use-action.ts';
import { Link } from '#web/ui/link.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { changeOf } from './figures-table.tsx';

/** The most rows in the chart. */
const MAX_BARS = 8;

interface Measure {
  now: (row: ReportRow) => number;
  before: (row: ReportRow) => number;
  format: (value: number) => string;
}

/** A bar for each row, with a thinner one for the period before. */
function Bars({ rows, now, before, format }: Measure & { rows: readonly ReportRow[] }) {
  const largest = Math.max(1, ...rows.flatMap((row) => [now(row), before(row)]));
  const widthOf = (value: number) => (Math.max(value, 0) / largest) * 100;
  return (
    <ol className="grid gap-3">
      {rows.map((row) => (
        <li key={row.key} className="grid gap-1">
          <span className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 wrap-anywhere">{row.label}</span>
            <span className="tabular-nums">
              <strong>{format(now(row))}</strong> <span className="text-sm text-soft">before {format(before(row))}</span>
            </span>
          </span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="h-3 w-full" aria-hidden>
            <rect width={widthOf(now(row))} height={6} className="fill-accent" />
            <rect y={7} width={widthOf(before(row))} height={3} className="fill-edge" />
          </svg>
        </li>
      ))}
    </ol>
  );
}

const MARGIN_COLUMN: Column<ReportRow> = {
  label: 'Margin',
  cell: (row) => {
    const margin = marginOf(row);
    return margin === undefined ? '–' : `${margin}%`;
  },
  className: 'tabular-nums',
};

interface BreakdownProps {
  by: BreakdownName;
  report: Report;
  action: ReturnType<typeof useAction>;
}

/** The period's sales divided by product, category and so on, as a chart and as a table. */
export function Breakdown({ by, report: { period, tables, figures, figuresBefore }, action }: BreakdownProps) {
  const { shopPrice } = useContext(MarketContext);
  const { title, column, counts, hasMargin } = BREAKDOWNS[by];
  const rows = tables[by] ?? [];
  // Returns have no price of their own: the chart shows their number.
  const isCounted = by === 'return';
  const measure: Measure = isCounted
    ? { now: ({ count }) => count, before: ({ countBefore }) => countBefore, format: String }
    : { now: ({ amount }) => amount, before: ({ amountBefore }) => amountBefore, format: shopPrice };
  const amountColumns: Column<ReportRow>[] = [
    { label: 'Amount', cell: ({ amount }) => shopPrice(amount), className: 'tabular-nums' },
    { label: 'Before', cell: ({ amountBefore }) => shopPrice(amountBefore), className: 'tabular-nums' },
  ];
  const countColumns: Column<ReportRow>[] = [{ label: 'Before', cell: ({ countBefore }) => countBefore, className: 'tabular-nums' }];
  return (
    <Panel title={title} className="gap-5">
      {rows.length === 0 && <p className="text-soft">Nothing in these periods.</p>}
      {rows.length > 0 && (
        <>
          <Bars rows={rows.slice(0, MAX_BARS)} {...measure} />
          <details>
            <summary className="link w-fit">Show as a table</summary>
            <div className="mt-3">
              <Table
                caption={title}
                columns={[
                  {
                    label: column,
                    cell: ({ key, label }) =>
                      by === 'product' ? (
                        <Link to={`/admin/editproduct/${key}`} className="link">
                          {label}
                        </Link>
                      ) : (
                        label
                      ),
                  },
                  { label: counts, cell: ({ count }) => count, className: 'tabular-nums' },
                  ...(isCounted ? countColumns : amountColumns),
                  { label: 'Change', cell: (row) => changeOf(measure.now(row), measure.before(row)), className: 'tabular-nums' },
                  ...(hasMargin ? [MARGIN_COLUMN] : []),
                ]}
                rows={rows}
                keyOf={({ key }) => key}
              />
            </div>
          </details>
        </>
      )}
      {rows.length === ROWS_SHOWN && <p className="hint">The first {ROWS_SHOWN} are shown. The CSV has all.</p>}
      {GOODS.includes(by) && (
        <p className="hint">
          {OTHER_MONEY}: {shopPrice(figures.revenue - figures.goods)}, before {shopPrice(figuresBefore.revenue - figuresBefore.goods)}.
          Goods and this add up to the revenue.
        </p>
      )}
      <div className="print:hidden">
        <DownloadButton
          label={`${title} (CSV)`}
          endpoint="GET /api/office/reports/table"
          input={{ query: { ...period, by } }}
          filename={`${by}-${period.from}-${period.to}.csv`}
          action={action}
        />
      </div>
    </Panel>
  );
}
