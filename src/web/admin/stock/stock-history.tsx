import { useState } from 'react';
import { shopTime } from '#contract/market/shop-time.ts';
import type { Movement } from '#contract/stock/stock.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Table } from '#web/ui/table.tsx';

/** `+3`, `−2`, with a minus sign instead of a hyphen. */
export const signed = (change: number): string => (change > 0 ? `+${change}` : String(change).replace('-', '−'));

const MoveText = ({ move: { change, left } }: { move: { change: number; left: number } }) => (
  <span className="whitespace-nowrap tabular-nums">
    <span className={change < 0 ? 'text-bad' : 'text-good'}>{signed(change)}</span> <span className="text-soft">→ {left}</span>
  </span>
);

const Reason = ({ movement: { reason, order, note } }: { movement: Movement }) => (
  <>
    {reason}
    {order && (
      <>
        {' '}
        <Link to={`/admin/orderdetails/${order._id}`} className="link">
          {order.reference}
        </Link>
      </>
    )}
    {note && <span className="hint block">{note}</span>}
  </>
);

const COLUMNS = [
  { label: 'When', cell: ({ at }: Movement) => <time dateTime={at}>{shopTime(at)}</time> },
  { label: 'Why', cell: (movement: Movement) => <Reason movement={movement} /> },
  { label: 'Who', cell: ({ actor }: Movement) => actor || '–' },
  { label: 'Count in stock', cell: ({ count }: Movement) => (count ? <MoveText move={count} /> : '–') },
  {
    label: 'Sizes',
    cell: ({ sizes }: Movement) => (
      <span className="grid gap-1">
        {sizes.map((size) => (
          <span key={size.size}>
            {size.size} <MoveText move={size} />
          </span>
        ))}
        {sizes.length === 0 && '–'}
      </span>
    ),
  },
];

interface StockHistoryProps {
  productId: string;
  /** A new number loads the movements again. */
  version: number;
}

/** Every movement of a product's stock, the latest first. */
export function StockHistory({ productId, version }: StockHistoryProps) {
  const dispatch = useAppDispatch();
  const { value, error } = useLoaded('GET /api/products/:id/stock', { params: { id: productId }, query: {} }, version);
  const [earlier, setEarlier] = useState<{ firstPage: typeof value; movements: Movement[]; next: string | null }>();
  const loadingMore = useAction();
  // Earlier movements belong to the first page that was shown when they were loaded. They are dropped when it is loaded again.
  const isCurrent = earlier?.firstPage === value;
  const earlierMovements = (isCurrent && earlier?.movements) || [];
  const movements = [...(value?.movements ?? []), ...earlierMovements];
  const next = (isCurrent ? earlier?.next : value?.next) ?? null;
  const loadEarlier = async () => {
    const page = await dispatch(request('GET /api/products/:id/stock', { params: { id: productId }, query: { before: next ?? '' } }));
    setEarlier({ firstPage: value, movements: [...earlierMovements, ...page.movements], next: page.next });
  };
  return (
    <section className="mt-8 print:hidden">
      <h2 className="mb-3">Stock movements</h2>
      {(error || loadingMore.error) && <Alert>{error || loadingMore.error}</Alert>}
      {value && movements.length === 0 && <p>No stock movements yet.</p>}
      {movements.length > 0 && <Table caption="Stock movements" columns={COLUMNS} rows={movements} keyOf={({ id }) => id} />}
      {next && (
        <Button look="secondary" className="mt-4" pending={loadingMore.pending !== ''} onClick={() => loadingMore.run('more', loadEarlier)}>
          Show earlier movements
        </Button>
      )}
    </section>
  );
}
