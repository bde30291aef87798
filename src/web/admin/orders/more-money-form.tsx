import { useState } from 'react';
import { NO_AMOUNT, penceOf, pounds } from '#contract/market/money.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { PaidBackBy } from '#contract/orders/reasons.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Field, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

const WAYS: Record<string, PaidBackBy> = { 'In cash': 'cash', 'By transfer': 'transfer' };

interface MoreMoneyFormProps {
  order: Order;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** Records money that came in for an order of which nothing is due: it has to be paid back. Proposes what drivers were to collect. */
export function MoreMoneyForm({ order, onDone, onClose }: MoreMoneyFormProps) {
  const dispatch = useAppDispatch();
  // One key for as long as the form is open, so that a second try after a lost answer does not record it twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const { toReceive, revision } = order;
  const form = useForm({
    ...useFields({ amount: toReceive > 0 ? (toReceive / 100).toFixed(2) : '', receivedBy: toReceive > 0 ? 'In cash' : '' }),
    schema: async () => (await import('#contract/orders/orders.schema.ts')).OverpaymentBody,
    body: ({ amount, receivedBy }) => ({ amount: penceOf(amount) ?? 0, receivedBy: WAYS[receivedBy] as PaidBackBy, revision }),
    check: ({ amount, receivedBy }) => ({
      amount: (penceOf(amount) ?? 0) < 1 && NO_AMOUNT,
      receivedBy: receivedBy === '' && 'Choose how it was paid.',
    }),
    send: async (body) =>
      onDone(await dispatch(request('POST /api/office/orders/:id/overpayments', { params: { id: order._id }, body, idempotencyKey }))),
  });
  const received = penceOf(form.fields.amount) ?? 0;
  return (
    <Form form={form} className="grid gap-4">
      <Field
        label="Money received, in pounds"
        inputMode="decimal"
        autoComplete="off"
        required
        hint={`For money that came in although nothing is due, such as ${order.paymentMethod === PAYMENT_METHOD.card ? '' : 'for pieces that you are about to add, or '}after the order was cancelled.`}
        {...form.bind('amount')}
      />
      <Select label="How it was paid" required none="Choose how" options={['', ...Object.keys(WAYS)]} {...form.bind('receivedBy')} />
      <p role="status" className="font-semibold">
        {received > 0 && `${pounds(received)} will be left for you to pay back.`}
      </p>
      <FormButtons pending={form.pending} onClose={onClose}>
        {received > 0 ? `Record ${pounds(received)}` : 'Record'}
      </FormButtons>
    </Form>
  );
}
