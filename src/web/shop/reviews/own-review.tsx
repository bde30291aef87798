import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { Session } from '#contract/accounts/users.ts';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { MyReview, Review } from '#contract/reviews/reviews.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { toast } from '#web/ui/toast.ts';
import { ReviewItem } from './review-list.tsx';

const ReviewDialog = lazyPart(async () => (await import('./review-dialog.tsx')).ReviewDialog);

/** The target of review mails and of the order page. */
export const WRITE_HASH = '#write-review';

/** A login that returns to a part of the product page. */
export const loginPath = ({ _id }: Pick<Product, '_id'>, hash: string): string =>
  `/login?redirect=${encodeURIComponent(`product/${_id}${hash}`)}`;

interface OwnReviewProps {
  product: Pick<Product, '_id' | 'name'>;
  user: Session | null;
  /** Undefined until it is loaded. */
  mine: MyReview | undefined;
  /** The visitor's review is on the page of reviews beside it, and is not repeated. */
  isListed: boolean;
  /** The visitor's review was written, changed or deleted. */
  onChange: () => void;
}

/** What the visitor may do: log in, write, change or delete a review, or read who may write one. */
export function OwnReview({ product, user, mine, isListed, onChange }: OwnReviewProps) {
  return (
    <div id={WRITE_HASH.slice(1)} className="grid scroll-mt-28 justify-items-start gap-3">
      {!user && (
        <p className="text-sm text-soft">
          Bought one?{' '}
          <Link to={loginPath(product, WRITE_HASH)} className="link">
            Tell others how it is
          </Link>
          .
        </p>
      )}
      {user && mine?.mayReview && <WriteButton product={product} owner={user._id} onWritten={onChange} />}
      {user && mine?.review && (
        <WrittenReview product={product} owner={user._id} review={mine.review} isListed={isListed} onChange={onChange} />
      )}
      {user && mine && !mine.mayReview && !mine.review && (
        <p className="text-sm text-soft">Only customers who have received this piece can review it.</p>
      )}
    </div>
  );
}

interface WriteButtonProps extends Pick<OwnReviewProps, 'product'> {
  owner: string;
  /** Undefined for a new review. */
  review?: Review;
  onWritten: () => void;
}

/** The button that opens the form; a mail's link opens it too. */
function WriteButton({ product, owner, review, onWritten }: WriteButtonProps) {
  const { hash } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (hash === WRITE_HASH && !review) setIsOpen(true);
  }, [hash, review]);
  const close = () => setIsOpen(false);
  const finish = () => {
    close();
    toast.success(review ? 'Your review has been updated.' : 'Thank you for your review.');
    onWritten();
  };
  return (
    <>
      <Button look={review ? 'secondary' : 'primary'} onClick={() => setIsOpen(true)}>
        {review ? 'Change my review' : 'Write a review'}
      </Button>
      {isOpen && <ReviewDialog product={product} owner={owner} review={review} onClose={close} onWritten={finish} />}
    </>
  );
}

interface WrittenReviewProps extends Pick<OwnReviewProps, 'product' | 'isListed' | 'onChange'> {
  owner: string;
  review: NonNullable<MyReview['review']>;
}

/** The visitor's review, and buttons to change or delete it. */
function WrittenReview({ product, owner, review, isListed, onChange }: WrittenReviewProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const [isConfirming, setIsConfirming] = useState(false);
  const remove = () =>
    run('delete', async () => {
      await dispatch(request('DELETE /api/reviews/:id', { params: { id: review._id } }));
      toast.success('Your review was deleted.');
      onChange();
    });
  return (
    <div className="panel grid w-full gap-3">
      <p className="font-semibold">Your review</p>
      {review.hiddenReason === '' && <Alert tone="note">Thank you. Your review appears here once we have read it.</Alert>}
      {review.hiddenReason && <Alert tone="note">We do not show this review. The reason: {review.hiddenReason}</Alert>}
      {!isListed && <ReviewItem review={review} />}
      {error && <Alert>{error}</Alert>}
      <p className="flex flex-wrap gap-3">
        {isConfirming ? (
          <>
            <Button look="danger" pending={pending !== ''} onClick={remove}>
              Delete it for good
            </Button>
            <Button look="secondary" autoFocus onClick={() => setIsConfirming(false)}>
              Keep it
            </Button>
          </>
        ) : (
          <>
            <WriteButton product={product} owner={owner} review={review} onWritten={onChange} />
            <Button look="secondary" onClick={() => setIsConfirming(true)}>
              Delete my review
            </Button>
          </>
        )}
      </p>
    </div>
  );
}
