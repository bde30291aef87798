import { NO_AMOUNT, type Pence, penceOf, pounds } from '#contract/market/money.ts';
import type { Order } from '#contract/orders/orders.ts';
import { WRITE_OFF_REASONS } from '#contract/orders/reasons.ts';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Field, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface WriteOffFormProps {
  order: Order;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** Why a typed amount cannot be written off; false if it can. */
function amountProblem(missing: Pence, amount: string): string | false {
  const pence = penceOf(amount) ?? 0;
  if (pence < 1) return NO_AMOUNT;
  return pence > missing && `Only ${pounds(missing)} is due for this order.`;
}

/** Gives up what is still due for an order that was delivered, or a part of it. */
export function WriteOffForm({ order, onDone, onClose }: WriteOffFormProps) {
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  const { _id: id, revision, amountDue: missing } = order;
  const form = useForm({
    ...useFields({ amount: (missing / 100).toFixed(2), reason: '' }),
    schema: async () => (await import('#contract/orders/orders.schema.ts')).WriteOffBody,
    body: ({ amount, reason }) => ({ amount: penceOf(amount), reason: reason as (typeof WRITE_OFF_REASONS)[number], revision }),
    check: ({ amount }) => ({ amount: amountProblem(missing, amount) }),
    send: async (body) => onDone(await prove(() => dispatch(request('POST /api/office/orders/:id/write-off', { params: { id }, body })))),
  });
  const amount = penceOf(form.fields.amount) ?? 0;
  return (
    <>
      <Form form={form} className="grid gap-4">
        <Field
          label="Amount that will not come, in pounds"
          inputMode="decimal"
          autoComplete="off"
          required
          hint={`${pounds(missing)} is due. If a part of it is here, write off the rest, then record what is here.`}
          {...form.bind('amount')}
        />
        <Select
          label="Reason"
          required
          none="Choose a reason"
          hint="The credit note says it."
          options={['', ...WRITE_OFF_REASONS]}
          {...form.bind('reason')}
        />
        <p>The customer will not owe it any more. You cannot undo this: if it comes in later, it has to be paid back.</p>
        <FormButtons look="danger" pending={form.pending} onClose={onClose}>
          {amount > 0 && amount <= missing ? `Write off ${pounds(amount)}` : 'Write off'}
        </FormButtons>
      </Form>
      {proofDialog}
    </>
  );
}
