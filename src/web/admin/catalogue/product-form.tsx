import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { createProduct, editProduct, type Product } from '#contract/catalogue/catalogue.ts';
import { checkProduct } from '#contract/form-checks.ts';
import { MAX_PIECES, MAX_PRICE } from '#contract/platform/limits.ts';
import { deleteDraft } from '#web/browser/drafts.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { failureOf, request } from '#web/state/thunk.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Checkbox, Field, TextArea } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { ColourRows } from './colour-rows.tsx';
import { type Model, ModelField } from './pictures/model-field.tsx';
import type { PictureField } from './pictures/picture-field.ts';
import { PicturePicker } from './pictures/picture-picker.tsx';
import { keepTyped, readTyped } from './product-draft.ts';
import {
  fieldsOf,
  formDataOf,
  inPounds,
  modelOf,
  NEW_PRODUCT,
  offeredBy,
  type ProductFields,
  picturesOf,
  stockHint,
} from './product-fields.ts';
import { SizeRows } from './size-rows.tsx';

interface ProductFormProps {
  /** The product to edit; a new one without. */
  product?: Product;
  onSaved: (product: Product) => void;
  /** Fills the form anew, after someone else changed the product. */
  onReload?: () => void;
}

/** What was typed and chosen, starting with the product, and whether anything of it has changed. */
function useValues(product: Product | undefined, owner: string) {
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
  const changePictures = (change: (before: PictureField[]) => PictureField[]) => {
    setPictures(change);
    setIsChanged(true);
  };
  const changeModel = (next: Model) => {
    setModel(next);
    setIsChanged(true);
  };
  /** Shows what was saved, or nothing for the next new product. */
  const reset = (saved: Product | undefined) => {
    setFields(saved ? fieldsOf(saved) : NEW_PRODUCT);
    setPictures(saved ? picturesOf(saved) : []);
    setModel(saved ? modelOf(saved) : null);
    setIsChanged(false);
  };
  return {
    ...{ fields, pictures, model, isChanged, isRestored: restored !== undefined && isChanged },
    ...{ change, changePictures, changeModel, reset },
  };
}

function useProductForm({ product, onSaved }: ProductFormProps) {
  const dispatch = useAppDispatch();
  const owner = useAppSelector(selectUserInfo)?._id ?? '';
  const { reset, ...values } = useValues(product, owner);
  const { fields, pictures, model, change } = values;
  const [progress, onProgress] = useState(0);
  /** Someone else changed the product since this form was filled. */
  const [isStale, setIsStale] = useState(false);
  const send = async () => {
    onProgress(0);
    setIsStale(false);
    const body = formDataOf(fields, pictures, model, product);
    try {
      const saved = await dispatch(
        product ? request(editProduct, { params: { id: product._id }, body, onProgress }) : request(createProduct, { body, onProgress }),
      );
      reset(product && saved);
      onSaved(saved);
      return undefined;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.status === 401) keepTyped(owner, product, fields);
      setIsStale(failure.status === 409);
      return failure;
    }
  };
  const form = useForm({ fields, change, check: checkProduct(!product), send });
  return { ...values, form, progress, isStale };
}

/** Asks before unsaved changes are left, by link, by back and by closing the page. */
function UnsavedGuard({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isChanged]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      question="Leave without saving?"
      name="What you typed on this page would be lost."
      action="Leave"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  );
}

type Bind = ReturnType<typeof useProductForm>['form']['bind'];

/** What the product is; edit does not show the fit (specification §2, §5). */
function Description({ bind, isNew }: { bind: Bind; isNew: boolean }) {
  return (
    <>
      <Field label="Name" required maxLength={200} {...bind('name')} />
      <TextArea label="Description" required {...bind('description')} />
      {isNew && <Field label="Fit" required maxLength={60} hint="The room or the use, such as Living room." {...bind('fit')} />}
      <div className="grid gap-5 sm:grid-cols-3">
        <Field label="Category" required maxLength={60} {...bind('category')} />
        <Field
          label="Subcategory"
          required={!isNew}
          maxLength={60}
          hint="A piece of several kinds names them with commas: Two-seat, Three-seat"
          {...bind('subCategory')}
        />
        <Field label="Brand" required maxLength={60} {...bind('brand')} />
      </div>
    </>
  );
}

function PriceAndStock({ bind, fields }: { bind: Bind; fields: ProductFields }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Price (in pence)" type="number" min={1} max={MAX_PRICE} required hint={inPounds(fields.price)} {...bind('price')} />
      <Field label="Count In Stock" type="number" min={0} max={MAX_PIECES} required hint={stockHint(fields)} {...bind('countInStock')} />
    </div>
  );
}

/** The form of create and edit; edit does not show fit and colours (specification §2, §5). */
export function ProductForm({ product, onSaved, onReload }: ProductFormProps) {
  const { form, fields, change, pictures, changePictures, model, changeModel, isChanged, isRestored, progress, isStale } = useProductForm({
    product,
    onSaved,
  });
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
      <Description bind={form.bind} isNew={!product} />
      <PriceAndStock bind={form.bind} fields={fields} />
      <div>
        <Checkbox label="New Arrivals?" checked={fields.newArrivals} onChange={({ target }) => change({ newArrivals: target.checked })} />
        <Checkbox label="Recommend?" checked={fields.isRecommend} onChange={({ target }) => change({ isRecommend: target.checked })} />
      </div>
      {!product && <ColourRows colors={fields.colors} onChange={(colors) => change({ colors })} />}
      <SizeRows sizes={fields.sizes} errors={form.errors} onChange={(sizes) => change({ sizes })} />
      <PicturePicker pictures={pictures} offered={offeredBy(fields, product)} onChange={changePictures} />
      <ModelField model={model} onChange={changeModel} />
      {form.pending && <progress className="w-full accent-accent" aria-label="Upload" value={progress} max={1} />}
      {form.done && <Alert tone="good">{product ? 'Update Succeeded' : 'Upload Succeeded'}</Alert>}
      <Button type="submit" pending={form.pending}>
        {product ? 'Update Product' : 'Create Product'}
      </Button>
    </Form>
  );
}
