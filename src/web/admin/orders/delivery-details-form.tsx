import { useContext } from 'react';
import { addressRulesOf } from '#contract/market/address-rules.ts';
import { COUNTRY_NAMES } from '#contract/market/countries.ts';
import type { DeliveryDetailsBody, Order } from '#contract/orders/orders.ts';
import { MarketContext, useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Field, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface DeliveryDetailsFormProps {
  order: Order;
  onDone: (order: Order) => void;
  onClose: () => void;
}

const fieldsOf = ({ fullName, phone, shippingAddress, deliveryWindow, revision }: Order) => ({
  fullName,
  phone,
  ...shippingAddress,
  from: deliveryWindow?.from ?? '',
  to: deliveryWindow?.to ?? '',
  // The revision from when the form was opened, even if the order changes meanwhile.
  revision,
});
type Fields = ReturnType<typeof fieldsOf>;

function bodyOf({ fullName, phone, from, to, revision, ...shippingAddress }: Fields): DeliveryDetailsBody {
  const deliveryWindow = from || to ? { from: from || to, to: to || from } : null;
  return { revision, fullName, phone, shippingAddress, deliveryWindow };
}

/** The form's field for each field of the body, at which its error is shown. */
const FIELD_NAMES = {
  'shippingAddress.line1': 'line1',
  'shippingAddress.line2': 'line2',
  'shippingAddress.city': 'city',
  'shippingAddress.state': 'state',
  'shippingAddress.postalCode': 'postalCode',
  'shippingAddress.country': 'country',
  'deliveryWindow.from': 'from',
  'deliveryWindow.to': 'to',
} as const;

/** Changes where and when an order is delivered. */
export function DeliveryDetailsForm({ order, onDone, onClose }: DeliveryDetailsFormProps) {
  const market = useContext(MarketContext);
  const { labels, countries = COUNTRY_NAMES } = market;
  const { zipHint, phoneProblem, postalCodeProblem } = addressRulesOf(market);
  const dispatch = useAppDispatch();
  const addressBefore = order.shippingAddress;
  const form = useForm({
    ...useFields(fieldsOf(order)),
    schema: async () => (await import('#contract/orders/orders.schema.ts')).DeliveryDetailsBody,
    body: bodyOf,
    names: FIELD_NAMES,
    // Unchanged fields are not checked again: older orders may break today's rules.
    check: ({ phone, postalCode, country }) => ({
      phone: phone === order.phone ? undefined : phoneProblem(phone),
      postalCode:
        postalCode === addressBefore.postalCode && country === addressBefore.country ? undefined : postalCodeProblem(postalCode, country),
    }),
    send: async (body) =>
      onDone(await dispatch(request('PUT /api/office/orders/:id/delivery-details', { params: { id: order._id }, body }))),
  });
  const { bind, fields } = form;
  return (
    <Form form={form} className="mt-3 grid gap-4">
      <Field label="Full name" autoComplete="off" {...bind('fullName')} />
      <Field label="Phone" type="tel" inputMode="tel" autoComplete="off" required {...bind('phone')} />
      <Field label="Address line 1" autoComplete="off" required {...bind('line1')} />
      <Field label="Address line 2" autoComplete="off" {...bind('line2')} />
      <Field label="City" autoComplete="off" required {...bind('city')} />
      <Field label={labels.state} autoComplete="off" {...bind('state')} />
      <Select label="Country" required options={[...new Set([addressBefore.country, ...countries])]} {...bind('country')} />
      <Field label={labels.zip} autoComplete="off" required hint={zipHint(fields.country)} {...bind('postalCode')} />
      <Field label="First day" type="date" hint="As agreed with the customer." {...bind('from')} />
      <Field label="Last day" type="date" hint="Leave it empty for a single day." {...bind('to')} />
      <p className="text-sm text-soft">The customer gets an email. The invoice keeps its address.</p>
      <FormButtons pending={form.pending} onClose={onClose}>
        Save delivery details
      </FormButtons>
    </Form>
  );
}
