import type { z } from 'zod';
import { type Order, PAYMENT_METHOD, unsentLines } from '#contract/orders/orders.ts';
import { Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { LinesChoice } from './order/pieces-choice.tsx';

interface CancelFormProps<Reason extends string> {
  order: Order;
  reasons: readonly Reason[];
  schema: () => Promise<z.ZodType>;
  /** The customer's call or the office's. */
  cancel: (body: { lines?: number[]; reason: Reason }) => Promise<Order>;
  onDone: (order: Order) => void;
  onClose: () => void;
}

/** Cancels an order, or some of its lines. */
export function CancelForm<Reason extends string>({ order, reasons, schema, cancel, onDone, onClose }: CancelFormProps<Reason>) {
  const open = unsentLines(order);
  const form = useForm({
    ...useFields({ lines: open.map(({ line }) => line), reason: '' }),
    schema,
    body: ({ lines, reason }) => ({ ...(lines.length < open.length && { lines }), reason: reason as Reason }),
    send: async (body) => onDone(await cancel(body)),
  });
  const { lines } = form.fields;
  return (
    <Form form={form} className="grid gap-4">
      {open.length > 1 && (
        <LinesChoice
          id="lines"
          legend="What do you want to cancel?"
          lines={open.map(({ line, name, qty }) => ({ line, label: `${qty} × ${name}` }))}
          value={lines}
          error={form.errors.lines}
          onChange={(chosen) => form.change({ lines: chosen })}
        />
      )}
      <Select label="Reason" required none="Choose a reason" options={['', ...reasons]} {...form.bind('reason')} />
      <p className="text-sm text-soft">
        {order.isPaid
          ? `We’ll refund what was paid for it${order.paymentMethod === PAYMENT_METHOD.card ? ' to the card' : ''}.`
          : 'Nothing has been paid yet, so there is nothing to refund.'}
      </p>
      <FormButtons look="danger" pending={form.pending} close="Keep the order" onClose={onClose}>
        {lines.length < open.length || order.parcels.some(({ status }) => status === 'sent')
          ? 'Cancel the chosen pieces'
          : 'Cancel the order'}
      </FormButtons>
    </Form>
  );
}
