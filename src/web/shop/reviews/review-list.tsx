import { BadgeCheck } from 'lucide';
import type { ReactNode } from 'react';
import { useContext } from 'react';
import { shopDate } from '#contract/market/shop-time.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { CompanyContext } from '#web/state/store.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Stars } from '#web/ui/stars.tsx';

/** A review's pictures; each opens in full in a new tab. */
function ReviewPictures({ images, author }: Pick<Review, 'images' | 'author'>) {
  if (images.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2">
      {images.map((image, index) => (
        <li key={image} className="w-20 sm:w-24">
          <a href={image} target="_blank" rel="noopener" className="block overflow-hidden rounded-soft">
            <Picture src={image} alt={`Picture ${index + 1} of ${images.length} by ${author}, opens in a new tab`} sizes="6rem" />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Reply({ reply, repliedAt }: Pick<Review, 'reply' | 'repliedAt'>) {
  const { shop } = useContext(CompanyContext);
  if (!reply || !repliedAt) return null;
  return (
    <div className="border-l-2 border-accent pl-4">
      <p className="text-sm font-semibold">
        {shop} answered on <time dateTime={repliedAt}>{shopDate(repliedAt)}</time>
      </p>
      <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
        {reply}
      </p>
    </div>
  );
}

/** `children` stand below the review. */
export function ReviewItem({ review, children }: { review: Review; children?: ReactNode }) {
  const { rating, text, author, variant, createdAt } = review;
  return (
    <article className="grid gap-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars rating={rating} />
        <h3 className="font-sans font-semibold" dir="auto">
          {author}
        </h3>
        <p className="inline-flex items-center gap-1 text-sm text-good">
          <Icon of={BadgeCheck} className="size-4" /> Verified purchase
        </p>
        <time dateTime={createdAt} className="text-sm text-soft">
          {shopDate(createdAt)}
        </time>
      </div>
      {variant && <p className="text-sm text-soft">Bought: {variant}</p>}
      {text && (
        <p dir="auto" className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">
          {text}
        </p>
      )}
      <ReviewPictures {...review} />
      <Reply {...review} />
      {children}
    </article>
  );
}
