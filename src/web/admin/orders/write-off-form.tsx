import { pounds } from '#contract/market/money.ts';
import type { Order } from '#contract/orders/orders.ts';
import { WRITE_OFF_REASONS } from '#contract/orders/reasons.ts';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface WriteOffFormProps {
  order: Order;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** Gives up what is still due for an order that was delivered. */
export function WriteOffForm({ order, onDone, onClose }: WriteOffFormProps) {
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  const { _id: id, amountDue, revision } = order;
  const form = useForm({
    ...useFields({ reason: '' }),
    schema: async () => (await import('#contract/orders/orders.schema.ts')).WriteOffBody,
    body: ({ reason }) => ({ reason: reason as (typeof WRITE_OFF_REASONS)[number], revision }),
    send: async (body) => onDone(await prove(() => dispatch(request('POST /api/office/orders/:id/write-off', { params: { id }, body })))),
  });
  return (
    <>
      <Form form={form} className="grid gap-4">
        <Select
          label="Reason"
          required
          none="Choose a reason"
          hint="The credit note says it."
          options={['', ...WRITE_OFF_REASONS]}
          {...form.bind('reason')}
        />
        <p>The customer will owe nothing for this order. You cannot undo it: what comes in later has to be paid back.</p>
        <FormButtons look="danger" pending={form.pending} onClose={onClose}>
          Write off {pounds(amountDue)}
        </FormButtons>
      </Form>
      {proofDialog}
    </>
  );
}
