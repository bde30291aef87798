import type { Order } from '#contract/orders/orders.ts';
import type { Return } from '#contract/returns/returns.schema.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { refusalOf, request } from '#web/state/thunk.ts';
import { TextArea } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface JudgeFormProps {
  one: Return;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** Approves or refuses a return, with words for the customer; a refusal needs them. One that was approved and never came can only be refused. */
export function JudgeForm({ one, onDone, onClose }: JudgeFormProps) {
  const dispatch = useAppDispatch();
  const form = useForm({
    ...useFields({ isApproved: one.status === 'asked', answer: '' }),
    schema: async () => (await import('#contract/returns/returns.schema.ts')).JudgeBody,
    send: (body) =>
      refusalOf(async () => onDone(await dispatch(request('POST /api/office/returns/:id/judge', { params: { id: one._id }, body })))),
  });
  const { isApproved } = form.fields;
  const choices = one.status === 'asked' ? ([true, false] as const) : ([false] as const);
  return (
    <Form form={form} className="grid gap-4">
      <fieldset>
        <legend className="font-medium">Do you approve this return?</legend>
        {choices.map((choice) => (
          <label key={String(choice)} className="flex min-h-target items-center gap-3">
            <input
              type="radio"
              name="isApproved"
              className="size-5 accent-accent"
              checked={isApproved === choice}
              onChange={() => form.change({ isApproved: choice })}
            />
            {choice ? 'Yes: the customer posts it, or we collect it if it is large' : 'No'}
          </label>
        ))}
      </fieldset>
      <TextArea label="Words for the customer" required={!isApproved} maxLength={1_000} {...form.bind('answer')} />
      <FormButtons look={isApproved ? 'primary' : 'danger'} pending={form.pending} onClose={onClose}>
        {isApproved ? 'Approve the return' : 'Refuse the return'}
      </FormButtons>
    </Form>
  );
}
