import { useState } from 'react';
import type { ProductSale } from '#contract/catalogue/sale.ts';
import { typedMoment } from '#contract/market/moments.ts';
import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { inPounds } from './product-fields.ts';

const typedPence = (price: number | null) => (price === null ? '' : String(price));

const fieldsOf = ({ salePrice, sizes, saleFrom, saleTo }: ProductSale) => ({
  salePrice: typedPence(salePrice),
  sizes: sizes.map(({ size, salePrice: sizePrice }) => ({ size, salePrice: typedPence(sizePrice) })),
  saleFrom: typedMoment(saleFrom),
  saleTo: typedMoment(saleTo),
});

const penceOrNull = (text: string) => (text.trim() === '' ? null : Number(text));

function ProductSaleForm({ productId, sale, onSaved }: ProductSaleProps) {
  const dispatch = useAppDispatch();
  const [fields, setFields] = useState(() => fieldsOf(sale));
  const change = (changes: Partial<typeof fields>) => setFields((before) => ({ ...before, ...changes }));
  const form = useForm({
    fields,
    change,
    schema: async () => (await import('#contract/catalogue/sale.schema.ts')).ProductSaleBody,
    body: ({ salePrice, sizes, saleFrom, saleTo }) => ({
      salePrice: penceOrNull(salePrice),
      sizes: sizes.map(({ size, salePrice: sizePrice }) => ({ size, salePrice: penceOrNull(sizePrice) })),
      saleFrom,
      saleTo,
    }),
    send: async (body) => {
      const saved = await dispatch(request('PUT /api/office/products/:id/sale', { params: { id: productId }, body }));
      setFields(fieldsOf(saved));
      onSaved(saved);
    },
  });
  const changeSize = (index: number, salePrice: string) =>
    change({ sizes: fields.sizes.map((size, other) => (other === index ? { ...size, salePrice } : size)) });
  const usual = (price: number) => `Usually ${pounds(price)}`;
  const hint = (text: string, price: number) => [inPounds(text), usual(price)].filter(Boolean).join('. ');
  return (
    <Form form={form} className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-3">
        <Field
          label="Sale price, in pence"
          inputMode="numeric"
          hint={hint(fields.salePrice, sale.regularPrice)}
          {...form.bind('salePrice')}
        />
        <Field label="From" type="datetime-local" hint="UK time. Leave empty to start at once." {...form.bind('saleFrom')} />
        <Field label="Until" type="datetime-local" hint="UK time." {...form.bind('saleTo')} />
        {sale.sizes.map(({ size, regularPrice }, index) => (
          <Field
            key={size}
            id={`sizes.${index}.salePrice`}
            label={`Sale price of ${size} (in pence)`}
            inputMode="numeric"
            hint={hint(fields.sizes[index]?.salePrice ?? '', regularPrice || sale.regularPrice)}
            error={form.errors[`sizes.${index}.salePrice`]}
            value={fields.sizes[index]?.salePrice ?? ''}
            onChange={({ target }) => changeSize(index, target.value)}
          />
        ))}
      </div>
      {form.done && <Alert tone="good">The sale price is saved.</Alert>}
      <Button type="submit" look="secondary" className="justify-self-start" pending={form.pending}>
        Save the sale price
      </Button>
    </Form>
  );
}

interface ProductSaleProps {
  productId: string;
  sale: ProductSale;
  onSaved: (sale: ProductSale) => void;
}

/** The sale prices of a product, and its price history. */
export function ProductSalePanel({ productId, sale, onSaved }: ProductSaleProps) {
  return (
    <section aria-labelledby="sale" className="panel mt-8 grid max-w-prose gap-4">
      <h2 id="sale">Sale price</h2>
      {sale.isOn && <p>A sale is on. The prices in the form above are the usual ones.</p>}
      <ProductSaleForm productId={productId} sale={sale} onSaved={onSaved} />
      {sale.log.length > 0 && (
        <details>
          <summary className="link w-fit">Price history</summary>
          <ul className="mt-3 grid gap-1">
            {sale.log.map(({ size, price, at }) => (
              <li key={`${at} ${size}`}>
                {shopTime(at)}: {pounds(price)}
                {size && `, ${size}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
