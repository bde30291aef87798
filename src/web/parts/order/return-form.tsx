import type { Order } from '#contract/orders/orders.ts';
import { RETURN_REASON_NAMES, type ReturnReason } from '#contract/returns/return-reasons.ts';
import { returnableLines } from '#contract/returns/returns.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Select, TextArea } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { HowBack } from './how-back.tsx';
import { type ChosenPieces, chosenOf, PiecesChoice } from './pieces-choice.tsx';

interface ReturnFormProps {
  order: Order;
  /** For staff, who write to the customer and agree at once. */
  isOffice?: boolean;
  action: string;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** Asks for a return, or starts one. A single piece is preselected. */
export function ReturnForm({ order, isOffice = false, action, onDone, onClose }: ReturnFormProps) {
  const dispatch = useAppDispatch();
  const returnable = returnableLines(order);
  const [only] = returnable;
  const chosen: ChosenPieces = returnable.length === 1 && only?.qty === 1 ? { [only.line]: 1 } : {};
  const form = useForm({
    ...useFields({ lines: chosen, reason: '', note: '', answer: '' }),
    schema: async () => (await import('#contract/returns/returns.schema.ts'))[isOffice ? 'AgreedReturnBody' : 'ReturnBody'],
    body: ({ lines, reason, note, answer }) => {
      const wish = { lines: chosenOf(lines), reason: reason as ReturnReason };
      return isOffice ? { ...wish, answer, revision: order.revision } : { ...wish, note };
    },
    send: async (body) => {
      const params = { id: order._id };
      const call =
        'note' in body
          ? request('POST /api/orders/:id/returns', { params, body })
          : request('POST /api/office/orders/:id/returns', { params, body });
      onDone(await dispatch(call));
    },
  });
  return (
    <Form form={form} className="grid gap-4">
      <PiecesChoice
        id="lines"
        legend="Which pieces are being returned?"
        lines={returnable}
        value={form.fields.lines}
        error={form.errors.lines}
        onChange={(lines) => form.change({ lines })}
      />
      <Select label="Reason" required none="Choose a reason" options={['', ...RETURN_REASON_NAMES]} {...form.bind('reason')} />
      <HowBack order={order} pieces={chosenOf(form.fields.lines)} reason={form.fields.reason} />
      {isOffice ? (
        <TextArea label="Message to the customer" maxLength={1_000} {...form.bind('answer')} />
      ) : (
        <TextArea label="What else should we know?" maxLength={1_000} {...form.bind('note')} />
      )}
      <FormButtons pending={form.pending} onClose={onClose}>
        {action}
      </FormButtons>
    </Form>
  );
}
