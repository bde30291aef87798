import { useState } from 'react';
import { ROUNDINGS, type SaleBody, type SalePreview } from '#contract/catalogue/sale.ts';
import { pounds } from '#contract/market/money.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { Table } from '#web/ui/table.tsx';
import { ChosenPieces } from './chosen-pieces.tsx';

const INITIAL_FIELDS = { category: '', brand: '', products: [] as string[], percent: '15', rounding: '.00', saleFrom: '', saleTo: '' };

/** A list with the chosen name; empty for all. */
const listOf = (name: string) => (name === '' ? [] : [name]);

const bodyOf = ({ category, brand, products, percent, rounding, saleFrom, saleTo }: typeof INITIAL_FIELDS) => ({
  goods: { categories: listOf(category), brands: listOf(brand), products },
  percent: Number(percent),
  rounding: rounding as (typeof ROUNDINGS)[number],
  saleFrom,
  saleTo,
});

const COLUMNS = [
  { label: 'Piece', cell: ({ name, size }: SalePreview['reductions'][number]) => (size === null ? name : `${name}, ${size}`) },
  { label: 'Price', cell: ({ price }: SalePreview['reductions'][number]) => pounds(price) },
  { label: 'In the sale', cell: ({ salePrice }: SalePreview['reductions'][number]) => pounds(salePrice) },
];

/** The prices that a sale would have, and the button that begins it. */
function Preview({ preview: { total, reductions }, pending, onStart }: { preview: SalePreview; pending: boolean; onStart: () => void }) {
  const pieces = total === 1 ? '1 piece' : `${total} pieces`;
  // A product has a row for each size.
  const shownProducts = new Set(reductions.map(({ _id }) => _id)).size;
  return (
    <div className="grid gap-4">
      <p role="status" className="font-semibold">
        {pieces}
        {shownProducts < total && ', of which these are the first'}
      </p>
      <Table caption="Prices in the sale" columns={COLUMNS} rows={reductions} keyOf={({ _id, size }) => `${_id} ${size}`} />
      <Button className="justify-self-start" pending={pending} onClick={onStart}>
        Set the sale price of {pieces}
      </Button>
    </div>
  );
}

/** Starts a sale of the selected products, after a preview of its prices. */
export function SaleForm({ onStarted }: { onStarted: () => void }) {
  const dispatch = useAppDispatch();
  const { value: facets } = useLoaded('GET /api/products/facets', { query: {} });
  const [planned, setPlanned] = useState<{ body: SaleBody; preview: SalePreview }>();
  const action = useAction();
  const form = useForm({
    ...useFields(INITIAL_FIELDS),
    schema: async () => (await import('#contract/catalogue/sale.schema.ts')).SaleBody,
    body: bodyOf,
    names: { 'goods.products': 'products' },
    send: async (body) => {
      action.reset();
      setPlanned({ body, preview: await dispatch(request('POST /api/office/sale-prices/preview', { body })) });
    },
  });
  const start = ({ body }: { body: SaleBody }) =>
    action.run('start', async () => {
      const { changed } = await dispatch(request('POST /api/office/sale-prices', { body }));
      setPlanned(undefined);
      onStarted();
      return changed === 1 ? 'The sale price of 1 piece is set.' : `The sale prices of ${changed} pieces are set.`;
    });
  const optionsOf = (values: readonly { value: string }[] = []) => ['', ...values.map(({ value }) => value)];
  return (
    <section aria-labelledby="new-sale" className="panel grid gap-5">
      <h2 id="new-sale">New sale</h2>
      <Form form={form} className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Select label="Category" none="All categories" options={optionsOf(facets?.categories)} {...form.bind('category')} />
          <Select label="Brand" none="All brands" options={optionsOf(facets?.brands)} {...form.bind('brand')} />
        </div>
        <ChosenPieces
          id="products"
          chosen={form.fields.products}
          hint="Without any, the sale is for the whole category and brand."
          error={form.errors.products}
          onChange={(products) => form.change({ products })}
        />
        <div className="grid items-start gap-5 sm:grid-cols-2 lg:grid-cols-4">
          <Field label="Reduction in per cent" required type="number" min={1} max={90} {...form.bind('percent')} />
          <Select label="Round down to" required options={ROUNDINGS} {...form.bind('rounding')} />
          <Field label="From" type="datetime-local" hint="UK time. Leave empty to start at once." {...form.bind('saleFrom')} />
          <Field label="Until" required type="datetime-local" hint="UK time." {...form.bind('saleTo')} />
        </div>
        <p className="hint">
          It replaces the sale prices that these pieces have. Shoppers are told the lowest price of the 30 days before the sale, where the
          shop has sold the piece for as long.
        </p>
        <Button type="submit" look="secondary" className="justify-self-start" pending={form.pending}>
          Show the prices
        </Button>
      </Form>
      {action.error && <Alert>{action.error}</Alert>}
      {action.done && <Alert tone="good">{action.done}</Alert>}
      {planned && <Preview preview={planned.preview} pending={action.pending !== ''} onStart={() => start(planned)} />}
    </section>
  );
}
