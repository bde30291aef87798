import { type Order, unsentLines } from '#contract/orders/orders.ts';
import { allPieces, chosenOf, PiecesChoice } from '#web/parts/order/pieces-choice.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { carrierProblem, TransportFields, transportBody, transportTexts } from './transport-fields.tsx';

interface DispatchFormProps {
  order: Order;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** Dispatches an order, or some of its pieces, as one parcel. */
export function DispatchForm({ order, onDone, onClose }: DispatchFormProps) {
  const dispatch = useAppDispatch();
  const open = unsentLines(order);
  const form = useForm({
    ...useFields({ ...transportTexts(), lines: allPieces(open) }),
    schema: async () => (await import('#contract/delivery/parcels.schema.ts')).ParcelBody,
    check: carrierProblem,
    body: ({ lines, ...transport }) => ({ ...transportBody(transport), lines: chosenOf(lines), revision: order.revision }),
    send: async (body) => onDone(await dispatch(request('POST /api/office/orders/:id/parcels', { params: { id: order._id }, body }))),
  });
  const { lines } = form.fields;
  const isPart = open.some(({ line, qty }) => (lines[line] ?? 0) < qty);
  return (
    <Form form={form} className="grid gap-4">
      {(open.length > 1 || open.some(({ qty }) => qty > 1)) && (
        <PiecesChoice
          id="lines"
          legend="What is in the parcel?"
          lines={open}
          value={lines}
          error={form.errors.lines}
          onChange={(chosen) => form.change({ lines: chosen })}
        />
      )}
      <TransportFields bind={form.bind} chosen={form.fields.carrier} />
      <FormButtons pending={form.pending} onClose={onClose}>
        {isPart ? 'Dispatch these pieces' : 'Dispatch'}
      </FormButtons>
    </Form>
  );
}
