import { Link } from 'react-router';
import { QUEUE_LABELS, QUEUE_NAMES } from '#contract/orders/queues.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';

interface QueueTabsProps {
  /** The address's queue; empty for all orders. */
  queue: string;
  /** Grows with each change that may have moved orders between queues. */
  version: number;
}

/** Tabs are shown at once, their counts once loaded. */
const TABS = [...QUEUE_NAMES.map((id) => ({ id: id as string, label: QUEUE_LABELS[id] as string })), { id: '', label: 'All' }];

/** Tabs for the queues, with their counts. */
export function QueueTabs({ queue, version }: QueueTabsProps) {
  const { value, error } = useLoaded('GET /api/orders/queues', {}, version);
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
              {label}{' '}
              <span className="min-w-[1ch] font-semibold tabular-nums">{value?.queues.find((one) => one.id === id)?.count ?? ''}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
