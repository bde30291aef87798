import { NO_AMOUNT, type Pence, penceOf, pounds } from '#contract/market/money.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { PaidBackBy } from '#contract/orders/reasons.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

/** What came in by hand before besides what was due, and is not paid back: `amountDue` is less that. */
export const overpaidOf = ({ overpayments }: Order): Pence =>
  overpayments.reduce((sum, { status, receivedBy, amount }) => (status === 'owed' && receivedBy !== 'card' ? sum + amount : sum), 0);

/** Why a typed amount cannot be recorded; false if it can. */
function receiptProblem({ amountDue }: Order, amount: string): string | false {
  const pence = penceOf(amount);
  if (pence === undefined || (pence < 1 && amountDue > 0)) return NO_AMOUNT;
  return pence < amountDue && `${pounds(amountDue)} is due. Record it once all of it is here, or write off what will not come.`;
}

interface ReceiptFormProps {
  order: Order;
  by: PaidBackBy;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** Records what came in for an order of which less is due by now, or of which some came in before: what is above the sum due has to be paid back. */
export function ReceiptForm({ order, by, onDone, onClose }: ReceiptFormProps) {
  const dispatch = useAppDispatch();
  const { amountDue, toReceive, revision } = order;
  const overpaid = overpaidOf(order);
  const expected = by === 'cash' ? toReceive : amountDue;
  const form = useForm({
    ...useFields({ amount: expected > 0 || overpaid > 0 ? (expected / 100).toFixed(2) : '' }),
    schema: async () => (await import('#contract/orders/orders.schema.ts')).CashBody,
    body: ({ amount }) => ({ isPaid: true, receivedBy: by, amount: penceOf(amount), revision }),
    check: ({ amount }) => ({ amount: receiptProblem(order, amount) }),
    send: async (body) => onDone(await dispatch(request('PUT /api/orders/:id/cash', { params: { id: order._id }, body }))),
  });
  const received = penceOf(form.fields.amount) ?? 0;
  const rest = received + overpaid + order.waivedPrice - order.totalPrice;
  return (
    <Form form={form} className="grid gap-4">
      <Field
        label={by === 'cash' ? 'Cash received, in pounds' : 'Transfer received, in pounds'}
        inputMode="decimal"
        autoComplete="off"
        required
        hint={`${overpaid > 0 ? `${pounds(overpaid)} came in before. ` : ''}${pounds(amountDue)} is due. Enter all that came in${overpaid > 0 ? ' now' : ''}.`}
        {...form.bind('amount')}
      />
      <p role="status" className="font-semibold">
        {rest > 0 && `${pounds(rest)} will be left for you to pay back.`}
      </p>
      <FormButtons pending={form.pending} onClose={onClose}>
        {received > 0 ? `Record ${pounds(received)}` : 'Record'}
      </FormButtons>
    </Form>
  );
}
