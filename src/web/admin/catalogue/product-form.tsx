import { useEffect, useState } from 'react';
import type { OfficeProduct } from '#contract/catalogue/catalogue.ts';
import {
  type FieldName,
  GROUPS,
  type GroupName,
  groupOf,
  isRequired,
  PRODUCT_FIELDS,
  type ProductField,
} from '#contract/catalogue/product-fields.ts';
import { type Model, ModelField } from '#web/admin/catalogue/pictures/model-field.tsx';
import type { PictureField } from '#web/admin/catalogue/pictures/picture-field.ts';
import { PicturePicker } from '#web/admin/catalogue/pictures/picture-picker.tsx';
import { UnsavedGuard } from '#web/admin/unsaved-guard.tsx';
import { deleteDraft } from '#web/browser/drafts.ts';
import { formOf } from '#web/browser/form-of.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { failureOf, request } from '#web/state/thunk.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, Field, Select, TextArea } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { CategoryField } from './category-field.tsx';
import { ColourRows } from './colour-rows.tsx';
import { Folded } from './folded.tsx';
import { GoesWith } from './goes-with.tsx';
import { keepTyped, readTyped } from './product-draft.ts';
import {
  differingSum,
  fieldsOf,
  inKilograms,
  inPounds,
  isStockChanged,
  missingSideNote,
  modelOf,
  NEW_PRODUCT,
  type ProductFields,
  picturesOf,
  productBody,
  setNote,
  stockWarning,
  variantOptionsOf,
} from './product-fields.ts';
import { SetParts } from './set-parts.tsx';
import { SizeRows } from './size-rows.tsx';

interface ProductFormProps {
  /** Undefined for a new product. */
  product?: OfficeProduct;
  onSaved: (product: OfficeProduct) => void;
  /** Fills the form again after somebody else changed the product. */
  onReload?: () => void;
}

/** The form's values, starting with the product, and whether any has changed. */
function useValues(product: OfficeProduct | undefined, owner: string) {
  const [restored] = useState(() => readTyped(owner, product));
  const [fields, setFields] = useState<ProductFields>(restored ?? (product ? fieldsOf(product) : NEW_PRODUCT));
  const [pictures, setPictures] = useState<PictureField[]>(product ? picturesOf(product) : []);
  const [model, setModel] = useState<Model>(product ? modelOf(product) : null);
  const [isChanged, setIsChanged] = useState(restored !== undefined);
  useEffect(() => {
    if (restored) deleteDraft('productDraft');
  }, [restored]);
  const change = (changes: Partial<ProductFields>) => {
    setFields((before) => ({ ...before, ...changes }));
    setIsChanged(true);
  };
  const changePictures = (update: (before: PictureField[]) => PictureField[]) => {
    setPictures(update);
    setIsChanged(true);
  };
  const changeModel = (next: Model) => {
    setModel(next);
    setIsChanged(true);
  };
  /** Shows the saved product, or an empty form for the next one. */
  const reset = (saved: OfficeProduct | undefined) => {
    setFields(saved ? fieldsOf(saved) : NEW_PRODUCT);
    setPictures(saved ? picturesOf(saved) : []);
    setModel(saved ? modelOf(saved) : null);
    setIsChanged(false);
  };
  return {
    fields,
    pictures,
    model,
    isChanged,
    isRestored: restored !== undefined && isChanged,
    change,
    changePictures,
    changeModel,
    reset,
  };
}

function useProductForm({ product, onSaved }: ProductFormProps) {
  const dispatch = useAppDispatch();
  const owner = useAppSelector(selectUserInfo)?._id ?? '';
  const { reset, ...values } = useValues(product, owner);
  const { fields, pictures, model, change } = values;
  const [progress, setProgress] = useState(0);
  const [warning, setWarning] = useState<string>();
  /** Somebody else changed the product since the form was filled. */
  const [isStale, setIsStale] = useState(false);
  const send = async (body: ReturnType<typeof productBody>) => {
    setProgress(0);
    setIsStale(false);
    try {
      const saved = await dispatch(
        product
          ? request('PUT /api/products/:id', { params: { id: product._id }, body: formOf(body), onProgress: setProgress })
          : request('POST /api/products', { body: formOf(body), onProgress: setProgress }),
      );
      reset(product && saved);
      setWarning(stockWarning(saved));
      onSaved(saved);
    } catch (error) {
      const { status } = failureOf(error);
      if (status === 401) keepTyped(owner, product, fields);
      setIsStale(status === 409);
      throw error;
    }
  };
  const form = useForm({
    fields,
    change,
    schema: async () => {
      const { EditedProductForm, NewProductForm } = await import('#contract/catalogue/product-form.schema.ts');
      return product ? EditedProductForm : NewProductForm;
    },
    body: (typed) => productBody(typed, pictures, model, product),
    send,
  });
  return { ...values, form, progress, isStale, warning };
}

/** How many of the six columns a field takes on wide screens; all six by default. */
const WIDTHS: Partial<Record<FieldName, string>> = {
  category: 'sm:col-span-2',
  subCategory: 'sm:col-span-2',
  brand: 'sm:col-span-2',
  price: 'sm:col-span-2',
  countInStock: 'sm:col-span-2',
  lowStock: 'sm:col-span-2',
  vatClass: 'sm:col-span-2',
  deliveryClass: 'sm:col-span-4',
  state: 'sm:col-span-3',
  liveFrom: 'sm:col-span-3',
  sku: 'sm:col-span-3',
  barcode: 'sm:col-span-3',
  supplier: 'sm:col-span-2',
  supplierReference: 'sm:col-span-2',
  costPrice: 'sm:col-span-2',
  weight: 'sm:col-span-3',
  assemblyMinutes: 'sm:col-span-3',
};

interface FieldInputsProps {
  form: ReturnType<typeof useProductForm>['form'];
  /** Undefined for a new product. */
  product: OfficeProduct | undefined;
  /** Shows the fields of this folded group; undefined for the fields outside groups. */
  group?: GroupName | undefined;
}

/** The hint of a number: pence in pounds, grams in kilograms, and where the stock comes from. */
function numberHint({ kind, name, hint }: ProductField, fields: ProductFields): string | undefined {
  if (kind === 'money') return inPounds(String(fields[name]));
  if (name === 'weight') return inKilograms(fields.weight);
  if (name !== 'countInStock') return hint;
  if (fields.setParts !== '') return 'What its parts make.';
  const sum = differingSum(fields);
  return sum === undefined ? hint : `The sizes add up to ${sum}.`;
}

/** The hint of a choice, and how a product travels of which a side is missing. */
function choiceHint({ name, hint = '' }: ProductField, fields: ProductFields, product: OfficeProduct | undefined): string {
  return [hint, name === 'deliveryClass' && missingSideNote(fields, product)].filter(Boolean).join(' ');
}

/** Sets the stock to the sum of the sizes, if they differ. A size sells only while it and the product both have stock. */
function UseSumButton({ form: { fields, change } }: Pick<FieldInputsProps, 'form'>) {
  const sum = differingSum(fields);
  if (sum === undefined) return null;
  return (
    <button type="button" className="link min-h-6 text-sm" onClick={() => change({ countInStock: String(sum) })}>
      Use the sum
    </button>
  );
}

function FieldInput({ field, form, product }: Omit<FieldInputsProps, 'group'> & { field: Exclude<ProductField, { kind: 'flag' }> }) {
  const { bind, fields } = form;
  const { label, hint, kind } = field;
  const changeParts = (setParts: string) => {
    // A set needs no typed stock, since its parts make it. A product that stops being a set starts at 0.
    const startsAtZero = fields.countInStock === '' || (setParts === '' && product?.setParts);
    form.change(startsAtZero ? { setParts, countInStock: '0' } : { setParts });
  };
  const commonProps = { label, hint, required: isRequired(field, !product), ...bind(field.name as 'name') };
  switch (kind) {
    case 'text':
      if (field.name === 'setParts') return <SetParts {...bind('setParts')} note={setNote(fields, product)} onChange={changeParts} />;
      return field.name === 'goesWith' ? (
        <GoesWith {...bind('goesWith')} onChange={(goesWith) => form.change({ goesWith })} />
      ) : (
        <TextArea {...commonProps} />
      );
    case 'choice':
      return <Select {...commonProps} hint={choiceHint(field, fields, product)} options={field.options} />;
    case 'line':
      return field.name === 'category' ? (
        <CategoryField maxLength={field.max} {...commonProps} />
      ) : (
        <Field maxLength={field.max} {...commonProps} />
      );
    case 'moment':
      return <Field {...commonProps} type="datetime-local" />;
    default: {
      return (
        <>
          <Field
            {...commonProps}
            type="number"
            min={field.least}
            max={field.most}
            hint={numberHint(field, fields)}
            readOnly={field.name === 'countInStock' && fields.setParts !== ''}
          />
          {field.name === 'countInStock' && <UseSumButton form={form} />}
        </>
      );
    }
  }
}

function FieldInputs(props: FieldInputsProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-6">
      {PRODUCT_FIELDS.map(
        (field) =>
          field.kind !== 'flag' &&
          groupOf(field, !props.product) === props.group && (
            <div key={field.name} className={WIDTHS[field.name] ?? 'sm:col-span-6'}>
              <FieldInput {...props} field={field} />
            </div>
          ),
      )}
    </div>
  );
}

function Flags({ form }: Pick<FieldInputsProps, 'form'>) {
  return (
    <div>
      {PRODUCT_FIELDS.map(
        ({ kind, name, label }) => kind === 'flag' && <Checkbox key={name} label={label} {...form.bindBox(name as 'newArrivals')} />,
      )}
    </div>
  );
}

/** The summary beside a folded group's title: the product's state, or the number of fields that are filled in. */
function summaryOf(group: GroupName, fields: ProductFields, isNew: boolean): string {
  if (group === 'inShop') return fields.state;
  const filled = PRODUCT_FIELDS.filter((field) => groupOf(field, isNew) === group && fields[field.name] !== '').length;
  return filled > 0 ? `${filled} filled in` : '';
}

function FoldedGroups({ form, product }: Omit<FieldInputsProps, 'group'>) {
  const isNew = !product;
  const groups = (Object.keys(GROUPS) as GroupName[]).filter((group) => PRODUCT_FIELDS.some((field) => groupOf(field, isNew) === group));
  return groups.map((group) => {
    const hasColours = group === 'fitAndColours' && !isNew;
    const names = PRODUCT_FIELDS.filter((field) => groupOf(field, isNew) === group).map(({ name }) => name as string);
    const isWrong = names.some((name) => form.errors[name]) || (hasColours && form.errors.colors !== undefined);
    return (
      <Folded
        key={group}
        title={GROUPS[group]}
        summary={hasColours ? '' : summaryOf(group, form.fields, isNew)}
        isWrong={isWrong}
        className="panel"
      >
        <FieldInputs form={form} product={product} group={group} />
        {hasColours && <Colours form={form} />}
      </Folded>
    );
  });
}

const Colours = ({ form }: Pick<FieldInputsProps, 'form'>) => (
  <ColourRows colors={form.fields.colors} error={form.errors.colors} onChange={(colors) => form.change({ colors })} />
);

/** The form of create and edit (specification §2, §5). */
export function ProductForm({ product, onSaved, onReload }: ProductFormProps) {
  const { form, fields, change, pictures, changePictures, model, changeModel, isChanged, isRestored, progress, isStale, warning } =
    useProductForm({ product, onSaved });
  return (
    <Form form={form} className="grid max-w-prose gap-5">
      <UnsavedGuard isChanged={isChanged} />
      {isRestored && (
        <Alert tone="note">We kept what you typed before your session ended. Please choose any new pictures or 3D model again.</Alert>
      )}
      {isStale && onReload && (
        <Button look="secondary" onClick={onReload}>
          Load the current values
        </Button>
      )}
      <FieldInputs form={form} product={product} />
      <Flags form={form} />
      {!product && <Colours form={form} />}
      <SizeRows sizes={fields.sizes} errors={form.errors} onChange={(sizes) => change({ sizes })} />
      {product && isStockChanged(fields, product) && (
        <Field
          label="Why the stock changes"
          hint="Kept with its movements, such as: delivery of 12 March."
          maxLength={200}
          {...form.bind('stockNote')}
        />
      )}
      <PicturePicker pictures={pictures} variants={variantOptionsOf(fields)} onChange={changePictures} />
      <ModelField model={model} onChange={changeModel} />
      <FoldedGroups form={form} product={product} />
      {form.pending && <progress className="w-full accent-accent" aria-label="Upload" value={progress} max={1} />}
      {form.done && <Alert tone="good">{product ? 'Update Succeeded' : 'Upload Succeeded'}</Alert>}
      {form.done && warning && <Alert tone="note">{warning}</Alert>}
      <Button type="submit" pending={form.pending}>
        {product ? 'Update Product' : 'Create Product'}
      </Button>
    </Form>
  );
}
