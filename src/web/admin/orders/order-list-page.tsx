import { useContext, useEffect } from 'react';
import { Link } from 'react-router';
import { shopDay } from '#contract/market/shop-time.ts';
import { STATUS_TEXT } from '#contract/orders/life.ts';
import { exportOrders, listOrders, type OrderSummary, readSales, refundText } from '#contract/orders.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { BulkDispatch } from '#web/admin/dispatch/bulk-dispatch.tsx';
import { Choice, DayChoice, ListTools, NothingFound } from '#web/admin/list-tools.tsx';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { useLastPage } from '#web/browser/last-page.ts';
import { DownloadButton } from '#web/parts/downloads/download-button.tsx';
import { MarketContext } from '#web/state/store.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';
import { AdminPrice } from './admin-price.tsx';
import { SalesPanel } from './sales/sales-panel.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';

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

/** Keys keep to a few lines where the table is narrow. */
const ID = 'inline-block min-w-20 text-sm';
const DATE = 'whitespace-nowrap';

function paidText(order: OrderSummary): string {
  const refund = refundText(order);
  if (refund) return refund;
  return order.paidAt ? shopDay(order.paidAt) : order.status === 'cancelled' ? 'Nothing to pay' : 'No';
}

function deliveredText({ status, deliveredAt }: OrderSummary): string {
  if (deliveredAt) return [shopDay(deliveredAt), status !== 'delivered' && STATUS_TEXT[status]].filter(Boolean).join(', ');
  return status === 'placed' || status === 'refunded' ? 'No' : STATUS_TEXT[status];
}

/** The columns of specification §2, and before and between them what the back office adds. */
function useColumns({ ids, toggle }: ReturnType<typeof useSelection>) {
  const { adminOrderPrice } = useContext(MarketContext);
  const named = ({ reference, userName }: OrderSummary) => `the order of ${userName}, ${reference}`;
  return [
    {
      label: 'Select',
      cell: (order: OrderSummary) => (
        <label className="inline-flex size-6 items-center justify-center">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            aria-label={`Select ${named(order)}`}
            checked={ids.includes(order._id)}
            onChange={() => toggle(order._id)}
          />
        </label>
      ),
    },
    { label: 'Ref.', cell: ({ reference }: OrderSummary) => <span className="text-sm font-medium">{reference}</span> },
    { label: 'OrderID', cell: ({ _id }: OrderSummary) => <span className={ID}>{_id}</span> },
    { label: 'UserID', cell: ({ user, userName }: OrderSummary) => <span className={ID}>{user ?? `${userName} (deleted)`}</span> },
    { label: 'Date', cell: ({ createdAt }: OrderSummary) => <span className={DATE}>{shopDay(createdAt)}</span> },
    { label: 'Total', cell: ({ totalPrice }: OrderSummary) => <AdminPrice price={adminOrderPrice(totalPrice)} /> },
    { label: 'Paid', cell: (order: OrderSummary) => <span className={DATE}>{paidText(order)}</span> },
    {
      label: 'Delivered',
      cell: (order: OrderSummary) => <span className={DATE}>{deliveredText(order)}</span>,
    },
    {
      label: 'Details',
      cell: (order: OrderSummary) => (
        <Link to={`/admin/orderdetails/${order._id}`} className="link" aria-label={`Details of ${named(order)}`}>
          Details
        </Link>
      ),
    },
  ];
}

/** What the address asks for, the list that answers it, and the tools to change it. */
function useOrderList() {
  const { search, page, hrefOf, change } = useListUrl();
  const text = (name: string) => search.get(name) ?? '';
  const filters = { search: text('search'), paid: text('paid'), delivered: text('delivered'), from: text('from'), to: text('to') };
  const query = { pageNumber: page, ...filters, sortBy: text('sortBy') };
  const { value: list, error, reload } = useLoaded(listOrders, { query });
  useLastPage(page, list, hrefOf);
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the specification wants errors of this list in the console (§8); the page says them too.
    if (error) console.warn('The order list failed:', error);
  }, [error]);
  const tools = (
    <ListTools label="Find by reference, id, email or name" search={query.search} onSearch={(value) => change({ search: value })}>
      <Choice label="Paid" value={query.paid} options={YES_NO} onChange={(paid) => change({ paid })} />
      <Choice label="Delivered" value={query.delivered} options={YES_NO} onChange={(delivered) => change({ delivered })} />
      <DayChoice label="From" value={query.from} onChange={(from) => change({ from })} />
      <DayChoice label="To" value={query.to} onChange={(to) => change({ to })} />
      <Choice label="Sort" value={query.sortBy} options={SORTS} onChange={(sortBy) => change({ sortBy })} />
    </ListTools>
  );
  return { list, error, reload, filters, tools, page, hrefOf };
}

/** All orders (specification §2), below what they come to. */
export function Component() {
  const { list, error, reload, filters, tools, page, hrefOf } = useOrderList();
  const sales = useLoaded(readSales, {});
  const exporting = useAction();
  const selection = useSelection(list?.orders ?? [], () => Promise.all([reload(), sales.reload()]));
  const columns = useColumns(selection);
  const wrong = error || sales.error || exporting.error;
  return (
    <AdminFrame
      title="Orders"
      action={
        <DownloadButton label="Export CSV" endpoint={exportOrders} input={{ query: filters }} filename="orders.csv" action={exporting} />
      }
    >
      {sales.value && <SalesPanel sales={sales.value} />}
      {!sales.value && !sales.error && <Skeleton label="Loading the sales" />}
      {tools}
      {wrong && <Alert>{wrong}</Alert>}
      {!list && !error && <Skeleton label="Loading the orders" />}
      {list && (
        <div className="mt-4 grid gap-6">
          <p role="status">{list.total === 1 ? '1 order' : `${list.total} orders`}</p>
          {list.total === 0 && <NothingFound />}
          <BulkDispatch filters={filters} isEmpty={list.total === 0} onChange={() => void reload()} />
          {list.orders.length > 0 && <SelectionBar selection={selection} />}
          {list.total > 0 && <Table caption="Orders" columns={columns} rows={list.orders} keyOf={({ _id }) => _id} />}
          <Pagination page={page} pages={list.pages} href={hrefOf} />
        </div>
      )}
    </AdminFrame>
  );
}
