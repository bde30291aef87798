import { useContext } from 'react';
import { grouped } from '#contract/market/money.ts';
import { shopDate, shopDay } from '#contract/market/shop-time.ts';
import { PERIODS, type Period } from '#contract/orders/periods.ts';
import { BREAKDOWN_NAMES, type Report } from '#contract/orders/reports.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Choice, DayChoice } from '#web/admin/list-tools.tsx';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext } from '#web/state/store.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Breakdown } from './breakdown.tsx';
import { DayReport } from './day-report.tsx';
import { FiguresTable } from './figures-table.tsx';

const OTHER = 'other';
const periodText = ({ from, to }: Period) => (from === to ? shopDate(from) : `${shopDate(from)} to ${shopDate(to)}`);

/** The period of the URL, else the last 30 days. */
function usePeriod() {
  const { search, change } = useListUrl();
  const today = shopDay(new Date().toISOString());
  const lastDays = PERIODS.days?.of(today) ?? { from: today, to: today };
  const period = { from: search.get('from') ?? lastDays.from, to: search.get('to') ?? lastDays.to };
  const named = Object.entries(PERIODS).find(([, { of }]) => of(today).from === period.from && of(today).to === period.to);
  const choose = (name: string) => {
    const chosen = PERIODS[name]?.of(today);
    if (chosen) change({ ...chosen });
  };
  const setDay = (day: Partial<Period>) => change({ ...period, ...day });
  return { period, name: named?.[0] ?? OTHER, choose, setDay };
}

function StockPanel({ stock: { pieces, known, cost } }: Pick<Report, 'stock'>) {
  const { shopPrice } = useContext(MarketContext);
  return (
    <Panel title="Stock now">
      <p>
        <strong>{shopPrice(cost)}</strong> at cost
      </p>
      <p className="text-soft">
        {grouped(pieces)} pieces in stock, {grouped(known)} of them with a known cost.{' '}
        <Link to="/admin/stock" className="link">
          Go to the stock
        </Link>
      </p>
    </Panel>
  );
}

/** What was sold in a period, beside the period before (specification §23.6). */
export function Component() {
  const { period, name, choose, setDay } = usePeriod();
  const { value: report, error } = useLoaded('GET /api/office/reports', { query: period });
  const downloading = useAction();
  return (
    <AdminFrame title="Reports">
      <div className="mb-5 flex flex-wrap items-end gap-3 print:hidden">
        <Choice
          label="Period"
          value={name}
          options={[...Object.entries(PERIODS).map(([id, { label }]) => [id, label] as const), [OTHER, 'Other days']]}
          onChange={choose}
        />
        <DayChoice label="From" value={period.from} onChange={(from) => setDay({ from })} />
        <DayChoice label="To" value={period.to} onChange={(to) => setDay({ to })} />
      </div>
      {error && <Alert>{error}</Alert>}
      {downloading.error && <Alert>{downloading.error}</Alert>}
      {!report && !error && <Skeleton label="Adding up the sales" />}
      {report && (
        <div className="grid gap-6">
          <p role="status" className="text-soft">
            Orders placed {periodText(report.period)}, with what has happened to them since. “Before” is {periodText(report.before)}.
          </p>
          {report.isCounting && <Alert tone="note">Older days are still being added up, so some figures are not complete yet.</Alert>}
          <FiguresTable report={report} />
          <DayReport report={report} action={downloading} />
          <div className="grid items-start gap-6 xl:grid-cols-2">
            {BREAKDOWN_NAMES.map((by) => (
              <Breakdown key={by} by={by} report={report} action={downloading} />
            ))}
            <StockPanel stock={report.stock} />
          </div>
        </div>
      )}
    </AdminFrame>
  );
}
