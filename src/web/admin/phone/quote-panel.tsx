import type { ReactNode } from 'react';
import { dayText, windowText } from '#contract/delivery/delivery-window.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import type { PhoneQuote } from '#contract/phone/phone.ts';
import { discountRows } from '#contract/promotions/rows.ts';
import { ordersText } from '#web/admin/count-text.ts';
import { Panel } from '#web/parts/panel.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Select } from '#web/ui/form/field.tsx';
import { Radio } from '#web/ui/form/radio.tsx';
import type { NewOrder } from './new-order.ts';

/** Anybody can make an account with somebody else's address. */
const UNCONFIRMED = {
  used: 'This customer has not confirmed the email address. Ask about an earlier order first: anybody who can log in to the account will see this one.',
  none: 'This customer has not confirmed the email address, so somebody else may have made the account. This order ends its password and logs it out, and an email says how to choose a new password. A customer who can log in may first confirm the address on their profile.',
};

function CustomerText({ email, customer }: { email: string; customer: PhoneQuote['customer'] }) {
  if (!email.trim()) return null;
  if (!customer) return <p>New customer: they get an email to choose a password.</p>;
  return (
    <>
      <p>
        Known customer: {customer.name}, {ordersText(customer.orderCount)}.
      </p>
      {customer.trust !== 'confirmed' && <Alert tone="note">{UNCONFIRMED[customer.trust]}</Alert>}
    </>
  );
}

const DELIVERY = 'Delivery';

interface DeliveryFieldsProps {
  quote: PhoneQuote;
  day: string;
  onChange: (changes: Partial<NewOrder>) => void;
}

function DeliveryFields({ quote: { methods, shippingMethod }, day, onChange }: DeliveryFieldsProps) {
  const days = methods.find(({ id }) => id === shippingMethod)?.days ?? [];
  const dayByText = new Map(days.map((offered) => [dayText(offered), offered]));
  return (
    <>
      {methods.length > 1 && (
        <fieldset>
          <legend className="legend">{DELIVERY}</legend>
          {methods.map(({ id, label, price, window }) => (
            <Radio
              key={id}
              name="shippingMethod"
              value={id}
              chosen={shippingMethod}
              onChoose={() => onChange({ shippingMethod: id, deliveryDay: '' })}
              className="flex min-h-target items-center gap-3 py-1.5"
            >
              <span>
                {label}, {price === 0 ? 'free' : pounds(price)}
                {window && <span className="block text-sm text-soft">{windowText(window)}</span>}
              </span>
            </Radio>
          ))}
        </fieldset>
      )}
      {/* Also shown if the chosen day is no longer offered: the empty control says so. */}
      {(days.length > 0 || day) && (
        <Select
          id="deliveryDay"
          label="Day of delivery"
          autoComplete="off"
          none="No particular day"
          options={['', ...dayByText.keys()]}
          value={days.includes(day) ? dayText(day) : ''}
          onChange={({ target }) => onChange({ deliveryDay: dayByText.get(target.value) ?? '' })}
        />
      )}
    </>
  );
}

const Row = ({ label, amount }: { label: ReactNode; amount: string }) => (
  <div className="contents">
    <dt className="wrap-anywhere">{label}</dt>
    <dd className="text-right tabular-nums">{amount}</dd>
  </div>
);

const deliveryPrice = (pence: Pence) => (pence === 0 ? 'Free' : pounds(pence));

function Sums({ quote }: { quote: PhoneQuote }) {
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2">
      {quote.lines.map(({ name, qty, price, usualPrice }, index) => {
        const label = (
          <>
            {qty} × {name}
            {price !== usualPrice && <span className="block text-sm text-soft">agreed, instead of {pounds(usualPrice)}</span>}
          </>
        );
        // biome-ignore lint/suspicious/noArrayIndexKey: one product may stand on two lines.
        return <Row key={index} label={label} amount={pounds(price * qty)} />;
      })}
      {discountRows(quote, pounds).map(([label, amount]) => (
        <Row key={label} label={label} amount={amount} />
      ))}
      <Row label={DELIVERY} amount={deliveryPrice(quote.shippingPrice)} />
      <div className="contents font-semibold">
        <dt>Total</dt>
        <dd className="text-right tabular-nums">{pounds(quote.totalPrice)}</dd>
      </div>
    </dl>
  );
}

interface QuotePanelProps {
  fields: NewOrder;
  quote: PhoneQuote | undefined;
  error: string;
  onChange: (changes: Partial<NewOrder>) => void;
  /** How it is paid, and the button that places the order. */
  children: ReactNode;
}

/** What the order comes to, for the customer on the phone. */
export function QuotePanel({ fields, quote, error, onChange, children }: QuotePanelProps) {
  return (
    <Panel title="What it comes to" className="gap-4">
      <div role="status" className="grid gap-3">
        {error && <Alert tone="note">{error}</Alert>}
        {!quote && !error && <p className="text-soft">Add a product to see prices and days.</p>}
        {quote && <Sums quote={quote} />}
        {quote && <CustomerText email={fields.email} customer={quote.customer} />}
      </div>
      {quote && <DeliveryFields quote={quote} day={fields.deliveryDay} onChange={onChange} />}
      {children}
    </Panel>
  );
}
