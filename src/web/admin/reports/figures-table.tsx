import { useContext } from 'react';
import { type Figures, marginOf, type Report } from '#contract/orders/reports.ts';
import { countText } from '#web/admin/count-text.ts';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext } from '#web/state/store.ts';
import { Table } from '#web/ui/table.tsx';

interface Row {
  label: string;
  /** The figure of one period; undefined where it is not known. */
  of: (figures: Figures) => number | undefined;
  format: (value: number, figures: Figures) => string;
}

const NOTHING = '–';

const percentOf = (part: number, all: number) => (all > 0 ? Math.round((part / all) * 1_000) / 10 : undefined);

/** `+12%`; a dash if there is nothing to compare with. */
export function changeOf(now: number | undefined, before: number | undefined): string {
  if (now === undefined || !before || before < 0) return NOTHING;
  const change = Math.round(((now - before) / before) * 100);
  if (change === 0) return '±0%';
  return `${change > 0 ? '+' : '−'}${Math.abs(change)}%`;
}

function rowsOf(price: (pence: number) => string): Row[] {
  const percent = (value: number) => `${value}%`;
  return [
    { label: 'Revenue', of: ({ revenue }) => revenue, format: price },
    { label: 'Orders', of: ({ orders }) => orders, format: String },
    {
      label: 'Average order',
      of: ({ orders, revenue }) => (orders > 0 ? Math.round(revenue / orders) : undefined),
      format: price,
    },
    {
      label: 'First orders of new customers',
      of: ({ newOrders }) => newOrders,
      format: (count, { newRevenue }) => `${count} (${price(newRevenue)})`,
    },
    {
      label: 'Orders of returning customers',
      of: ({ returningOrders }) => returningOrders,
      format: (count, { returningRevenue }) => `${count} (${price(returningRevenue)})`,
    },
    {
      label: 'Cancelled orders',
      of: ({ cancelled }) => cancelled,
      format: (count, { placed, cancelledValue }) => `${count} of ${placed} (${price(cancelledValue)})`,
    },
    { label: 'Pieces cancelled in other orders', of: ({ cancelledPieces }) => cancelledPieces, format: String },
    {
      label: 'Returns',
      of: ({ returns }) => returns,
      format: (count, { returnedPieces, returnedValue }) =>
        `${count} (${countText(returnedPieces, 'piece')} back, ${price(returnedValue)})`,
    },
    {
      label: 'Delivered by the day promised',
      of: ({ onTime, late }) => percentOf(onTime, onTime + late),
      format: (value, { onTime, late }) => `${percent(value)} (${onTime} of ${onTime + late})`,
    },
    { label: 'Goods with a known cost, without VAT', of: ({ net }) => net, format: price },
    {
      label: 'Margin on those goods',
      of: ({ net, cost }) => (cost > 0 ? net - cost : undefined),
      format: (value, figures) => `${price(value)} (${percent(marginOf(figures) ?? 0)})`,
    },
  ];
}

export function FiguresTable({ report: { figures, figuresBefore } }: { report: Report }) {
  const { shopPrice } = useContext(MarketContext);
  const cell = ({ of, format }: Row, ofPeriod: Figures) => {
    const value = of(ofPeriod);
    return value === undefined ? NOTHING : format(value, ofPeriod);
  };
  return (
    <Panel title="Figures" className="gap-4">
      <Table
        caption="Figures of the period and of the one before"
        columns={[
          { label: 'Figure', cell: ({ label }) => label },
          { label: 'This period', cell: (row) => <strong>{cell(row, figures)}</strong>, className: 'tabular-nums' },
          { label: 'Before', cell: (row) => cell(row, figuresBefore), className: 'tabular-nums' },
          { label: 'Change', cell: ({ of }) => changeOf(of(figures), of(figuresBefore)), className: 'tabular-nums' },
        ]}
        rows={rowsOf(shopPrice)}
        keyOf={({ label }) => label}
      />
    </Panel>
  );
}
