import { useContext, useEffect, useState } from 'react';
import { grouped } from '#contract/market/money.ts';
import type { OrderList } from '#contract/orders/orders.ts';
import type { QueueName } from '#contract/orders/queues.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { BulkDispatch } from '#web/admin/delivery/bulk-dispatch.tsx';
import { Choice, DayChoice, ListTools, NothingFound } from '#web/admin/list-tools.tsx';
import { OfficeContext, useMay } from '#web/admin/office/office-context.ts';
import { TagChoice } from '#web/admin/office/tag-list.tsx';
import { SalesSection } from '#web/admin/reports/sales-section.tsx';
import { useListUrl } from '#web/admin/use-list-url.ts';
import { useLastPage } from '#web/browser/last-page.ts';
import { DownloadButton } from '#web/parts/download-button.tsx';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table } from '#web/ui/table.tsx';
import { useColumns } from './columns.tsx';
import { QueueTabs } from './queue-tabs.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';

const PrintView = lazyPart(async () => (await import('#web/admin/delivery/print-view.tsx')).PrintView);

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

/** Queues whose orders cannot be dispatched: they wait for something first, or have left. */
const NOT_TO_DISPATCH: readonly string[] = [
  'approve',
  'payment',
  'returns',
  'coming',
  'unpaid',
  'refunds',
  'disputes',
] satisfies QueueName[];

function orderCountText({ total, isCut }: Pick<OrderList, 'total' | 'isCut'>): string {
  const count = grouped(total);
  if (isCut) return `Over ${count} orders: this list ends after ${count}. Search for a longer name, or choose days.`;
  return total === 1 ? '1 order' : `${count} orders`;
}

/** The query in the URL, its list of orders, and the controls that change it. */
function useOrderList() {
  const { search, page, hrefOf, hrefWith, change } = useListUrl();
  const text = (name: string) => search.get(name) ?? '';
  const filters = {
    queue: text('queue'),
    tag: text('tag'),
    search: text('search'),
    paid: text('paid'),
    delivered: text('delivered'),
    from: text('from'),
    to: text('to'),
  };
  const query = { pageNumber: page, ...filters, sortBy: text('sortBy') };
  const { value: list, error, reload } = useLoaded('GET /api/orders', { query });
  useLastPage(page, list, hrefOf);
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the specification wants errors of this list in the console (§8); the page shows them too.
    if (error) console.warn('The order list failed:', error);
  }, [error]);
  const tools = (
    <ListTools
      label="Find by reference, id, name, email, phone, postcode, invoice or tracking number"
      search={query.search}
      onSearch={(value) => change({ search: value })}
    >
      <Choice label="Paid" value={query.paid} options={YES_NO} onChange={(paid) => change({ paid })} />
      <Choice label="Delivered" value={query.delivered} options={YES_NO} onChange={(delivered) => change({ delivered })} />
      <TagChoice value={query.tag} onChange={(tag) => change({ tag })} />
      <DayChoice label="From" value={query.from} onChange={(from) => change({ from })} />
      <DayChoice label="To" value={query.to} onChange={(to) => change({ to })} />
      <Choice label="Sort" value={query.sortBy} options={SORTS} onChange={(sortBy) => change({ sortBy })} />
    </ListTools>
  );
  return { list, error, reload, filters, tools, page, hrefOf, hrefWith };
}

/** The list, or the printed pages that the URL asks for. */
export function Component() {
  const { search, hrefWith } = useListUrl();
  const { print, currPage: _, sortBy: __, ...query } = Object.fromEntries(search);
  return print ? <PrintView kind={print} query={query} back={hrefWith({ print: '', orders: '' })} /> : <OrderListScreen />;
}

/** All orders (specification §2). The sales are below the list, so that it does not move when they load. */
function OrderListScreen() {
  const { list, error, reload, filters, tools, page, hrefOf, hrefWith } = useOrderList();
  const [version, setVersion] = useState(0);
  const exporting = useAction();
  const { today, recount } = useContext(OfficeContext);
  const mayChange = useMay('change orders');
  const reloadAll = () => Promise.all([reload(), recount()]).finally(() => setVersion((before) => before + 1));
  const selection = useSelection(list?.orders ?? [], reloadAll);
  const canDispatch = !NOT_TO_DISPATCH.includes(filters.queue);
  const columns = useColumns(selection);
  const errorText = error || exporting.error;
  return (
    <AdminFrame
      title="Orders"
      changes="change orders"
      action={
        <>
          <DownloadButton
            label="Export CSV"
            endpoint="GET /api/orders/export"
            input={{ query: filters }}
            filename="orders.csv"
            action={exporting}
          />
          {mayChange && <ButtonLink to="/admin/createorder">New order</ButtonLink>}
        </>
      }
    >
      <QueueTabs queue={filters.queue} />
      {tools}
      {errorText && <Alert>{errorText}</Alert>}
      {!list && !error && <Skeleton label="Loading the orders" />}
      {list && (
        <div className="grid gap-4 md:mt-4 md:gap-6">
          <p role="status">{orderCountText(list)}</p>
          {list.total === 0 && <NothingFound />}
          <div className="grid gap-4 max-md:order-last md:gap-6">
            <BulkDispatch
              filters={filters}
              isEmpty={list.total === 0 || !canDispatch}
              version={version}
              onChange={() => void reloadAll()}
            />
            {selection.error && !selection.deliveryCheck && <Alert>{selection.error}</Alert>}
            {selection.done && <Alert tone="good">{selection.done}</Alert>}
            {list.orders.length > 0 && (
              <SelectionBar
                selection={selection}
                canDeliver={canDispatch}
                canApprove={filters.queue === 'approve'}
                printHref={(print, orders) => hrefWith({ print, orders })}
              />
            )}
          </div>
          {list.total > 0 && <Table caption="Orders" columns={columns} rows={list.orders} keyOf={({ _id }) => _id} />}
          <Pagination page={page} pages={list.pages} href={hrefOf} />
        </div>
      )}
      {today?.rights.includes('see money') && <SalesSection version={version} />}
    </AdminFrame>
  );
}
