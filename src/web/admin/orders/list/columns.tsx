import { Fragment, useContext } from 'react';
import { dayText } from '#contract/delivery/delivery-window.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import { shownItems } from '#contract/orders/alike.ts';
import { costOf, goneText } from '#contract/orders/changes.ts';
import { type OfficeOrder, type OrderSummary, refundText } from '#contract/orders/orders.ts';
import { STATES } from '#contract/orders/states.ts';
import { TagList } from '#web/admin/office/tag-list.tsx';
import { AdminPrice } from '#web/admin/orders/admin-price.tsx';
import { RowCheckbox } from '#web/admin/row-checkbox.tsx';
import { ShortId } from '#web/admin/short-id.tsx';
import { StatusPill } from '#web/parts/order/status-pill.tsx';
import { MarketContext } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';
import type { useSelection } from './use-selection.ts';

const DATE_CLASSES = 'whitespace-nowrap md:max-2xl:text-sm';

function paidText(order: OrderSummary): string {
  const refund = refundText(order);
  if (refund) return refund;
  if (order.paidAt) return shopDay(order.paidAt);
  return order.status === 'cancelled' ? 'Nothing to pay' : 'No';
}

function deliveredText({ status, deliveredAt }: OrderSummary): string {
  if (deliveredAt) {
    const laterState = status === 'delivered' ? '' : `, ${STATES[status].label}`;
    return `${shopDay(deliveredAt)}${laterState}`;
  }
  return status === 'placed' || status === 'refunded' ? 'No' : STATES[status].label;
}

/** A text that may begin with a date. The date stays on one line; the words after it wrap. */
function DayAndWords({ text }: { text: string }) {
  const [, day = '', words] = /^(\d{4}-\d\d-\d\d,?)?(.*)$/.exec(text) ?? [];
  return (
    <>
      <span className={DATE_CLASSES}>{day}</span>
      <span className="wrap-normal">{words}</span>
    </>
  );
}

/** Classes for tablets, where the table has the least room; phones show cards. */
const ON_TABLETS = { hidden: 'md:max-xl:hidden', shown: 'md:max-xl:block' };
/** Classes for tablets and small desktops, where the day of delivery is below the state. */
const BELOW_WIDE = { hidden: 'md:max-2xl:hidden', shown: 'md:max-2xl:block' };
const MAX_PICTURES = 3;

/** The state and, where the column “Delivered” has no room, the day of delivery. */
function StateCell({ order }: { order: OrderSummary }) {
  return (
    <>
      <StatusPill order={order} isOffice />
      {order.deliveredAt && <span className={`hint hidden whitespace-nowrap ${BELOW_WIDE.shown}`}>{shopDay(order.deliveredAt)}</span>}
    </>
  );
}

function ReferenceCell({ order }: { order: OfficeOrder }) {
  const { reference, fullName, userName, tags, customerTags } = order;
  const items = shownItems(order.orderItems);
  const morePictures = items.length - MAX_PICTURES;
  return (
    <span className="grid justify-items-end gap-1 md:justify-items-start">
      <span className="whitespace-nowrap text-sm font-medium">{reference}</span>
      <span className="flex items-center gap-1">
        {items.slice(0, MAX_PICTURES).map(({ name, image }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one product may stand on two lines, and lines never move.
          <span key={index} title={name} className="block w-6">
            <Picture src={image} alt="" sizes="1.5rem" className="rounded-soft" />
          </span>
        ))}
        {morePictures > 0 && <span className="whitespace-nowrap text-sm text-soft">+{morePictures}</span>}
      </span>
      <TagList tags={tags} customerTags={customerTags} />
      <span className={`hidden text-sm ${ON_TABLETS.shown}`}>{fullName || userName}</span>
      <span className={`hidden ${ON_TABLETS.shown}`}>
        <StateCell order={order} />
      </span>
    </span>
  );
}

/** The day of the order and, until it is delivered, the day chosen for its delivery. */
function DateCell({ order: { createdAt, isDayChosen, isDelivered, deliveryWindow } }: { order: OrderSummary }) {
  return (
    <>
      <span className={DATE_CLASSES}>{shopDay(createdAt)}</span>
      {isDayChosen && !isDelivered && deliveryWindow && (
        <span className="hint block whitespace-nowrap">for {dayText(deliveryWindow.from)}</span>
      )}
    </>
  );
}

/** An email address, which breaks after its @ and before its dots rather than within a word. */
function Email({ address }: { address: string }) {
  return address.split(/(?<=@)|(?=\.)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move.
    <Fragment key={at}>
      <wbr />
      {part}
    </Fragment>
  ));
}

function CustomerCell({ order: { fullName, userName, userEmail } }: { order: OrderSummary }) {
  return (
    <span className="inline-block min-w-20 xl:min-w-32">
      {fullName || userName}
      <span className="block text-sm text-soft">
        <Email address={userEmail} />
      </span>
    </span>
  );
}

/** The columns of specification §2, and our own. */
export function useColumns({ ids, toggle }: ReturnType<typeof useSelection>) {
  const { adminOrderPrice } = useContext(MarketContext);
  const orderName = ({ reference, userName }: OrderSummary) => `the order of ${userName}, ${reference}`;
  return [
    {
      label: 'Select',
      cell: (order: OrderSummary) => (
        <RowCheckbox name={orderName(order)} checked={ids.includes(order._id)} onChange={() => toggle(order._id)} />
      ),
    },
    { label: 'Ref.', cell: (order: OfficeOrder) => <ReferenceCell order={order} /> },
    { label: 'Customer', cell: (order: OrderSummary) => <CustomerCell order={order} />, className: ON_TABLETS.hidden },
    { label: 'Status', cell: (order: OrderSummary) => <StateCell order={order} />, className: ON_TABLETS.hidden },
    { label: 'OrderID', cell: ({ _id }: OrderSummary) => <ShortId id={_id} /> },
    { label: 'UserID', cell: ({ user, userName }: OrderSummary) => (user ? <ShortId id={user} /> : `${userName} (deleted)`) },
    { label: 'Date', cell: (order: OrderSummary) => <DateCell order={order} /> },
    {
      label: 'Total',
      cell: (order: OrderSummary) => (
        <>
          <AdminPrice price={adminOrderPrice(costOf(order))} />
          {goneText(order) && <span className="hint block">{goneText(order)}</span>}
          {order.discounts.map(({ name, code }) => (
            <span key={name} className="hint block wrap-anywhere">
              {code ?? name}
            </span>
          ))}
        </>
      ),
    },
    { label: 'Paid', cell: (order: OrderSummary) => <DayAndWords text={paidText(order)} /> },
    {
      label: 'Delivered',
      cell: (order: OrderSummary) => <DayAndWords text={deliveredText(order)} />,
      className: BELOW_WIDE.hidden,
    },
    {
      label: 'Details',
      cell: (order: OrderSummary) => (
        <Link to={`/admin/orderdetails/${order._id}`} className="link" aria-label={`Details of ${orderName(order)}`}>
          Details
        </Link>
      ),
    },
  ];
}
