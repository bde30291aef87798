import { typedMoment } from '#contract/market/moments.ts';
import { decimal, NO_AMOUNT, penceOf } from '#contract/market/money.ts';
import { MAX_QUANTITY } from '#contract/platform/limits.ts';
import { KINDS, type Kind, type Promotion } from '#contract/promotions/promotions.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Checkbox, Field, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { ChosenPieces } from './chosen-pieces.tsx';

const WAYS = ['With a code', 'Automatically'] as const;
const [WITH_CODE, AUTOMATICALLY] = WAYS;

interface Fields {
  name: string;
  way: string;
  code: string;
  kind: string;
  value: string;
  categories: string[];
  brands: string[];
  /** Product ids. Not called `products`, since a field of the sale form on the same page has that id. */
  pieces: string[];
  leastSubtotal: string;
  startsAt: string;
  endsAt: string;
  mostUses: string;
  mostUsesEach: string;
  isFirstOrder: boolean;
  isOn: boolean;
}

const kindOf = (label: string) => (Object.keys(KINDS) as Kind[]).find((kind) => KINDS[kind] === label) ?? 'percent';
const typedPounds = (pence: number) => (pence === 0 ? '' : decimal(pence));
const numberIn = (text: string) => (text.trim() === '' ? null : Number(text));

/** The reduction as typed: pounds or per cent. A new promotion starts at 10 per cent. */
function typedReduction(promotion: Promotion | undefined): string {
  if (!promotion) return '10';
  return promotion.kind === 'amount' ? decimal(promotion.value) : String(promotion.value || '');
}

const fieldsOf = (promotion: Promotion | undefined): Fields => ({
  name: promotion?.name ?? '',
  way: promotion?.code === null ? AUTOMATICALLY : WITH_CODE,
  code: promotion?.code ?? '',
  kind: KINDS[promotion?.kind ?? 'percent'],
  value: typedReduction(promotion),
  categories: promotion?.goods.categories ?? [],
  brands: promotion?.goods.brands ?? [],
  pieces: promotion?.goods.products ?? [],
  leastSubtotal: typedPounds(promotion?.leastSubtotal ?? 0),
  startsAt: typedMoment(promotion?.startsAt ?? null),
  endsAt: typedMoment(promotion?.endsAt ?? null),
  mostUses: String(promotion?.mostUses ?? ''),
  mostUsesEach: String(promotion?.mostUsesEach ?? ''),
  isFirstOrder: promotion?.isFirstOrder ?? false,
  isOn: promotion?.isOn ?? true,
});

const valueIn = ({ kind, value }: Fields) => {
  if (kindOf(kind) === 'free_delivery') return 0;
  return kindOf(kind) === 'amount' ? (penceOf(value) ?? Number.NaN) : Number(value);
};

const bodyOf = (fields: Fields) => ({
  name: fields.name,
  code: fields.way === WITH_CODE ? fields.code : null,
  kind: kindOf(fields.kind),
  value: valueIn(fields),
  goods: { categories: fields.categories, brands: fields.brands, products: fields.pieces },
  leastSubtotal: fields.leastSubtotal.trim() === '' ? 0 : (penceOf(fields.leastSubtotal) ?? Number.NaN),
  startsAt: fields.startsAt,
  endsAt: fields.endsAt,
  mostUses: numberIn(fields.mostUses),
  mostUsesEach: numberIn(fields.mostUsesEach),
  isFirstOrder: fields.isFirstOrder,
  isOn: fields.isOn,
});

/** Client-side rules: amounts in pounds, and a code for promotions that have one. */
const check = ({ way, code, kind, value, leastSubtotal }: Fields) => ({
  code: way === WITH_CODE && code.trim() === '' && 'Enter the code that customers type.',
  value: kindOf(kind) === 'amount' && penceOf(value) === undefined && NO_AMOUNT,
  leastSubtotal: leastSubtotal.trim() !== '' && penceOf(leastSubtotal) === undefined && NO_AMOUNT,
});

interface NamesProps {
  legend: string;
  names: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Checkboxes for names. Chosen names without products stay, so that they can be unticked. */
function Names({ legend, names, chosen, onChange }: NamesProps) {
  const all = [...new Set([...names, ...chosen])];
  return (
    <fieldset>
      <legend className="font-medium">
        {legend} <span className="font-normal text-soft">({chosen.length === 0 ? 'none ticked: all' : `${chosen.length} ticked`})</span>
      </legend>
      <div className="mt-2 grid max-h-60 gap-x-6 overflow-y-auto rounded-soft border border-line px-4 py-2 sm:grid-cols-2 lg:grid-cols-3">
        {all.map((name) => (
          <Checkbox
            key={name}
            label={name}
            checked={chosen.includes(name)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface PromotionFormProps {
  /** Undefined for a new promotion. */
  promotion: Promotion | undefined;
  onSaved: (promotion: Promotion) => void;
  onClose: () => void;
}

/** Creates or changes a discount code or an automatic promotion. */
export function PromotionForm({ promotion, onSaved, onClose }: PromotionFormProps) {
  const dispatch = useAppDispatch();
  const { value: facets } = useLoaded('GET /api/products/facets', { query: {} });
  const form = useForm({
    ...useFields(fieldsOf(promotion)),
    schema: async () => (await import('#contract/promotions/promotions.schema.ts')).PromotionBody,
    body: bodyOf,
    names: { 'goods.products': 'pieces' },
    check,
    send: async (body) =>
      onSaved(
        await dispatch(
          promotion
            ? request('PUT /api/office/promotions/:id', { params: { id: promotion._id }, body })
            : request('POST /api/office/promotions', { body }),
        ),
      ),
  });
  const { fields, bind, bindBox, change } = form;
  const kind = kindOf(fields.kind);
  return (
    <Form form={form} className="grid gap-5" marksRequired>
      <div className="grid items-start gap-5 sm:grid-cols-3">
        <Field label="Name" required hint="Customers read it in the cart and on the order." {...bind('name')} />
        <Select label="How it applies" required options={WAYS} {...bind('way')} />
        {fields.way === WITH_CODE && (
          <Field label="Code" required autoComplete="off" hint="Capitals, spaces and hyphens do not matter." {...bind('code')} />
        )}
      </div>
      <div className="grid items-start gap-5 sm:grid-cols-3">
        <Select label="What it does" required options={Object.values(KINDS)} {...bind('kind')} />
        {kind === 'percent' && <Field label="Percentage (%)" required type="number" min={1} max={100} {...bind('value')} />}
        {kind === 'first_free' && (
          <Field
            label="Free pieces"
            required
            type="number"
            min={1}
            max={MAX_QUANTITY}
            hint="In an order. It applies beside other promotions."
            {...bind('value')}
          />
        )}
        {kind === 'amount' && <Field label="Amount (£)" required inputMode="decimal" {...bind('value')} />}
        <Field
          label="Minimum spend (£)"
          inputMode="decimal"
          hint="Subtotal of the whole cart, before discounts."
          {...bind('leastSubtotal')}
        />
      </div>
      <Names
        legend="Only these categories"
        names={facets?.categories.map(({ value }) => value) ?? []}
        chosen={fields.categories}
        onChange={(categories) => change({ categories })}
      />
      <Names
        legend="Only these brands"
        names={facets?.brands.map(({ value }) => value) ?? []}
        chosen={fields.brands}
        onChange={(brands) => change({ brands })}
      />
      <ChosenPieces
        id="pieces"
        chosen={fields.pieces}
        hint="Without any, it is for everything in the categories and brands."
        error={form.errors.pieces}
        onChange={(pieces) => change({ pieces })}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2 lg:grid-cols-4">
        <Field label="From" type="datetime-local" hint="UK time. Leave empty to start at once." {...bind('startsAt')} />
        <Field label="Until" type="datetime-local" hint="UK time. Leave empty for no end." {...bind('endsAt')} />
        <Field label="Total uses" type="number" min={1} hint="Leave empty for no limit." {...bind('mostUses')} />
        <Field label="Uses per customer" type="number" min={1} hint="Leave empty for no limit." {...bind('mostUsesEach')} />
      </div>
      <div>
        <Checkbox label="Only for a customer’s first order" {...bindBox('isFirstOrder')} />
        <Checkbox label="Switched on" {...bindBox('isOn')} />
      </div>
      <FormButtons pending={form.pending} onClose={onClose}>
        {promotion ? 'Save the promotion' : 'Create the promotion'}
      </FormButtons>
    </Form>
  );
}
