import type { z } from 'zod';
import { pounds } from '#contract/market/money.ts';
import { cancelledPrice, isWholeCancelled, refundNow } from '#contract/market/worth.ts';
import { type Order, PAYMENT_METHOD, unsentLines } from '#contract/orders/orders.ts';
import { Checkbox, Select } from '#web/ui/form/field.tsx';
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
  /** Staff choose whether pieces go back in stock: the default for a reason. */
  isRestockedFor?: (reason: string) => boolean;
  /** The customer's call or the office's. */
  cancel: (body: { lines?: number[]; pieces?: { line: number; qty: number }[]; reason: Reason; isRestocked?: boolean }) => Promise<Order>;
  onDone: (order: Order) => void;
  onClose: () => void;
}

interface Fields {
  pieces: ChosenPieces;
  reason: string;
  /** Follows the reason until it is chosen. */
  isRestocked?: boolean;
}

/** The lines of an order, with the pieces that are chosen. */
const chosenLines = (order: Order, pieces: ChosenPieces) =>
  order.orderItems.map((item, line) => ({
    ...item,
    ordered: item.qty,
    left: item.qty - item.cancelledQty - item.returnedQty - item.spoiledQty,
    unrefunded: item.qty - item.refundedQty,
    chosen: pieces[line] ?? 0,
  }));

/** Cancels an order, or some of its lines. */
export function CancelForm<Reason extends string>(props: CancelFormProps<Reason>) {
  const { order, reasons, schema, isByPiece = false, isRestockedFor, cancel, onDone, onClose } = props;
  const unsent = unsentLines(order);
  /** Whether only some of the unsent pieces are chosen. */
  const isPart = (pieces: ChosenPieces) => unsent.some(({ line, qty }) => (pieces[line] ?? 0) < qty);
  const isRestockedBy = ({ reason, isRestocked = isRestockedFor?.(reason) }: Fields) => isRestocked;
  const form = useForm({
    ...useFields<Fields>({ pieces: allPieces(unsent), reason: '' }),
    schema,
    body: (fields) => {
      const { pieces, reason } = fields;
      const isRestocked = isRestockedBy(fields);
      const chosen = chosenOf(pieces);
      const part = isByPiece ? { pieces: chosen } : { lines: chosen.map(({ line }) => line) };
      return { ...(isPart(pieces) && part), reason: reason as Reason, ...(isRestocked !== undefined && { isRestocked }) };
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
  const lines = chosenLines(order, pieces);
  const most = order.totalPrice - order.waivedPrice - order.refundedPrice;
  const { heldPrice, writtenOff, keptPrice, refundable } = order;
  const price = cancelledPrice(lines, { most, keptPrice, writtenOff });
  const refund = refundNow(price, { heldPrice, writtenOff: 0, refundable });
  const hasChoice = unsent.length > 1 || (isByPiece && unsent.some(({ qty }) => qty > 1));
  return (
    <Form form={form} className="grid gap-4">
      {hasChoice &&
        (isByPiece ? (
          <PiecesChoice {...choice} lines={unsent} value={pieces} />
        ) : (
          <LinesChoice {...choice} lines={unsent} value={pieces} />
        ))}
      <Select label="Reason" required none="Choose a reason" options={['', ...reasons]} {...form.bind('reason')} />
      {isRestockedFor && (
        <Checkbox
          label="Put back in stock"
          hint="Leave this unticked for pieces that are missing or damaged, and cancel the others separately."
          checked={isRestockedBy(form.fields) === true}
          onChange={({ target }) => form.change({ isRestocked: target.checked })}
        />
      )}
      <p className="text-sm text-soft">
        {order.isPaid
          ? refund > 0 && `We’ll refund ${pounds(refund)} to ${order.paymentMethod === PAYMENT_METHOD.card ? 'your card' : 'you'}.`
          : 'Nothing has been paid yet, so there is nothing to refund.'}
        {order.heldPrice > 0 && ` The bank holds ${pounds(order.heldPrice)} of the payment, or has given it back; that comes off first.`}
      </p>
      <FormButtons look="danger" pending={form.pending} close="Keep the order" onClose={onClose}>
        {isWholeCancelled(lines) ? 'Cancel the order' : 'Cancel the chosen pieces'}
      </FormButtons>
    </Form>
  );
}
