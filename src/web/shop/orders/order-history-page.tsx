import { useContext, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { shopDay } from '#contract/market/shop-time.ts';
import { shownItems } from '#contract/orders/alike.ts';
import { costOf, goneText } from '#contract/orders/changes.ts';
import { lineName, type OrderSummary } from '#contract/orders/orders.ts';
import { pageNumberOf } from '#contract/platform/lists.ts';
import { useLastPage } from '#web/browser/last-page.ts';
import { Meta } from '#web/parts/meta.tsx';
import { StatusPill } from '#web/parts/order/status-pill.tsx';
import { AddressLines } from '#web/parts/order-parts.tsx';
import { loadMyOrders, selectOrders } from '#web/state/order.slice.ts';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Alert } from '#web/ui/alert.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const MOST_NAMES = 3;
const hrefOf = (page: number) => (page === 1 ? '/orders' : `/orders?currPage=${page}`);

/** Up to three product names, numbered, then "More..." (specification §2). */
function Names({ items }: { items: OrderSummary['orderItems'] }) {
  return (
    <ol>
      {items.slice(0, MOST_NAMES).map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one product may stand on two lines, and lines never move.
        <li key={`${item._id}${index}`}>
          {index + 1}. {lineName(item)}
        </li>
      ))}
      {items.length > MOST_NAMES && <li className="list-none">More...</li>}
    </ol>
  );
}

function OrderCard({ order }: { order: OrderSummary }) {
  const market = useContext(MarketContext);
  const { _id, reference, createdAt, orderItems, shippingAddress, fullName } = order;
  const gone = goneText(order);
  return (
    <article className="panel grid grid-cols-[5.5rem_1fr] gap-5 sm:grid-cols-[7rem_1fr_auto]" aria-label={`Order of ${shopDay(createdAt)}`}>
      <div>
        <Picture src={orderItems[0]?.image ?? ''} alt="" sizes="7rem" className="rounded-soft" />
      </div>
      <div className="grid content-start gap-3 lg:grid-cols-2 lg:gap-x-10">
        <p className="flex flex-wrap items-center gap-x-6 gap-y-1.5 lg:col-span-2">
          <time dateTime={createdAt}>{shopDay(createdAt)}</time>
          <span>{reference}</span>
          <span className="font-semibold">{market.orderPrice(costOf(order))}</span>
          {gone && <span className="text-sm text-soft">{gone}</span>}
          <StatusPill order={order} />
        </p>
        <Names items={shownItems(orderItems)} />
        <div className="text-sm text-soft">
          <p>{fullName}</p>
          <AddressLines address={{ ...shippingAddress, state: '' }} />
        </div>
      </div>
      <ButtonLink
        to={`/order/${_id}`}
        look="secondary"
        className="col-span-2 self-start sm:col-span-1"
        aria-label={`Order Details, ${shopDay(createdAt)}`}
      >
        Order Details
      </ButtonLink>
    </article>
  );
}

/** Order History (specification §2), loaded by the browser, which has the session. */
export function Component() {
  const dispatch = useAppDispatch();
  const [search] = useSearchParams();
  const { list, error, errorMessage } = useAppSelector(selectOrders);
  const page = pageNumberOf(search.get('currPage'));
  useEffect(() => {
    void dispatch(loadMyOrders(page));
  }, [dispatch, page]);
  useLastPage(page, list, hrefOf);
  return (
    <main id="main" className="container-page py-section">
      <Meta title="Order History" noindex />
      <h1 className="mb-8">Order History</h1>
      {error && <Alert>{errorMessage}</Alert>}
      {!list && !error && <Skeleton label="Loading your orders" shapes={['h-40 w-full', 'h-40 w-full']} />}
      {list && (
        <div className="grid gap-6">
          {list.total === 0 && (
            <div className="grid justify-items-start gap-4">
              <p>You have not ordered anything yet.</p>
              <ButtonLink to="/shop">All Products</ButtonLink>
            </div>
          )}
          {list.orders.map((order) => (
            <OrderCard key={order._id} order={order} />
          ))}
          <Pagination page={page} pages={list.pages} href={hrefOf} />
        </div>
      )}
    </main>
  );
}
