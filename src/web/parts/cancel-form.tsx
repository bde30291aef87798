import type { z } from 'zod';
import { type Pence, pounds } from '#contract/market/money.ts';
import { pricePaid } from '#contract/market/worth.ts';
import { type Order, PAYMENT_METHOD, unsentLines } from '#contract/orders/orders.ts';
import { Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { allPieces, type ChosenPieces, chosenOf, LinesChoice, PiecesChoice } from './order/pieces-choice.tsx';

interface CancelFormProps<Reason extends string> {
  order: Order;
  reasons: readonly Reason[];
  schema: () => Promise<z.ZodType>;
  /** Staff choose single pieces, customers whole lines. */
  isByPiece?: boolean;
  /** The customer's call or the office's. */
  cancel: (body: { lines?: number[]; pieces?: { line: number; qty: number }[]; reason: Reason }) => Promise<Order>;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** The refund for the chosen pieces, calculated as on the server: the last pieces bring back all that is left, delivery included. */
function refundFor(order: Order, chosen: readonly { line: number; qty: number }[], isWhole: boolean): Pence {
  const refundable = order.totalPrice - order.waivedPrice - order.refundedPrice;
  if (isWhole) return refundable;
  const price = chosen.reduce((sum, { line, qty }) => {
    const item = order.orderItems[line];
    if (!item) return sum;
    const [ordered, unrefunded] = [item.qty, item.qty - item.refundedQty];
    const kept = item.qty - item.cancelledQty - item.returnedQty - item.spoiledQty;
    return sum + pricePaid({ ...item, ordered, left: kept, unrefunded }, Math.min(qty, unrefunded));
  }, 0);
  return Math.min(price, refundable);
}

/** Cancels an order, or some of its lines. */
export function CancelForm<Reason extends string>(props: CancelFormProps<Reason>) {
  const { order, reasons, schema, isByPiece = false, cancel, onDone, onClose } = props;
  const open = unsentLines(order);
  const isPart = ({ pieces }: { pieces: ChosenPieces }) => open.some(({ line, qty }) => (pieces[line] ?? 0) < qty);
  const form = useForm({
    ...useFields({ pieces: allPieces(open), reason: '' }),
    schema,
    body: ({ pieces, reason }) => {
      const chosen = chosenOf(pieces);
      const some = isByPiece ? { pieces: chosen } : { lines: chosen.map(({ line }) => line) };
      return { ...(isPart({ pieces }) && some), reason: reason as Reason };
    },
    names: { lines: 'pieces' },
    send: async (body) => onDone(await cancel(body)),
  });
  const { pieces } = form.fields;
  const choice = {
    id: 'pieces',
    legend: 'What do you want to cancel?',
    error: form.errors.pieces,
    onChange: (chosen: ChosenPieces) => form.change({ pieces: chosen }),
  };
  // Not the whole order once a parcel was sent: its pieces stay with the customer.
  const isWhole = !isPart(form.fields) && order.parcels.every(({ status }) => status !== 'sent');
  const refund = refundFor(order, chosenOf(pieces), isWhole);
  const hasChoice = open.length > 1 || (isByPiece && open.some(({ qty }) => qty > 1));
  return (
    <Form form={form} className="grid gap-4">
      {hasChoice &&
        (isByPiece ? <PiecesChoice {...choice} lines={open} value={pieces} /> : <LinesChoice {...choice} lines={open} value={pieces} />)}
      <Select label="Reason" required none="Choose a reason" options={['', ...reasons]} {...form.bind('reason')} />
      <p className="text-sm text-soft">
        {order.isPaid
          ? refund > 0 && `We’ll refund ${pounds(refund)} to ${order.paymentMethod === PAYMENT_METHOD.card ? 'your card' : 'you'}.`
          : 'Nothing has been paid yet, so there is nothing to refund.'}
      </p>
      <FormButtons look="danger" pending={form.pending} close="Keep the order" onClose={onClose}>
        {isWhole ? 'Cancel the order' : 'Cancel the chosen pieces'}
      </FormButtons>
    </Form>
  );
}
