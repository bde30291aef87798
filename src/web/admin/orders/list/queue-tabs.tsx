import { Link } from 'react-router';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';

interface QueueTabsProps {
  /** The address's queue; empty for all orders. */
  queue: string;
  /** Grows with each change that may have moved orders between queues. */
  version: number;
}

/** Tabs for the server's queues, with their counts. */
export function QueueTabs({ queue, version }: QueueTabsProps) {
  const { value, error } = useLoaded('GET /api/orders/queues', {}, version);
  const current = value?.queues.some(({ id }) => id === queue) ? queue : '';
  return (
    <nav aria-label="Queues" className="mb-4 min-h-11 print:hidden md:min-h-24 2xl:min-h-11">
      {error && <Alert>{error}</Alert>}
      <ul className="goes-on flex gap-2 max-md:overflow-x-auto md:flex-wrap">
        {value?.queues.map(({ id, label, count }) => (
          <li key={id}>
            <Link
              to={id ? `/admin/orderlist?queue=${id}` : '/admin/orderlist'}
              aria-current={id === current ? 'page' : undefined}
              className="inline-flex min-h-11 items-center gap-2 whitespace-nowrap rounded-soft border border-edge px-3 aria-[current]:border-accent aria-[current]:bg-accent aria-[current]:text-paper"
            >
              {label} <span className="font-semibold tabular-nums">{count}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
