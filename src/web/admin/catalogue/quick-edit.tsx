import { useEffect, useRef, useState } from 'react';
import type { OfficeCard, OfficeProduct } from '#contract/catalogue/catalogue.ts';
import { PRODUCT_FIELDS } from '#contract/catalogue/product-fields.ts';
import { jsonText } from '#web/browser/form-of.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Checkbox, Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { differingSum, fieldsOf, inPounds, type SizeFields } from './product-fields.ts';
import { priceHint } from './size-rows.tsx';

interface QuickFormProps {
  product: OfficeProduct;
  /** Whether another product follows in the list. */
  hasNext: boolean;
  onSaved: (opensNext: boolean) => void;
  onClose: () => void;
}

function QuickForm({ product, hasNext, onSaved, onClose }: QuickFormProps) {
  const dispatch = useAppDispatch();
  const [fields, setFields] = useState(() => fieldsOf(product));
  const [opensNext, setOpensNext] = useState(false);
  const change = (changes: Partial<typeof fields>) => setFields((before) => ({ ...before, ...changes }));
  const form = useForm({
    fields,
    change,
    schema: async () => (await import('#contract/catalogue/product-form.schema.ts')).QuickEditBody,
    body: ({ price, countInStock, newArrivals, isRecommend, sizes }) => ({
      price,
      countInStock,
      newArrivals: String(newArrivals),
      isRecommend: String(isRecommend),
      sizes: sizes.map(({ size, quantity, price: sizePrice }) => ({ size, quantity, price: sizePrice })),
      version: product.version,
      stockBefore: jsonText({
        countInStock: product.countInStock,
        sizes: Object.fromEntries(product.sizes.map(({ size, quantity }) => [size, quantity])) as Record<string, number>,
      }),
    }),
    send: async (body) => {
      await dispatch(request('PUT /api/office/products/:id', { params: { id: product._id }, body }));
      onSaved(opensNext);
    },
  });
  // Focused, so that screen readers read the name of each product, also after “Save and next”.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const sum = differingSum(fields);
  const bindSize = (index: number, name: 'quantity' | 'price') => ({
    id: `sizes.${index}.${name}`,
    required: true,
    type: 'number',
    min: 0,
    value: fields.sizes[index]?.[name] ?? '',
    error: form.errors[`sizes.${index}.${name}`],
    onChange: ({ target }: { target: { value: string } }) =>
      change({ sizes: fields.sizes.map((size, other): SizeFields => (other === index ? { ...size, [name]: target.value } : size)) }),
  });
  return (
    <Form form={form} className="grid gap-4">
      <h2 ref={heading} tabIndex={-1}>
        {product.name}
      </h2>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Price (in pence)" required type="number" min={1} hint={inPounds(fields.price)} {...form.bind('price')} />
        <div>
          <Field
            label="Count In Stock"
            required
            type="number"
            min={0}
            hint={sum !== undefined && `The sizes add up to ${sum}.`}
            {...form.bind('countInStock')}
          />
          {sum !== undefined && (
            <button type="button" className="link min-h-6 text-sm" onClick={() => change({ countInStock: String(sum) })}>
              Use the sum
            </button>
          )}
        </div>
        {fields.sizes.map(({ size, price }, index) => (
          <fieldset key={size} className="grid items-start gap-4 sm:col-span-2 sm:grid-cols-2">
            <legend className="legend">{size}</legend>
            <Field label={`Price of ${size} (in pence)`} hint={priceHint(price)} {...bindSize(index, 'price')} />
            <Field label={`Quantity of ${size}`} {...bindSize(index, 'quantity')} />
          </fieldset>
        ))}
      </div>
      <div>
        {PRODUCT_FIELDS.map(
          ({ kind, name, label }) => kind === 'flag' && <Checkbox key={name} label={label} {...form.bindBox(name as 'newArrivals')} />,
        )}
      </div>
      <p className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Close
        </Button>
        {hasNext && (
          <Button type="submit" look="secondary" pending={form.pending && opensNext} onClick={() => setOpensNext(true)}>
            Save and next
          </Button>
        )}
        <Button type="submit" pending={form.pending && !opensNext} onClick={() => setOpensNext(false)}>
          Save
        </Button>
      </p>
    </Form>
  );
}

function LoadedQuickForm({ id, ...rest }: Omit<QuickFormProps, 'product'> & { id: string }) {
  const { value, error } = useLoaded('GET /api/office/products/:id', { params: { id } });
  if (error) return <Alert>{error}</Alert>;
  return value ? <QuickForm product={value} {...rest} /> : <Skeleton label="Loading the product" />;
}

interface QuickEditProps {
  /** The dialog is closed without one. */
  product: OfficeCard | undefined;
  next: OfficeCard | undefined;
  /** Opens the dialog for another product, or closes it. */
  onChange: (product: OfficeCard | undefined) => void;
  onSaved: (product: OfficeCard) => void;
}

/** Price, stock and flags of a product, without leaving the list. */
export function QuickEdit({ product, next, onChange, onSaved }: QuickEditProps) {
  return (
    <Dialog open={product !== undefined} onClose={() => onChange(undefined)} label={`Quick edit of ${product?.name ?? ''}`} bare>
      {product && (
        <LoadedQuickForm
          key={product._id}
          id={product._id}
          hasNext={next !== undefined}
          onClose={() => onChange(undefined)}
          onSaved={(opensNext) => {
            onChange(opensNext ? next : undefined);
            onSaved(product);
          }}
        />
      )}
    </Dialog>
  );
}
