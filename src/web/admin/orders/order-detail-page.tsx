import { type ReactNode, useContext, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { shownItems } from '#contract/orders/alike.ts';
import { cancelledRows, costOf, goneText, totalRows } from '#contract/orders/changes.ts';
import { DISPUTE_EVENTS } from '#contract/orders/events.ts';
import { COLOUR_NOT_CHOSEN, type Order } from '#contract/orders/orders.ts';
import { hasLeft } from '#contract/orders/pay-by.ts';
import type { PaidBackBy } from '#contract/orders/reasons.ts';
import { STEPS, type StepName, stepOf } from '#contract/orders/steps.ts';
import { discountRows } from '#contract/promotions/rows.ts';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { PrintFrame } from '#web/admin/delivery/print-frame.tsx';
import { parcelSlipOf, SLIP_PARAMETER, SlipPages, slipsOf } from '#web/admin/delivery/slip.tsx';
import { OfficeContext } from '#web/admin/office/office-context.ts';
import { StaffNotes } from '#web/admin/office/staff-notes.tsx';
import { StaffTags } from '#web/admin/office/staff-tags.tsx';
import { Invoices } from '#web/parts/invoices/invoices.tsx';
import { WithInvoice } from '#web/parts/invoices/with-invoice.tsx';
import { BusinessBuyer } from '#web/parts/order/business-buyer.tsx';
import { DriverNote } from '#web/parts/order/driver-note.tsx';
import { AddressLines, OrderReference, PaymentStatus, PiecesBack, shippingText } from '#web/parts/order-parts.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { MarketContext, useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { AdminPrice } from './admin-price.tsx';
import { CashSteps, uncollectedText } from './cash-steps.tsx';
import { DeliveryDetailsForm } from './delivery-details-form.tsx';
import { OrderMails } from './order-mails.tsx';
import { OrderWorkPanels } from './order-work-panels.tsx';

/** Customer and what the order costs now, on one line. */
function Gist({ order }: { order: Order }) {
  const { reference, fullName, user, shippingAddress } = order;
  const facts = [reference, fullName || user.name, shippingAddress.city, pounds(costOf(order))];
  const gone = goneText(order);
  return (
    <p className="text-lg font-medium wrap-anywhere">
      {facts.filter(Boolean).join(' · ')}
      {gone && <span className="text-base font-normal text-soft"> ({gone})</span>}
    </p>
  );
}

function Items({ order }: { order: Order }) {
  const { adminOrderPrice } = useContext(MarketContext);
  return (
    <ul className="grid gap-4">
      {shownItems(order.orderItems).map(({ _id, name, image, qty, price, discount, size, colourName, isColourOpen, ...counts }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one product may stand on two lines, and lines never move.
        <li key={`${_id}${index}`} className="grid grid-cols-[4rem_1fr] items-center gap-4">
          <Picture src={image} alt="" sizes="4rem" className="rounded-soft" />
          <span>
            {name}
            {(size || colourName || isColourOpen) && (
              <span className="block text-sm text-soft">
                {[size, colourName ?? (isColourOpen && COLOUR_NOT_CHOSEN)].filter(Boolean).join(', ')}
              </span>
            )}
            <PiecesBack qty={qty} {...counts} />
            <span className="block">
              {qty} x <AdminPrice price={adminOrderPrice(price)} /> = <AdminPrice price={adminOrderPrice(qty * price)} />
              {discount > 0 && <span className="block text-sm text-soft">less {pounds(discount)} discount</span>}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Summary({ order }: { order: Order }) {
  const { adminOrderPrice, adminShipping } = useContext(MarketContext);
  const specified = (pence: number) => <AdminPrice price={adminOrderPrice(pence)} />;
  const [, ...refunds] = totalRows(order, pounds);
  // The specification has undivided pence only in its own three rows.
  const rows: [label: string, amount: ReactNode][] = [
    ['Subtotal', specified(order.subTotalPrice)],
    ...discountRows(order, pounds),
    ...cancelledRows(order, pounds),
    ['Shipping', specified(adminShipping(order.shippingPrice))],
    ['Total', specified(order.totalPrice - order.waivedPrice)],
    ...refunds,
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
      {rows.map(([label, amount]) => (
        <div key={label} className="contents last:font-semibold">
          <dt>{label}</dt>
          <dd className="text-right">{amount}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Takes a step of the order, shows its new state and says "Update Succeed" (specification §4). */
function useOrderActions(order: Order | undefined, replace: (order: Order) => void) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const params = { id: order?._id ?? '' };
  const perform = (name: string, send: () => Promise<Order>) =>
    run(name, async () => {
      replace(await send());
      return 'Update Succeed';
    });
  const take = (step: StepName, parcelId?: string) =>
    perform(parcelId ? `${step} ${parcelId}` : step, () => {
      const { call, to } = stepOf(step);
      if (call === 'delivery')
        return dispatch(request('PUT /api/orders/:id/deliver', { params, body: { isDelivered: step === 'deliver' } }));
      if (call === 'cash')
        return dispatch(request('PUT /api/orders/:id/cash', { params, body: { isPaid: false, revision: order?.revision } }));
      const stage = to?.[0] ?? 'placed';
      return dispatch(request('PUT /api/orders/:id/stage', { params, body: parcelId ? { stage, parcel: parcelId } : { stage } }));
    });
  const receive = (receivedBy: PaidBackBy) =>
    perform(`receiveCash ${receivedBy}`, () =>
      dispatch(request('PUT /api/orders/:id/cash', { params, body: { isPaid: true, receivedBy, revision: order?.revision } })),
    );
  const notCollected = () =>
    perform('notCollected', () =>
      dispatch(request('POST /api/office/orders/:id/not-collected', { params, body: { revision: order?.revision } })),
    );
  return { pending, error, done, take, receive, notCollected };
}

function Timeline({ events }: { events: Order['events'] }) {
  return (
    <ol className="grid gap-2 border-l-2 border-line pl-4 text-sm">
      {events.map(({ at, kind, actor, detail }) => (
        <li key={at + kind}>
          <time dateTime={at} className="text-soft">
            {shopTime(at)}
          </time>{' '}
          <span className="font-medium">{kind}</span>, {actor}
          {detail && <span className="block wrap-anywhere text-soft">{detail}</span>}
        </li>
      ))}
    </ol>
  );
}

type OrderActions = ReturnType<typeof useOrderActions>;

function Payment({ order, actions, onChange }: Pick<OrderDetailsProps, 'order' | 'actions' | 'onChange'>) {
  const notCollected = uncollectedText(order);
  const dispute = order.events.findLast(({ kind }) => Object.values<string>(DISPUTE_EVENTS).includes(kind));
  return (
    <Panel title="Payment Method" className="gap-2 print:hidden">
      <PaymentStatus order={order} />
      {order.payUntil && (
        <p>
          {hasLeft(order.status)
            ? 'It has left before it was paid. The customer’s link to pay stays open.'
            : `The customer has a link to pay it by ${shopTime(order.payUntil)}. If they don’t, the order is cancelled.`}
        </p>
      )}
      {dispute?.kind === DISPUTE_EVENTS.inquiry && <p>Payment questioned: {dispute.detail}.</p>}
      {dispute?.kind === DISPUTE_EVENTS.open && <p className="text-bad">Payment disputed: {dispute.detail}.</p>}
      {order.orderPaymentID && <p className="wrap-anywhere text-sm text-soft">Payment id: {order.orderPaymentID}</p>}
      {notCollected && <p>{notCollected}</p>}
      <CashSteps order={order} actions={actions} onChange={onChange} />
    </Panel>
  );
}

/** Where and when an order is delivered, with a form that changes it until the order has left. */
function ShippingAddress({ order, onChange }: Pick<OrderDetailsProps, 'order' | 'onChange'>) {
  const [isOpen, setIsOpen] = useState(false);
  const finish = (after: Order) => {
    setIsOpen(false);
    onChange(after);
  };
  const isChangeable = order.can.includes('correctDelivery');
  return (
    <Panel title="Shipping Address" className="gap-1">
      {isOpen && isChangeable ? (
        <DeliveryDetailsForm order={order} onDone={finish} onClose={() => setIsOpen(false)} />
      ) : (
        <>
          <AddressLines address={order.shippingAddress} />
          <p>{shippingText(order)}</p>
          {isChangeable && (
            <Button look="quiet" className="justify-self-start px-0 print:hidden" onClick={() => setIsOpen(true)}>
              {STEPS.correctDelivery.label}
            </Button>
          )}
          <BusinessBuyer business={order.business} />
          <DriverNote order={order} onChange={onChange} />
        </>
      )}
    </Panel>
  );
}

interface OrderDetailsProps {
  order: Order;
  actions: OrderActions;
  onChange: (order: Order) => void;
  reload: () => Promise<void>;
}

function OrderDetails({ order, actions, onChange, reload }: OrderDetailsProps) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_24rem]">
      <div className="grid gap-6 sm:[&>.panel>.btn]:justify-self-start">
        <OrderWorkPanels order={order} actions={actions} onChange={onChange} reload={reload}>
          <Panel title="Order Items" className="gap-4">
            <Items order={order} />
          </Panel>
        </OrderWorkPanels>
        <StaffTags of="order" id={order._id} />
        <StaffNotes of="order" id={order._id} />
        <OrderMails orderId={order._id} onSent={reload} />
        <Panel title="Timeline" className="gap-3 print:hidden">
          <Timeline events={order.events} />
        </Panel>
      </div>
      <div className="grid gap-6">
        <Panel title="Order Summary" className="gap-3">
          <OrderReference order={order} />
          <Summary order={order} />
        </Panel>
        <Panel title="User Info" className="gap-1">
          <p>{order.fullName || order.user.name}</p>
          <p className="wrap-anywhere">{order.email || order.user.email}</p>
          <p>{order.phone}</p>
        </Panel>
        <ShippingAddress order={order} onChange={onChange} />
        <Payment order={order} actions={actions} onChange={onChange} />
        <Invoices order={order} whyNone={NO_INVOICE} />
      </div>
    </div>
  );
}

/** The button's words for the slips that the order's page prints. */
function printText(order: Order): string {
  const [slip, ...others] = slipsOf(order);
  if (others.length > 0) return 'Print packing slips';
  const isRest = slip?.parcelId === undefined && order.parcels.some(({ status }) => status === 'sent');
  return isRest ? 'Print packing slip of the rest' : 'Print packing slip';
}

function OrderScreen() {
  const { id = '' } = useParams();
  const { value: order, error, replace, reload } = useLoaded('GET /api/orders/:id', { params: { id } });
  const { recount } = useContext(OfficeContext);
  const showChanged = (changed: Order) => {
    replace(changed);
    void recount();
  };
  const actions = useOrderActions(order, showChanged);
  const slipId = useSearchParams()[0].get(SLIP_PARAMETER);
  const parcel = order?.parcels.find(({ _id, status }) => _id === slipId && status === 'sent');
  if (order && parcel)
    return (
      <PrintFrame title="Packing slip" back={`/admin/orderdetails/${id}`} isTitlePrinted={false}>
        <SlipPages slips={[parcelSlipOf(order, parcel)]} />
      </PrintFrame>
    );
  const maySend = order && !order.awaitsApproval && order.status !== 'cancelled';
  const printButton = maySend && (
    <Button look="secondary" className="print:hidden" onClick={() => window.print()}>
      {printText(order)}
    </Button>
  );
  return (
    <AdminFrame title={`Order ${id}`} back="/admin/orderlist" action={printButton} isTitlePrinted={false} isIdTitle>
      {error && <Alert>{error}</Alert>}
      {!order && !error && <Skeleton label="Loading the order" />}
      {order && (
        <>
          <div className="grid gap-4 print:hidden lg:gap-6">
            <Gist order={order} />
            <OrderDetails order={order} actions={actions} onChange={showChanged} reload={reload} />
          </div>
          <div className="hidden print:block">
            <SlipPages slips={slipsOf(order)} />
          </div>
        </>
      )}
    </AdminFrame>
  );
}

const NO_INVOICE =
  'This order was placed before the shop issued invoices. If the customer asks for one, issue it from the books of that time: a number given now would count the sale again in this quarter’s VAT.';

/** One order (specification §2). It prints as a packing slip or as its invoice. */
export function Component() {
  return (
    <WithInvoice>
      <OrderScreen />
    </WithInvoice>
  );
}
