import { useContext, useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { pounds } from '#contract/market/money.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { changesOf } from '#contract/orders/changes.ts';
import type { Order } from '#contract/orders/orders.ts';
import { Invoices } from '#web/parts/invoices/invoices.tsx';
import { WithInvoice } from '#web/parts/invoices/with-invoice.tsx';
import { Meta } from '#web/parts/meta.tsx';
import { Parcels } from '#web/parts/order/parcels.tsx';
import { AddressLines, OrderItems, OrderReference, PaymentStatus, ShippingStatus } from '#web/parts/order-parts.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { loadOrder, selectOrders } from '#web/state/order.slice.ts';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { CancelOrder } from './cancel-order.tsx';
import { Refunds } from './refunds.tsx';
import { Returns } from './returns.tsx';
import { OrderHelp, WhatNext } from './what-next.tsx';

/** The specified amounts of an order, and later changes in pounds. */
function Amounts({ order }: { order: Order }) {
  const { orderPrice } = useContext(MarketContext);
  const rows = [
    ['Subtotal', orderPrice(order.subTotalPrice)],
    ['Shipping', orderPrice(order.shippingPrice)],
    ['Tax', orderPrice(order.taxPrice)],
    ['Total', orderPrice(order.totalPrice)],
    ...changesOf(order).map(([label, pence]) => [label, pounds(pence)] as const),
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

function OrderPanels({ order }: { order: Order }) {
  const { orderPrice } = useContext(MarketContext);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem] lg:grid-rows-[auto_1fr] print:grid-cols-[1fr_16rem] print:grid-rows-[auto_1fr]">
      <Panel title="Order Items" className="gap-5">
        <OrderItems items={order.orderItems} format={orderPrice} isReceived={order.isDelivered} />
      </Panel>
      <div className="grid gap-6 sm:grid-cols-2 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:grid-cols-1 print:col-start-2 print:row-span-2 print:row-start-1 print:grid-cols-1">
        <Panel title="Order Summary" className="gap-3">
          <OrderReference order={order} />
          <p className="flex justify-between gap-4">
            Order date <time dateTime={order.createdAt}>{shopDay(order.createdAt)}</time>
          </p>
          <Amounts order={order} />
        </Panel>
        <Panel title="Shipping Address">
          <p className="font-semibold">{order.fullName}</p>
          <AddressLines address={order.shippingAddress} />
          {order.phone && <p>{order.phone}</p>}
        </Panel>
        <Panel title="Shipping Status">
          <ShippingStatus order={order} />
          {order.parcels.length > 0 && <Parcels order={order} />}
        </Panel>
        <Panel title="Payment Method">
          <PaymentStatus order={order} />
        </Panel>
      </div>
      <div className="grid items-start gap-6 sm:grid-cols-2 print:grid-cols-1">
        <Returns order={order} />
        <Refunds order={order} />
        <Invoices order={order} whyNone={NO_INVOICE} />
        <CancelOrder order={order} />
        <OrderHelp reference={order.reference} />
      </div>
    </div>
  );
}

function OrderScreen() {
  const { id = '' } = useParams();
  const dispatch = useAppDispatch();
  const { order, error, errorMessage } = useAppSelector(selectOrders);
  useEffect(() => {
    void dispatch(loadOrder(id));
  }, [dispatch, id]);
  return (
    <main id="main" className="container-page py-section">
      <Meta title="Order" noindex />
      <p className="mb-2 print:hidden">
        <Link to="/orders" className="link">
          Order History
        </Link>
      </p>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h1 className="min-w-0 break-words">Order {id}</h1>
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
          <WhatNext order={order} />
          <OrderPanels order={order} />
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
