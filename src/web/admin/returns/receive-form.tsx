import { NO_AMOUNT, type Pence, penceOf, pounds } from '#contract/market/money.ts';
import { refundNow } from '#contract/market/worth.ts';
import { type Order, PAYMENT_METHOD, pieceNames } from '#contract/orders/orders.ts';
import type { Return } from '#contract/returns/returns.schema.ts';
import { refundDueOf } from '#contract/returns/returns.ts';
import { allPieces, type ChosenPieces, PiecesChoice } from '#web/parts/order/pieces-choice.tsx';
import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Field, TextArea } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface Fields {
  /** Returned pieces by line; `spoiled` are those of them that cannot be sold again. */
  lines: ChosenPieces;
  spoiled: ChosenPieces;
  amount: string;
  answer: string;
}

const check = ({ lines, spoiled, amount }: Fields) => ({
  lines: Object.values(lines).every((qty) => qty === 0) && 'Enter what came back. If nothing did, refuse the return.',
  spoiled: Object.entries(lines).some(([line, qty]) => (spoiled[Number(line)] ?? 0) > qty) && 'This is more than came back.',
  amount: amount.trim() !== '' && penceOf(amount) === undefined && NO_AMOUNT,
});

const bodyOf = ({ refundable }: Order, { lines, spoiled, amount, answer }: Fields) => ({
  refundable,
  lines: Object.entries(lines).map(([line, qty]) => {
    const bad = spoiled[Number(line)] ?? 0;
    return { line: Number(line), restocked: qty - bad, spoiled: bad };
  }),
  amount: penceOf(amount) ?? null,
  answer,
});

/** What goes back, or is no longer owed, for what came back; undefined until it is known. `delivery`: the delivery price that goes back with the last pieces. */
function sumOf(order: Order, { lines, amount }: Fields, delivery: Pence | undefined) {
  const { orderItems, isPaid, refundable, writtenOff, totalPrice, waivedPrice } = order;
  if (Object.values(lines).every((qty) => qty === 0)) return undefined;
  const most = isPaid ? refundable : totalPrice - waivedPrice;
  const typed = penceOf(amount) ?? most + 1;
  if (amount.trim() !== '') return typed > most ? undefined : typed;
  if (delivery === undefined) return undefined;
  const came = orderItems.map((item, line) => ({
    ...item,
    ordered: item.qty,
    left: item.qty - item.cancelledQty - item.returnedQty - item.spoiledQty,
    unrefunded: item.qty - item.refundedQty,
    came: lines[line] ?? 0,
  }));
  return refundNow(Math.max(0, refundDueOf(came, delivery) - writtenOff), order);
}

/** What to do about the cash of an order that is not recorded as paid. */
const driverText = ({ paymentMethod, toReceive }: Order): string =>
  paymentMethod === PAYMENT_METHOD.cash && toReceive > 0
    ? ` If the driver has collected the ${pounds(toReceive)}, record the cash once you have it, even after this.`
    : '';

/** Says that pieces of the lines that came back were refunded and kept before: the sum takes those that came back for others. */
export function keptText({ orderItems }: Order, lines: ChosenPieces): string {
  const kept = orderItems.flatMap((item, line) => {
    const gone = item.cancelledQty + item.returnedQty + item.spoiledQty;
    const [came, qty] = [lines[line] ?? 0, item.refundedQty - gone];
    return qty > 0 && came > 0 && came < item.qty - gone ? [{ ...item, qty }] : [];
  });
  if (kept.length === 0) return '';
  return `${pieceNames(kept)} was refunded before, and the customer kept it. If it is among what came back, type the amount for the other pieces, or 0.`;
}

/** What recording the return does with that sum, and the button's words for it. */
function wordsOf(order: Order, sum: Pence | undefined): { text: string; button: string } {
  const { isPaid, paymentMethod, refundable, heldPrice, writtenOff } = order;
  const button = 'Record the return';
  if (sum === undefined) return { text: '', button };
  const amount = pounds(sum);
  const off = writtenOff > 0 ? ` ${pounds(writtenOff)} was written off; that comes off first.` : '';
  if (!isPaid)
    return { text: `No payment is recorded, so nothing will be refunded. ${amount} less will be due.${off}${driverText(order)}`, button };
  const bank = heldPrice > 0 ? ` The bank holds ${pounds(heldPrice)} of the payment, or has given it back; that comes off first.` : off;
  if (sum === 0)
    return { text: `Nothing will be refunded${refundable === 0 ? ': nothing of the payment is left to refund' : ''}.${bank}`, button };
  if (paymentMethod === PAYMENT_METHOD.card)
    return { text: `${amount} will be refunded to the customer.${bank}`, button: `${button} and refund ${amount}` };
  return { text: `${amount} will be left for you to pay back, in cash or by transfer.`, button: `${button}, ${amount} to pay back` };
}

interface ReceiveFormProps {
  order: Order;
  one: Return;
  onDone: (order: Order) => void;
  onClose: () => void;
}

function useReceipt({ order, one, onDone }: Omit<ReceiveFormProps, 'onClose'>, initial: Fields) {
  const dispatch = useAppDispatch();
  const { prove, proofDialog } = useProof();
  const form = useForm({
    ...useFields(initial),
    schema: async () => (await import('#contract/returns/returns.schema.ts')).ReceiveBody,
    body: (fields) => bodyOf(order, fields),
    check,
    send: async (body) =>
      onDone(await prove(() => dispatch(request('POST /api/office/returns/:id/received', { params: { id: one._id }, body })))),
  });
  return { form, proofDialog };
}

export function ReceiveForm({ order, one, onDone, onClose }: ReceiveFormProps) {
  const due = one.pieces.map(({ line, qty }) => {
    const { name = '', size = null, colourName = null } = order.orderItems[line] ?? {};
    return { line, name, size, colourName, qty };
  });
  const { form, proofDialog } = useReceipt({ order, one, onDone }, { lines: allPieces(due), spoiled: {}, amount: '', answer: '' });
  const { fields, errors, change } = form;
  const { value: terms } = useLoaded('GET /api/office/returns/:id', { params: { id: one._id } });
  const { text, button } = wordsOf(order, sumOf(order, fields, terms?.delivery));
  const choice = (name: 'lines' | 'spoiled') => ({
    id: name,
    value: fields[name],
    error: errors[name],
    onChange: (pieces: ChosenPieces) => change({ [name]: pieces }),
  });
  return (
    <>
      <Form form={form} className="grid gap-4">
        <PiecesChoice legend="What came back?" lines={due} {...choice('lines')} />
        <PiecesChoice
          legend="Of those, what cannot be sold again?"
          lines={due.map((item) => ({ ...item, name: `${item.name}, unsaleable` }))}
          {...choice('spoiled')}
        />
        <Field
          label="Amount in pounds"
          inputMode="decimal"
          autoComplete="off"
          hint="Leave empty to refund the price of the pieces and, with the last of them, standard delivery."
          {...form.bind('amount')}
        />
        <TextArea
          label="Message to the customer"
          hint="Needed if you refund less, such as for signs of use."
          maxLength={1_000}
          {...form.bind('answer')}
        />
        <p className="text-sm">{keptText(order, fields.lines)}</p>
        <p role="status" className="font-semibold">
          {text}
        </p>
        <FormButtons pending={form.pending} onClose={onClose}>
          {button}
        </FormButtons>
      </Form>
      {proofDialog}
    </>
  );
}
