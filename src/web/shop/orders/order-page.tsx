import { type PropsWithChildren, useContext, useEffect } from 'react';
import { useParams } from 'react-router';
import { shopDay } from '#contract/market/shop-time.ts';
import { cancelledRows, totalRows } from '#contract/orders/changes.ts';
import type { Order } from '#contract/orders/orders.ts';
import { discountRows } from '#contract/promotions/rows.ts';
import { Invoices } from '#web/parts/invoices/invoices.tsx';
import { WithInvoice } from '#web/parts/invoices/with-invoice.tsx';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Meta } from '#web/parts/meta.tsx';
import { BusinessBuyer } from '#web/parts/order/business-buyer.tsx';
import { DriverNote } from '#web/parts/order/driver-note.tsx';
import { Parcels } from '#web/parts/order/parcels.tsx';
import { AddressLines, OrderItems, PaymentStatus, ShippingStatus } from '#web/parts/order-parts.tsx';
import { loadOrder, orderChanged, selectOrders } from '#web/state/order.slice.ts';
import { CompanyContext, MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { CancelOrder } from './cancel-order.tsx';
import { Refunds } from './refunds.tsx';
import { OrderHelp, WhatNext } from './what-next.tsx';

const PayDifference = lazyPart(async () => (await import('./pay-difference.tsx')).PayDifference, {
  fallback: <div className="mb-6 min-h-48" />,
});

/** Once the order is delivered. */
const Returns = lazyPart(async () => (await import('./returns.tsx')).Returns, { fallback: <div className="min-h-48" /> });

/** The specified amounts of an order, and what has changed in them. The last one is what it costs now. */
function Amounts({ order }: { order: Order }) {
  const { orderPrice } = useContext(MarketContext);
  const rows = [
    ['Subtotal', orderPrice(order.subTotalPrice)],
    ...discountRows(order, orderPrice),
    ...cancelledRows(order, orderPrice),
    ['Shipping', orderPrice(order.shippingPrice)],
    ['Tax', orderPrice(order.taxPrice)],
    ...totalRows(order, orderPrice),
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-y-2">
      {rows.map(([label, amount]) => (
        <div key={label} className="contents last:font-semibold">
          <dt>{label}</dt>
          <dd className="text-right">{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

const NO_INVOICE = (
  <>
    This order was placed before we issued invoices here. If you need one,{' '}
    <Link to="/contact" className="link">
      email or call us
    </Link>
    .
  </>
);

function Part({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <section className="grid content-start gap-3">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The order as placed, in one box; below it, without boxes, what can be done with it. */
function OrderDetails({ order }: { order: Order }) {
  const dispatch = useAppDispatch();
  const { orderPrice } = useContext(MarketContext);
  return (
    <>
      <div className="panel grid gap-x-12 gap-y-8 lg:grid-cols-[1fr_20rem] print:grid-cols-[1fr_16rem]">
        <Part title="Order Items">
          <OrderItems items={order.orderItems} format={orderPrice} isReceived={order.isDelivered} />
        </Part>
        <Part title="Order Summary">
          <p className="flex justify-between gap-4">
            Order date <time dateTime={order.createdAt}>{shopDay(order.createdAt)}</time>
          </p>
          <Amounts order={order} />
        </Part>
        <div className="grid gap-x-12 gap-y-8 border-t border-line pt-6 sm:grid-cols-3 lg:col-span-2 print:col-span-2 print:grid-cols-3">
          <Part title="Shipping Address">
            <div>
              <p className="font-semibold">{order.fullName}</p>
              <AddressLines address={order.shippingAddress} />
              {order.phone && <p>{order.phone}</p>}
            </div>
            <BusinessBuyer business={order.business} />
            <DriverNote order={order} onChange={(changed) => dispatch(orderChanged(changed))} />
          </Part>
          <Part title="Shipping Status">
            <ShippingStatus order={order} />
            {order.parcels.length > 0 && <Parcels order={order} />}
          </Part>
          <Part title="Payment Method">
            <PaymentStatus order={order} />
          </Part>
        </div>
      </div>
      <div className="panels-plain mt-10 grid items-start gap-x-12 gap-y-8 sm:grid-cols-2 lg:grid-cols-3 print:grid-cols-1">
        {order.isDelivered && <Returns order={order} />}
        <Refunds order={order} />
        <Invoices order={order} whyNone={NO_INVOICE} />
        <CancelOrder order={order} />
        <OrderHelp order={order} />
      </div>
    </>
  );
}

function OrderScreen() {
  const { id = '' } = useParams();
  const dispatch = useAppDispatch();
  const { shop } = useContext(CompanyContext);
  const { order, error, errorMessage } = useAppSelector(selectOrders);
  useEffect(() => {
    void dispatch(loadOrder(id));
  }, [dispatch, id]);
  const title = order ? `Order ${order.reference}` : 'Order';
  return (
    <main id="main" className="container-page py-section">
      <Meta title={title} noindex />
      <p className="mb-6 hidden font-display text-heading print:block">{shop}</p>
      <p className="mb-2 print:hidden">
        <Link to="/orders" className="link">
          Order History
        </Link>
      </p>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 break-words">
          <h1>{title}</h1>
          <p className="mt-1 text-sm text-soft">Order id: {id}</p>
        </div>
        {order && (
          <Button look="secondary" className="print:hidden" onClick={() => window.print()}>
            Print
          </Button>
        )}
      </div>
      {error && <Alert>{errorMessage}</Alert>}
      {!order && !error && <Skeleton label="Loading the order" />}
      {order && (
        <>
          {(order.correction || order.payUntil) && <PayDifference order={order} />}
          <WhatNext order={order} />
          <OrderDetails order={order} />
        </>
      )}
    </main>
  );
}

/** A customer's order (specification §2), or its invoice. */
export function Component() {
  return (
    <WithInvoice>
      <OrderScreen />
    </WithInvoice>
  );
}
