import { ThumbsUp } from 'lucide';
import { useState } from 'react';
import type { Session } from '#contract/accounts/users.ts';
import type { Product } from '#contract/catalogue/catalogue.ts';
import type { Review, Vote } from '#contract/reviews/reviews.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { loginPath } from './own-review.tsx';

interface HelpfulProps {
  product: Pick<Product, '_id'>;
  review: Review;
  user: Session | null;
  /** Whether this account has voted. */
  isHelpful: boolean;
}

const wordsOf = (helpful: number) =>
  helpful === 0 ? '' : helpful === 1 ? '1 person found this helpful.' : `${helpful} people found this helpful.`;

/** The number of helpful votes, and a button to vote or to take the vote back. A vote from here is newer than the loaded one. */
export function Helpful({ product, review, user, isHelpful: before }: HelpfulProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const [vote, setVote] = useState<Vote>();
  const [asksLogin, setAsksLogin] = useState(false);
  const { helpful, isHelpful } = vote ?? { helpful: review.helpful, isHelpful: before };
  const press = () => {
    if (!user) return setAsksLogin(true);
    run('vote', async () =>
      setVote(await dispatch(request('PUT /api/reviews/:id/vote', { params: { id: review._id }, body: { isHelpful: !isHelpful } }))),
    );
  };
  return (
    <div className="grid justify-items-start gap-2">
      <p className="flex flex-wrap items-center gap-x-4 text-sm text-soft">
        <button
          type="button"
          aria-pressed={isHelpful}
          aria-label={`Helpful: the review by ${review.author}`}
          className={`btn btn-secondary px-3 text-sm noscript:hidden ${isHelpful ? 'border-accent bg-accent-tint' : ''}`}
          onClick={pending ? undefined : press}
        >
          <Icon of={ThumbsUp} className="size-4" /> Helpful
        </button>
        <span role="status">{wordsOf(helpful)}</span>
      </p>
      {asksLogin && !user && (
        <Alert tone="note">
          <Link to={loginPath(product, '#reviews')} className="link">
            Log in
          </Link>{' '}
          to say that a review helped you.
        </Alert>
      )}
      {error && <Alert>{error}</Alert>}
    </div>
  );
}
