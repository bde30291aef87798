import { useContext } from 'react';
import { shopDate, shopTime } from '#contract/market/shop-time.ts';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext } from '#web/state/store.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';

const KIND_WORDS: Record<string, string> = {
  charge: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute',
  fee: 'Fee',
  payout: 'Payout',
  other: 'Other',
};

/** Only the ids wrap. */
const ONE_LINE = 'tabular-nums whitespace-nowrap';

/** The entries of a day in the provider's balance, with their ids and orders. */
export function Entries({ day }: { day: string }) {
  const { shopPrice } = useContext(MarketContext);
  const { value, error } = useLoaded('GET /api/office/books/entries', { query: { day } });
  return (
    <Panel title={`At the payment provider on ${shopDate(day)}`} className="gap-4">
      {error && <Alert>{error}</Alert>}
      {!value && !error && <Skeleton label="Loading the entries" />}
      {value && value.entries.length === 0 && <p className="text-soft">Nothing on this day.</p>}
      {value && value.entries.length > 0 && (
        <Table
          caption={`Entries of ${shopDate(day)}`}
          columns={[
            { label: 'Time', cell: ({ at }) => shopTime(at).slice(11), className: ONE_LINE },
            { label: 'Kind', cell: ({ kind }) => KIND_WORDS[kind] ?? kind, className: ONE_LINE },
            { label: 'Amount', cell: ({ amount }) => shopPrice(amount), className: ONE_LINE },
            { label: 'Fee', cell: ({ fee }) => shopPrice(fee), className: ONE_LINE },
            {
              label: 'Order',
              cell: ({ order }) =>
                order ? (
                  <Link to={`/admin/orderdetails/${order._id}`} className="link">
                    {order.reference}
                  </Link>
                ) : (
                  '–'
                ),
              className: ONE_LINE,
            },
            {
              label: 'IDs at the provider',
              cell: ({ _id, sourceId, paymentId }) =>
                [paymentId, sourceId, _id].filter(Boolean).map((id) => (
                  <span key={id} className="block text-sm">
                    {id}
                  </span>
                )),
            },
          ]}
          rows={value.entries}
          keyOf={({ _id }) => _id}
        />
      )}
      {value && value.total > value.entries.length && (
        <p className="hint">
          The last {value.entries.length} of {value.total} are shown. The CSV has all.
        </p>
      )}
    </Panel>
  );
}
