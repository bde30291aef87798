import { useContext } from 'react';
import { QUEUE_LABELS, QUEUE_NAMES } from '#contract/orders/queues.ts';
import { OfficeContext } from '#web/admin/office/office-context.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Link } from '#web/ui/link.tsx';

/** Tabs are shown at once, their counts once loaded. */
const TABS = [...QUEUE_NAMES.map((id) => ({ id: id as string, label: QUEUE_LABELS[id] as string })), { id: '', label: 'All' }];

/** Tabs for the queues, with the office's counts. `queue` is the URL's; empty for all orders. */
export function QueueTabs({ queue }: { queue: string }) {
  const { today, error } = useContext(OfficeContext);
  const countOf = (id: string) => (id ? today?.waiting.find((one) => one.id === id)?.count : today?.orders.all);
  const current = TABS.some(({ id }) => id === queue) ? queue : '';
  return (
    <nav aria-label="Queues" className="mb-4 print:hidden">
      {error && <Alert>{error}</Alert>}
      <ul className="goes-on relative flex gap-2 max-md:overflow-x-auto md:flex-wrap">
        {TABS.map(({ id, label }) => (
          <li key={id}>
            <Link
              to={id ? `/admin/orderlist?queue=${id}` : '/admin/orderlist'}
              aria-current={id === current ? 'page' : undefined}
              className="inline-flex min-h-11 items-center gap-2 whitespace-nowrap rounded-soft border border-edge px-3 aria-[current]:border-accent aria-[current]:bg-accent aria-[current]:text-paper"
            >
              {label} <span className="min-w-[1ch] font-semibold tabular-nums">{countOf(id) ?? ''}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
