import { useContext } from 'react';
import type { Session } from '#contract/accounts/users.ts';
import { addressRulesOf } from '#contract/market/address-rules.ts';
import { COUNTRY_NAMES } from '#contract/market/countries.ts';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { MarketContext } from '#web/state/store.ts';
import { Field, Select } from '#web/ui/form/field.tsx';
import type { useForm } from '#web/ui/form/use-form.ts';
import type { CheckoutFields } from './checkout-form.ts';

export const LEGEND = 'mb-3 font-display text-heading';
const TWO_COLUMNS = 'grid items-start gap-4 sm:grid-cols-2';
const METHODS = [PAYMENT_METHOD.cash, PAYMENT_METHOD.online];

interface PartProps {
  form: Pick<ReturnType<typeof useForm<CheckoutFields>>, 'bind' | 'fields'>;
}

export function Contact({ form: { bind }, user }: PartProps & { user: Session }) {
  // Not the typed address: emails about orders only go to the account's confirmed one.
  const hint = `We’ll send your confirmation to ${user.email}.`;
  return (
    <fieldset className="grid gap-4">
      <legend className={LEGEND}>Contact</legend>
      <Field label="Email" type="email" autoComplete="email" inputMode="email" required hint={hint} {...bind('email')} />
      <div className={TWO_COLUMNS}>
        <Field label="Full name" autoComplete="name" required {...bind('fullName')} />
        <Field
          label="Phone"
          type="tel"
          autoComplete="tel"
          inputMode="tel"
          required
          hint="So that the driver can reach you on the day."
          {...bind('phone')}
        />
      </div>
    </fieldset>
  );
}

/** The delivery address. Its labels, and which fields are required, depend on the country. */
export function Address({ form: { bind, fields } }: PartProps) {
  const market = useContext(MarketContext);
  const { labels, countries } = market;
  const { needsState, zipHint } = addressRulesOf(market);
  return (
    <fieldset className="grid gap-4">
      <legend className={LEGEND}>Shipping address</legend>
      <Field label="Address line 1" autoComplete="address-line1" required {...bind('address1')} />
      <Field label="Address line 2" autoComplete="address-line2" {...bind('address2')} />
      <div className={TWO_COLUMNS}>
        <Field label="City" autoComplete="address-level2" required {...bind('city')} />
        <Field label={labels.state} autoComplete="address-level1" required={needsState(fields.country)} {...bind('state')} />
        <Select label="Country" autoComplete="country-name" required options={countries ?? COUNTRY_NAMES} {...bind('country')} />
        <Field label={labels.zip} autoComplete="postal-code" required hint={zipHint(fields.country)} {...bind('zip')} />
      </div>
      <Field label="Note for the driver" autoComplete="off" {...bind('deliveryNote')} />
    </fieldset>
  );
}

export function Payment({ form: { bind, fields } }: PartProps) {
  return (
    <fieldset className="grid gap-4">
      <legend className={LEGEND}>Payment</legend>
      <Select label="Payment method" autoComplete="off" required options={METHODS} {...bind('paymentMethod')} />
      {fields.paymentMethod === PAYMENT_METHOD.online && (
        <Field
          label="Payment ID"
          autoComplete="off"
          required
          hint="The reference of the payment that you have made. We keep it with your order."
          {...bind('paymentId')}
        />
      )}
    </fieldset>
  );
}
