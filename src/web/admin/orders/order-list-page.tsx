import { useContext } from 'react';
import { Link } from 'react-router';
import { listOrders, type OrderSummary } from '#contract/orders.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { Choice, ListTools } from '#web/admin/list-tools.tsx';
import { useLoaded } from '#web/admin/use-call.ts';
import { useLastPage, useListUrl } from '#web/admin/use-list-url.ts';
import { day } from '#web/app/date.ts';
import { MarketContext } from '#web/app/store.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';
import { AdminPrice } from './admin-price.tsx';

const YES_NO = [
  ['', 'All'],
  ['true', 'Yes'],
  ['false', 'No'],
] as const;
const SORTS = [
  ['', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['total', 'Largest total'],
] as const;

const columns = (format: (pence: number) => React.ReactNode) => [
  { label: 'OrderID', cell: ({ _id }: OrderSummary) => _id },
  { label: 'UserID', cell: ({ user, userName }: OrderSummary) => user ?? `${userName} (deleted)` },
  { label: 'Date', cell: ({ createdAt }: OrderSummary) => day(createdAt) },
  { label: 'Total', cell: ({ totalPrice }: OrderSummary) => format(totalPrice) },
  { label: 'Paid', cell: ({ paidAt }: OrderSummary) => (paidAt ? day(paidAt) : 'No') },
  { label: 'Delivered', cell: ({ deliveredAt }: OrderSummary) => (deliveredAt ? day(deliveredAt) : 'No') },
  {
    label: 'Details',
    cell: ({ _id, userName }: OrderSummary) => (
      <Link to={`/admin/orderdetails/${_id}`} className="link" aria-label={`Details of the order of ${userName}, ${_id}`}>
        Details
      </Link>
    ),
  },
];

/** All orders (specification §2). */
export function Component() {
  const { search, page, hrefOf, change } = useListUrl();
  const market = useContext(MarketContext);
  const text = (name: string) => search.get(name) ?? '';
  const query = { pageNumber: page, search: text('search'), paid: text('paid'), delivered: text('delivered'), sortBy: text('sortBy') };
  const { value: list, error } = useLoaded(listOrders, { query });
  useLastPage(page, list, hrefOf);
  return (
    <AdminFrame title="Orders">
      <ListTools label="Find by id, e-mail or name" search={query.search} onSearch={(value) => change({ search: value })}>
        <Choice label="Paid" value={query.paid} options={YES_NO} onChange={(paid) => change({ paid })} />
        <Choice label="Delivered" value={query.delivered} options={YES_NO} onChange={(delivered) => change({ delivered })} />
        <Choice label="Sort" value={query.sortBy} options={SORTS} onChange={(sortBy) => change({ sortBy })} />
      </ListTools>
      {error && <Alert>{error}</Alert>}
      {!list && !error && <Skeleton label="Loading the orders" />}
      {list && (
        <div className="grid gap-6">
          <p role="status">{list.total === 1 ? '1 order' : `${list.total} orders`}</p>
          {list.total > 0 && (
            <Table
              caption="Orders"
              columns={columns((pence) => <AdminPrice price={market.adminOrderPrice(pence)} />)}
              rows={list.orders}
              keyOf={({ _id }) => _id}
            />
          )}
          <Pagination page={page} pages={list.pages} href={hrefOf} />
        </div>
      )}
    </AdminFrame>
  );
}
