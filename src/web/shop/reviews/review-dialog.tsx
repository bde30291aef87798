import { useState } from 'react';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { MAX_REVIEW_PICTURES, MAX_REVIEW_TEXT } from '#contract/platform/limits.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { deleteDraft, readDraft, writeDraft } from '#web/browser/drafts.ts';
import { formOf } from '#web/browser/form-of.ts';
import { useCloseOnBack } from '#web/browser/overlay-history.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { type ChosenPicture, PicturesField } from './pictures-field.tsx';
import { StarsField } from './stars-field.tsx';

interface ReviewDialogProps {
  product: Pick<Product, '_id' | 'name'>;
  /** The account's id. */
  owner: string;
  /** Undefined for a new review. */
  review?: Review | undefined;
  onClose: () => void;
  onWritten: () => void;
}

/** A draft of this product, else the stored review. Drafts survive a reload and the end of a session; pictures cannot be kept. */
function useReviewFields(owner: string, productId: string, review: Review | undefined) {
  const [fields, setFields] = useState(() => {
    const { product, rating = '', text = '' } = readDraft('reviewDraft', owner);
    return product === productId ? { rating, text } : { rating: review ? String(review.rating) : '', text: review?.text ?? '' };
  });
  const change = (changes: Partial<typeof fields>) => {
    const next = { ...fields, ...changes };
    setFields(next);
    writeDraft('reviewDraft', owner, { product: productId, ...next });
  };
  return { fields, change };
}

export function ReviewDialog({ product, owner, review, onClose, onWritten }: ReviewDialogProps) {
  const dispatch = useAppDispatch();
  useCloseOnBack(true, onClose);
  const draft = useReviewFields(owner, product._id, review);
  const [pictures, setPictures] = useState<ChosenPicture[]>(review?.images ?? []);
  const [progress, onProgress] = useState(0);
  const form = useForm({
    ...draft,
    schema: async () => {
      const { EditedReviewForm, NewReviewForm } = await import('#contract/reviews/reviews.schema.ts');
      return review ? EditedReviewForm : NewReviewForm;
    },
    async send({ rating, text }) {
      const body = formOf({ rating, text, images: pictures });
      await (review
        ? dispatch(request('PUT /api/reviews/:id', { params: { id: review._id }, body, onProgress }))
        : dispatch(request('POST /api/products/:id/reviews', { params: { id: product._id }, body, onProgress })));
      deleteDraft('reviewDraft');
      onWritten();
    },
  });
  return (
    <Dialog open onClose={onClose} label={`Review ${product.name}`}>
      <h2 className="mb-4 pr-12">Review {product.name}</h2>
      <Form form={form}>
        <StarsField value={form.fields.rating} error={form.errors.rating} onChange={(rating) => form.change({ rating })} />
        <TextArea
          label="What do you think of it?"
          maxLength={MAX_REVIEW_TEXT}
          hint="Your first name and an initial are shown beside it."
          {...form.bind('text')}
        />
        <PicturesField pictures={pictures} most={MAX_REVIEW_PICTURES} onChange={setPictures} />
        {form.pending && pictures.length > 0 && <progress className="w-full accent-accent" aria-label="Upload" value={progress} max={1} />}
        <Button type="submit" pending={form.pending}>
          {review ? 'Save review' : 'Send review'}
        </Button>
      </Form>
    </Dialog>
  );
}
