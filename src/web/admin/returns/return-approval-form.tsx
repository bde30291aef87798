import { useContext } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import type { Return } from '#contract/returns/returns.schema.ts';
import { CompanyContext, useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { TextArea } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { Radio } from '#web/ui/form/radio.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface ReturnApprovalFormProps {
  one: Return;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** Approves or refuses a return. An approved return that never came can only be refused. */
export function ReturnApprovalForm({ one, onDone, onClose }: ReturnApprovalFormProps) {
  const dispatch = useAppDispatch();
  const form = useForm({
    ...useFields({ isApproved: one.status === 'asked', answer: '' }),
    schema: async () => (await import('#contract/returns/returns.schema.ts')).JudgeBody,
    send: async (body) => onDone(await dispatch(request('POST /api/office/returns/:id/judge', { params: { id: one._id }, body }))),
  });
  const { isApproved } = form.fields;
  const { collectsReturns } = useContext(CompanyContext);
  const yes = collectsReturns ? 'Yes: we collect it' : 'Yes: the customer posts it, or we collect it if it is large';
  const choices = one.status === 'asked' ? ['yes', 'no'] : ['no'];
  return (
    <Form form={form} className="grid gap-4">
      <fieldset>
        <legend className="font-medium">Do you approve this return?</legend>
        {choices.map((choice) => (
          <Radio
            key={choice}
            name="isApproved"
            value={choice}
            chosen={isApproved ? 'yes' : 'no'}
            look="large"
            className="flex min-h-target items-center gap-3"
            onChoose={() => form.change({ isApproved: choice === 'yes' })}
          >
            {choice === 'yes' ? yes : 'No'}
          </Radio>
        ))}
      </fieldset>
      <TextArea label="Message to the customer" required={!isApproved} maxLength={1_000} {...form.bind('answer')} />
      <FormButtons look={isApproved ? 'primary' : 'danger'} pending={form.pending} onClose={onClose}>
        {isApproved ? 'Approve the return' : 'Refuse the return'}
      </FormButtons>
    </Form>
  );
}
