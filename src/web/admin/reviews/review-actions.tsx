import { useState } from 'react';
import { MAX_REVIEW_TEXT } from '#contract/platform/limits.ts';
import type { OfficeReview } from '#contract/reviews/reviews.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { FormButtons } from '#web/ui/form/form-buttons.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';

interface ActionProps {
  review: OfficeReview;
  onChange: (review: OfficeReview) => void;
}

export function ReviewActions({ review, onChange }: ActionProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const [openForm, setOpenForm] = useState<'' | 'hide' | 'reply'>('');
  const finish = (changed: OfficeReview) => {
    setOpenForm('');
    onChange(changed);
  };
  const setHidden = (isHidden: boolean, reason = '') =>
    run(isHidden ? 'hide' : 'show', async () =>
      finish(
        await dispatch(
          request('PUT /api/reviews/:id/hidden', { params: { id: review._id }, body: { isHidden, reason, mark: review.mark } }),
        ),
      ),
    );
  const reviewName = `the review by ${review.customer}`;
  const { hiddenReason, isNew } = review;
  // Empty for a review that waits for approval; a reason if staff have hidden it.
  const isVisible = hiddenReason === null;
  const again = hiddenReason ? ' again' : '';
  return (
    <>
      {review.reply && openForm !== 'reply' && (
        <div className="border-l-2 border-accent pl-4">
          <p className="text-sm font-semibold">Our answer</p>
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">{review.reply}</p>
        </div>
      )}
      {openForm === '' && (
        <p className="flex flex-wrap gap-3">
          <Button
            look="secondary"
            aria-label={`${review.reply ? 'Change the answer to' : 'Answer'} ${reviewName}`}
            onClick={() => setOpenForm('reply')}
          >
            {review.reply ? 'Change the answer' : 'Answer'}
          </Button>
          {isNew && isVisible && (
            <Button look="secondary" pending={pending === 'show'} aria-label={`Keep ${reviewName}`} onClick={() => setHidden(false)}>
              Keep
            </Button>
          )}
          {!isVisible && (
            <Button
              look="secondary"
              pending={pending === 'show'}
              aria-label={`Show ${reviewName}${again}`}
              onClick={() => setHidden(false)}
            >
              Show{again}
            </Button>
          )}
          {isNew && hiddenReason && (
            <Button
              look="secondary"
              pending={pending === 'hide'}
              aria-label={`Keep ${reviewName} hidden`}
              onClick={() => setHidden(true, hiddenReason)}
            >
              Keep hidden
            </Button>
          )}
          {!hiddenReason && (
            <Button look="secondary" aria-label={`Hide ${reviewName}`} onClick={() => setOpenForm('hide')}>
              Hide
            </Button>
          )}
        </p>
      )}
      {error && <Alert>{error}</Alert>}
      {openForm === 'hide' && <HideForm review={review} onChange={finish} onCancel={() => setOpenForm('')} />}
      {openForm === 'reply' && <ReplyForm review={review} onChange={finish} onCancel={() => setOpenForm('')} />}
    </>
  );
}

type ActionFormProps = ActionProps & { onCancel: () => void };

function HideForm({ review, onChange, onCancel }: ActionFormProps) {
  const dispatch = useAppDispatch();
  const form = useForm({
    ...useFields({ isHidden: true, reason: '' }),
    schema: async () => (await import('#contract/reviews/reviews.schema.ts')).HideReviewBody,
    send: async (body) =>
      onChange(
        await dispatch(request('PUT /api/reviews/:id/hidden', { params: { id: review._id }, body: { ...body, mark: review.mark } })),
      ),
  });
  return (
    <Form form={form} className="grid gap-3">
      <TextArea label="Why is it hidden?" required maxLength={500} hint="Only the customer sees this." {...form.bind('reason')} />
      <FormButtons pending={form.pending} close="Cancel" onClose={onCancel}>
        Hide the review
      </FormButtons>
    </Form>
  );
}

function ReplyForm({ review, onChange, onCancel }: ActionFormProps) {
  const dispatch = useAppDispatch();
  const form = useForm({
    ...useFields({ reply: review.reply }),
    schema: async () => (await import('#contract/reviews/reviews.schema.ts')).ReplyBody,
    send: async (body) =>
      onChange(await dispatch(request('PUT /api/reviews/:id/reply', { params: { id: review._id }, body: { ...body, mark: review.mark } }))),
  });
  return (
    <Form form={form} className="grid gap-3">
      <TextArea
        label="Our answer"
        required
        maxLength={MAX_REVIEW_TEXT}
        hint={review.reply ? 'Everybody can read it. Leave it empty to remove the answer.' : 'Everybody can read it.'}
        {...form.bind('reply')}
      />
      <FormButtons pending={form.pending} close="Cancel" onClose={onCancel}>
        Publish the answer
      </FormButtons>
    </Form>
  );
}
