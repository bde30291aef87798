import { useState } from 'react';
import { NO_AMOUNT, penceOf, pounds } from '#contract/market/money.ts';
import { pricePaid, refundNow, worthOfNext } from '#contract/market/worth.ts';
import { type Order, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { type PaidBackBy, REFUND_REASONS } from '#contract/orders/reasons.ts';
import { type ChosenPieces, chosenOf, PiecesChoice } from '#web/parts/order/pieces-choice.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Checkbox, Field, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface Fields {
  amount: string;
  lines: ChosenPieces;
  reason: string;
  isRestocked: boolean;
  /** Empty for a card payment. */
  paidBackBy: string;
}

/** Lines with refundable pieces: those that stay and, while something is owed, the first of them those that left (`gone`). */
const openLines = ({ orderItems, owedPrice }: Order) =>
  orderItems.flatMap((item, line) => {
    const left = item.qty - item.cancelledQty - item.returnedQty - item.spoiledQty;
    const gone = owedPrice > 0 ? item.qty - left : 0;
    const unrefunded = Math.min(left, item.qty - item.refundedQty);
    return gone + unrefunded > 0 ? [{ ...item, line, qty: gone + unrefunded, ordered: item.qty, left, unrefunded, gone }] : [];
  });

/** The amount that the form begins with: what is owed. */
const proposalOf = ({ owedPrice }: Order): string => (owedPrice > 0 ? (owedPrice / 100).toFixed(2) : '');

/** What a refund of the chosen pieces comes to, in pence. */
export function priceOf(order: Order, { lines, isRestocked }: Pick<Fields, 'lines' | 'isRestocked'>): number {
  const chosen = openLines(order).map((item) => ({ ...item, pieces: lines[item.line] ?? 0 }));
  const sum = (price: (item: (typeof chosen)[number]) => number) => chosen.reduce((all, item) => all + price(item), 0);
  if (isRestocked) return refundNow(Math.max(0, sum((item) => pricePaid(item, item.pieces)) - order.writtenOff), order);
  const goneOf = ({ pieces, gone }: (typeof chosen)[number]) => Math.min(pieces, gone);
  const isAll =
    chosen.length === order.orderItems.length && chosen.every(({ pieces, gone, ordered }) => pieces === gone && gone === ordered);
  const ofGone = sum((item) => worthOfNext({ ...item, qty: item.ordered }, item.gone - goneOf(item), goneOf(item)));
  const owed = isAll ? order.owedPrice : Math.min(ofGone, order.owedPrice);
  return Math.min(owed + sum((item) => pricePaid(item, item.pieces - goneOf(item))), order.refundable);
}

/** The refund in pence; 0 while it is unknown or too high. */
function sumOf(order: Order, fields: Fields): number {
  const { amount } = fields;
  const sum = amount.trim() === '' ? priceOf(order, fields) : (penceOf(amount) ?? 0);
  return sum <= order.refundable ? sum : 0;
}

function amountProblem({ refundable }: Order, { amount, lines }: Fields): string | false {
  if (amount.trim() === '') return chosenOf(lines).length === 0 && 'Enter an amount, or choose pieces to refund.';
  const pence = penceOf(amount) ?? 0;
  if (pence < 1) return NO_AMOUNT;
  return pence > refundable && `At most ${pounds(refundable)} of this order can still be refunded.`;
}

/** Whether staff pay it back, not the payment provider. */
const isByHand = ({ paymentMethod }: Order): boolean => paymentMethod !== PAYMENT_METHOD.card;

const WAYS: Record<string, PaidBackBy> = { 'In cash': 'cash', 'By transfer': 'transfer' };

interface RefundFormProps {
  order: Order;
  onDone: (order: Order) => void;
  onClose: () => void;
  /** Makes the call, and asks for password or code if the server wants them (`useProof`). */
  prove: (call: () => Promise<Order>) => Promise<Order>;
}

function useRefundForm({ order, onDone, prove }: Omit<RefundFormProps, 'onClose'>) {
  const dispatch = useAppDispatch();
  // One key for as long as the form is open, so that a second try after a lost answer does not refund twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  // From when the form was opened, even if the order changes meanwhile.
  const [seen] = useState({ revision: order.revision, refundable: order.refundable });
  return useForm({
    ...useFields<Fields>({ amount: proposalOf(order), lines: {}, reason: '', isRestocked: false, paidBackBy: '' }),
    schema: async () => (await import('#contract/orders/orders.schema.ts')).RefundBody,
    body({ amount, lines, reason, isRestocked, paidBackBy }) {
      const chosen = chosenOf(lines);
      return {
        amount: penceOf(amount) ?? null,
        lines: chosen,
        reason: reason as (typeof REFUND_REASONS)[number],
        isRestocked: isRestocked && chosen.length > 0,
        paidBackBy: WAYS[paidBackBy],
        ...seen,
      };
    },
    check: (fields) => ({
      amount: amountProblem(order, fields),
      paidBackBy: isByHand(order) && fields.paidBackBy === '' && 'Choose how you pay it back.',
    }),
    send: async (body) =>
      onDone(
        await prove(() => dispatch(request('POST /api/office/orders/:id/refunds', { params: { id: order._id }, body, idempotencyKey }))),
      ),
  });
}

export function RefundForm({ order, onDone, onClose, prove }: RefundFormProps) {
  const form = useRefundForm({ order, onDone, prove });
  const { lines } = form.fields;
  const open = openLines(order);
  const sum = sumOf(order, form.fields);
  const byHand = order.refunds.filter((refund) => refund.isByHand && refund.status === 'pending');
  const besides = order.overpayments.filter(({ status }) => status === 'owed');
  const waiting = [...byHand, ...besides].reduce((all, { amount }) => all + amount, 0);
  const hasLeft = order.dispatchedAt !== null || order.isDelivered;
  return (
    <Form form={form} className="grid gap-4">
      {open.length > 0 && (
        <PiecesChoice
          id="lines"
          legend="Pieces to refund"
          lines={open}
          value={lines}
          error={form.errors.lines}
          onChange={(chosen) => form.change({ lines: chosen, ...(form.fields.amount === proposalOf(order) && { amount: '' }) })}
        />
      )}
      <Field
        label="Amount in pounds"
        inputMode="decimal"
        autoComplete="off"
        hint={`At most ${pounds(order.refundable)}. Leave it empty to refund the price of the chosen pieces.`}
        {...form.bind('amount')}
      />
      <Select label="Reason" required none="Choose a reason" options={['', ...REFUND_REASONS]} {...form.bind('reason')} />
      {isByHand(order) && (
        <Select label="How it is paid back" required none="Choose how" options={['', ...Object.keys(WAYS)]} {...form.bind('paidBackBy')} />
      )}
      {hasLeft && chosenOf(lines).length > 0 && (
        <Checkbox label="The pieces are back and can be sold again" {...form.bindBox('isRestocked')} />
      )}
      {waiting > 0 && <p>{pounds(waiting)} waits above to be paid back. This refund would be paid besides.</p>}
      <p role="status" className="font-semibold">
        {sum > 0 && `${pounds(sum)} will be refunded to the customer.`}
        {order.heldPrice > 0 &&
          chosenOf(lines).length > 0 &&
          form.fields.isRestocked &&
          ` The bank holds ${pounds(order.heldPrice)} of the payment, or has given it back; that comes off first.`}
      </p>
      <FormButtons look="danger" pending={form.pending} onClose={onClose}>
        Refund
      </FormButtons>
    </Form>
  );
}
