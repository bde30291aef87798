import { useLoaderData } from 'react-router';
import type { ProductCard } from '#contract/catalogue/catalogue.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { keptWishes } from '#web/browser/wishes.ts';
import { Recommended } from '#web/shop/related/recommended.tsx';
import { RecommendedRow } from '#web/shop/related/recommended-row.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { SavedForLater } from './cart.tsx';

/** What stands in place of a cart's lines. */
export function EmptyCart() {
  const pieces = useLoaderData<ProductCard[] | null>();
  const isSaved = (useStoredValue(keptWishes)?.wishes.length ?? 0) > 0;
  return (
    <>
      <div className="mt-6 grid grid-cols-1 justify-items-start gap-5">
        <p className="text-heading">Your shopping cart is currently empty.</p>
        <ButtonLink to="/newarrivals" className="mb-6">
          See new arrivals
        </ButtonLink>
        {pieces ? <RecommendedRow pieces={pieces} /> : <Recommended />}
      </div>
      {isSaved && <SavedForLater />}
    </>
  );
}
