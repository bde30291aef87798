import { type FormEvent, useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { MAX_PIECES, MAX_PRICE } from '#contract/base/limits.ts';
import { isProblem, messageOf } from '#contract/base/problem.ts';
import { createProduct, editProduct, type Product } from '#contract/catalogue.ts';
import { deleteDraft } from '#web/browser/drafts.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { Checkbox, Field, TextArea } from '#web/ui/form/field.tsx';
import { ColourRows } from './colour-rows.tsx';
import { PicturePicker } from './picture-picker.tsx';
import { keepTyped, readTyped } from './product-draft.ts';
import { fieldsOf, formDataOf, inPounds, NEW_PRODUCT, type PictureField, type ProductFields, picturesOf } from './product-fields.ts';
import { SizeRows } from './size-rows.tsx';

interface ProductFormProps {
  /** The product to edit; a new one without. */
  product?: Product;
  onSaved: (product: Product) => void;
  /** Fills the form anew, after someone else changed the product. */
  onReload?: () => void;
}

interface Sending {
  progress: number | undefined;
  error: string;
  errors: Record<string, string>;
  /** Someone else changed the product since this form was filled. */
  isStale: boolean;
  done: boolean;
}
const idle: Sending = { progress: undefined, error: '', errors: {}, isStale: false, done: false };

/** The values, the pictures, whether anything was changed, and sending it all. */
function useProductForm({ product, onSaved }: ProductFormProps) {
  const dispatch = useAppDispatch();
  const owner = useAppSelector(selectUserInfo)?._id ?? '';
  const [restored] = useState(() => readTyped(owner, product));
  const [fields, setFields] = useState<ProductFields>(restored ?? (product ? fieldsOf(product) : NEW_PRODUCT));
  const [pictures, setPictures] = useState<PictureField[]>(product ? picturesOf(product) : []);
  const [isChanged, setIsChanged] = useState(restored !== undefined);
  const [sending, setSending] = useState(idle);
  useEffect(() => {
    if (restored) deleteDraft('productDraft');
  }, [restored]);
  const change = (changes: Partial<ProductFields>) => {
    setFields((before) => ({ ...before, ...changes }));
    setIsChanged(true);
  };
  const changePictures = (next: PictureField[]) => {
    setPictures(next);
    setIsChanged(true);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending({ ...idle, progress: 0 });
    const onProgress = (progress: number) => setSending({ ...idle, progress });
    try {
      const body = formDataOf(fields, pictures, product);
      const saved = await dispatch(
        product ? request(editProduct, { params: { id: product._id }, body, onProgress }) : request(createProduct, { body, onProgress }),
      );
      setIsChanged(false);
      setSending({ ...idle, done: true });
      setFields(product ? fieldsOf(saved) : NEW_PRODUCT);
      setPictures(product ? picturesOf(saved) : []);
      onSaved(saved);
    } catch (error) {
      const problem = isProblem(error) ? error : undefined;
      if (problem?.status === 401) keepTyped(owner, product, fields);
      setSending({ ...idle, error: messageOf(error), errors: problem?.errors ?? {}, isStale: problem?.status === 409 });
    }
  };
  return { fields, change, pictures, changePictures, isChanged, isRestored: restored !== undefined && isChanged, sending, submit };
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

const TEXTS = [
  { name: 'category', label: 'Category' },
  { name: 'subCategory', label: 'Subcategory' },
  { name: 'brand', label: 'Brand' },
] as const;

/** The fields of create and edit; edit does not show fit and colours (specification §2, §5). */
export function ProductForm({ product, onSaved, onReload }: ProductFormProps) {
  const { fields, change, pictures, changePictures, isChanged, isRestored, sending, submit } = useProductForm({ product, onSaved });
  const { errors, error, isStale, done, progress } = sending;
  return (
    <form onSubmit={(event) => void submit(event)} className="grid max-w-prose gap-5">
      <UnsavedGuard isChanged={isChanged} />
      {isRestored && (
        <Alert tone="note">What you typed before your session ended is here again. Pictures that you had added must be chosen again.</Alert>
      )}
      <Field
        label="Name"
        required
        maxLength={200}
        value={fields.name}
        error={errors.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <TextArea
        label="Description"
        required
        value={fields.description}
        error={errors.description}
        onChange={({ target }) => change({ description: target.value })}
      />
      {!product && (
        <Field
          label="Fit"
          required
          maxLength={60}
          value={fields.fit}
          error={errors.fit}
          hint="The room or the use, such as Living room."
          onChange={({ target }) => change({ fit: target.value })}
        />
      )}
      <div className="grid gap-5 sm:grid-cols-3">
        {TEXTS.map(({ name, label }) => (
          <Field
            key={name}
            label={label}
            required={name !== 'subCategory' || product !== undefined}
            maxLength={60}
            value={fields[name]}
            error={errors[name]}
            onChange={({ target }) => change({ [name]: target.value })}
          />
        ))}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Price (in pence)"
          type="number"
          min={1}
          max={MAX_PRICE}
          required
          value={fields.price}
          error={errors.price}
          hint={inPounds(fields.price)}
          onChange={({ target }) => change({ price: target.value })}
        />
        <Field
          label="Count In Stock"
          type="number"
          min={0}
          max={MAX_PIECES}
          required
          value={fields.countInStock}
          error={errors.countInStock}
          onChange={({ target }) => change({ countInStock: target.value })}
        />
      </div>
      <div>
        <Checkbox label="New Arrivals?" checked={fields.newArrivals} onChange={({ target }) => change({ newArrivals: target.checked })} />
        <Checkbox label="Recommend?" checked={fields.isRecommend} onChange={({ target }) => change({ isRecommend: target.checked })} />
      </div>
      {!product && <ColourRows colors={fields.colors} onChange={(colors) => change({ colors })} />}
      <SizeRows sizes={fields.sizes} errors={errors} onChange={(sizes) => change({ sizes })} />
      <PicturePicker key={done ? 'saved' : 'typed'} pictures={pictures} onChange={changePictures} />
      {progress !== undefined && <progress className="w-full accent-accent" aria-label="Upload" value={progress} max={1} />}
      {error && <Alert>{error}</Alert>}
      {isStale && onReload && (
        <Button look="secondary" onClick={onReload}>
          Load the current values
        </Button>
      )}
      {done && <Alert tone="good">{product ? 'Update Succeeded' : 'Upload Succeeded'}</Alert>}
      <Button type="submit" pending={progress !== undefined}>
        {product ? 'Update Product' : 'Create Product'}
      </Button>
    </form>
  );
}
