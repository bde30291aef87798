import { useState } from 'react';
import { priceOf } from '#contract/catalogue/catalogue.ts';
import { pounds } from '#contract/market/money.ts';
import { type Correction, type CorrectionInput, lineName, type Order, unsentLines } from '#contract/orders/orders.ts';
import { MAX_QUANTITY } from '#contract/platform/limits.ts';
import { isProblem } from '#contract/platform/problem.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Checkbox, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { AddProduct } from './add-product.tsx';
import { type Choice, ChoiceFields } from './choice-fields.tsx';

type Line = ReturnType<typeof unsentLines>[number];
/** The price of extra pieces in the same size: as ordered, or as today. Any other size costs today's price (decision 138). */
type Price = 'then' | 'now';

interface ChangedLine extends Choice {
  price: Price;
}

interface AddedLine extends Choice {
  product: string;
  name: string;
}

interface Fields {
  lines: Record<number, ChangedLine>;
  added: AddedLine[];
  /** What is taken off goes back in stock. */
  isRestocked: boolean;
  revision: number;
}

const fieldsOf = (order: Order, unsent: Line[]): Fields => ({
  lines: Object.fromEntries(unsent.map(({ line, qty, size, color }) => [line, { qty, size, color, price: 'then' }])),
  added: [],
  isRestocked: true,
  // The revision from when the form was opened, even if the order changes meanwhile.
  revision: order.revision,
});

/** Whether pieces of a line leave the order, also in exchange for others. */
const isTakenOff = (before: Line, { qty, size, color }: Choice) => qty < before.qty || size !== before.size || color !== before.color;

const isChanged = (before: Line, now: Choice) => now.qty > before.qty || isTakenOff(before, now);

function bodyOf(unsent: Line[], { lines, added, isRestocked, revision }: Fields): CorrectionInput {
  const changed = unsent.flatMap((before) => {
    const { line } = before;
    const now = lines[line];
    return now && isChanged(before, now) ? [{ line, ...now }] : [];
  });
  return { revision, lines: changed, added: added.map(({ name: _, ...choice }) => choice), isRestocked };
}

interface LineFieldsProps {
  before: Line;
  value: ChangedLine;
  onChange: (changes: Partial<ChangedLine>) => void;
}

/** The new quantity, size and colour of a line of the order. */
function LineFields({ before, value, onChange }: LineFieldsProps) {
  const { value: product } = useLoaded('GET /api/products/:id', { params: { id: before._id } });
  const today = product ? priceOf(product, before.size ?? undefined) : before.price;
  const hasExtraPieces = value.qty > before.qty && value.size === before.size;
  const [asOrdered, asToday] = [`${pounds(before.price)}, as ordered`, `${pounds(today)}, as today`];
  return (
    <li className="grid justify-items-start gap-3 border-b border-line pb-3">
      <span className="font-medium wrap-anywhere">{lineName(before)}</span>
      {/* A product that is no longer sold can only be taken off. */}
      <ChoiceFields name={before.name} product={product} value={value} max={product ? MAX_QUANTITY : before.qty} onChange={onChange} />
      {hasExtraPieces && today !== before.price && (
        <Select
          label="Price of the extra pieces"
          required
          options={[asOrdered, asToday]}
          value={value.price === 'then' ? asOrdered : asToday}
          onChange={({ target }) => onChange({ price: target.value === asToday ? 'now' : 'then' })}
        />
      )}
    </li>
  );
}

interface AddedFieldsProps {
  value: AddedLine;
  onChange: (changes: Partial<Choice>) => void;
}

function AddedFields({ value, onChange }: AddedFieldsProps) {
  const { value: product } = useLoaded('GET /api/products/:id', { params: { id: value.product } });
  return (
    <li className="grid justify-items-start gap-3 border-b border-line pb-3">
      <span className="font-medium wrap-anywhere">{value.name}</span>
      <ChoiceFields name={value.name} product={product} value={value} max={MAX_QUANTITY} isNew onChange={onChange} />
    </li>
  );
}

/**
 * What the difference means for the customer. `isToBePaid`: a card order that is paid already collects it by a link. Of any other paid order, staff have recorded
 * it as more money.
 */
function moneyOf({ isPaid }: Order, { difference, isToBePaid }: Correction): string {
  const sum = pounds(Math.abs(difference));
  if (difference === 0) return 'The price stays the same.';
  if (isToBePaid) return `The customer gets a link to pay ${sum} more within 48 hours. The order changes when they have paid.`;
  if (difference > 0) return isPaid ? `${sum} of what came in besides will pay for it.` : `The customer will have ${sum} more to pay.`;
  return isPaid ? `${sum} will be refunded to the customer.` : `The customer will have ${sum} less to pay.`;
}

/** What a correction would change and cost. */
function Preview({ order, correction }: { order: Order; correction: Correction }) {
  const { takenOff, added, deliveryOff } = correction;
  return (
    <>
      {takenOff && <p>Taken off: {takenOff}</p>}
      {added && <p>Added: {added}</p>}
      <p className="font-semibold">{moneyOf(order, correction)}</p>
      {deliveryOff > 0 && <p>This includes {pounds(deliveryOff)} off the delivery.</p>}
      <p className="text-sm text-soft">The customer gets an email.</p>
    </>
  );
}

interface CorrectFormProps {
  order: Order;
  onDone: (order: Order) => void;
  onClose: () => void;
  /** Makes the call, and asks for password or code if the server wants them, as for a refund (`useProof`). */
  prove: (call: () => Promise<Correction>) => Promise<Correction>;
}

/** Changes the pieces of an order. The first press of the button shows what the change comes to, the second makes it. */
export function CorrectForm({ order, onDone, onClose, prove }: CorrectFormProps) {
  const dispatch = useAppDispatch();
  const [unsent] = useState(() => unsentLines(order));
  const [preview, setPreview] = useState<Correction>();
  const form = useForm({
    ...useFields(fieldsOf(order, unsent)),
    schema: async () => (await import('#contract/orders/orders.schema.ts')).CorrectionBody,
    body: (fields) => bodyOf(unsent, fields),
    async send(body) {
      // Without `expected`, the server only reports the difference.
      const correct = (expected?: number) =>
        dispatch(request('POST /api/office/orders/:id/correction', { params: { id: order._id }, body: { ...body, expected } }));
      if (!preview) return setPreview(await correct());
      try {
        const made = await prove(() => correct(preview.difference));
        if (made.order) onDone(made.order);
      } catch (error) {
        // The order or a price has changed: the next press shows the new difference.
        if (isProblem(error) && error.status === 409) setPreview(undefined);
        throw error;
      }
    },
  });
  const { lines, added, isRestocked } = form.fields;
  const change = (changes: Partial<Fields>) => {
    setPreview(undefined);
    form.change(changes);
  };
  const changeAdded = (index: number, changes: Partial<Choice>) =>
    change({ added: added.map((one, at) => (at === index ? { ...one, ...changes } : one)).filter(({ qty }) => qty > 0) });
  return (
    <Form form={form} className="grid gap-4">
      <fieldset id="lines" tabIndex={-1}>
        <legend className="legend mb-2">Pieces that have not left</legend>
        <ul className="grid gap-3">
          {unsent.map((before) => {
            const value = lines[before.line];
            return (
              value && (
                <LineFields
                  key={before.line}
                  before={before}
                  value={value}
                  onChange={(changes) => change({ lines: { ...lines, [before.line]: { ...value, ...changes } } })}
                />
              )
            );
          })}
          {added.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one product may be added twice.
            <AddedFields key={`${value.product}${index}`} value={value} onChange={(changes) => changeAdded(index, changes)} />
          ))}
        </ul>
      </fieldset>
      <AddProduct onAdd={({ _id: product, name }) => change({ added: [...added, { product, name, qty: 1, size: null, color: null }] })} />
      {unsent.some((before) => isTakenOff(before, lines[before.line] ?? before)) && (
        <Checkbox
          label="Put back in stock"
          hint="Untick this if the pieces that are taken off are missing or damaged."
          checked={isRestocked}
          onChange={({ target }) => change({ isRestocked: target.checked })}
        />
      )}
      <div role="status" className="grid gap-1">
        {preview && <Preview order={order} correction={preview} />}
      </div>
      <FormButtons pending={form.pending} close="Keep the order" onClose={onClose}>
        {preview ? (preview.isToBePaid ? 'Send the link' : 'Change the order') : 'See what it comes to'}
      </FormButtons>
    </Form>
  );
}
