import { useContext, useEffect } from 'react';
import { Link, useParams } from 'react-router';
import type { Order } from '#contract/orders.ts';
import { Meta } from '#web/parts/meta.tsx';
import { AddressLines, OrderItems, PaymentStatus, ShippingStatus } from '#web/parts/order-parts.tsx';
import { loadOrder, selectOrders } from '#web/state/order.slice.ts';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Subtotal, shipping, tax and total of an order. */
function Amounts({ order }: { order: Order }) {
  const { orderPrice } = useContext(MarketContext);
  const rows = [
    ['Subtotal', order.subTotalPrice],
    ['Shipping', order.shippingPrice],
    ['Tax', order.taxPrice],
    ['Total', order.totalPrice],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-y-2">
      {rows.map(([label, pence]) => (
        <div key={label} className="contents last:font-semibold">
          <dt>{label}</dt>
          <dd className="text-right">{orderPrice(pence)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One order of the customer's own (specification §2). */
export function Component() {
  const { id = '' } = useParams();
  const dispatch = useAppDispatch();
  const market = useContext(MarketContext);
  const { order, error, errorMessage } = useAppSelector(selectOrders);
  useEffect(() => {
    void dispatch(loadOrder(id));
  }, [dispatch, id]);
  return (
    <main id="main" className="container-page py-section">
      <Meta title="Order | Hearth & Oak" noindex />
      <p className="mb-2">
        <Link to="/orders" className="link">
          Order History
        </Link>
      </p>
      <h1 className="mb-8 break-words">Order {id}</h1>
      {error && <Alert>{errorMessage}</Alert>}
      {!order && !error && <Skeleton label="Loading the order" />}
      {order && (
        <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
          <section className="panel grid gap-5">
            <h2>Order Items</h2>
            <OrderItems items={order.orderItems} format={market.orderPrice} />
          </section>
          <div className="grid gap-6 sm:grid-cols-2 lg:grid-cols-1">
            <section className="panel grid content-start gap-3">
              <h2>Order Summary</h2>
              <Amounts order={order} />
            </section>
            <section className="panel grid content-start gap-2">
              <h2>Shipping Address</h2>
              <AddressLines address={order.shippingAddress} />
            </section>
            <section className="panel grid content-start gap-2">
              <h2>Shipping Status</h2>
              <ShippingStatus order={order} />
            </section>
            <section className="panel grid content-start gap-2">
              <h2>Payment Method</h2>
              <PaymentStatus order={order} />
            </section>
          </div>
        </div>
      )}
    </main>
  );
}
