import { Meta } from '#web/parts/meta.tsx';
import { PieceRow } from '#web/shop/related/piece-link.tsx';
import { Recommended } from '#web/shop/related/recommended.tsx';
import { selectProductDetail } from '#web/state/product-detail.slice.ts';
import { useAppSelector } from '#web/state/store.ts';
import { Alert } from '#web/ui/alert.tsx';
import { ButtonLink } from '#web/ui/button.tsx';

/** Shown for a deleted product: the “not found” texts (specification §2), and products of its category. */
function Gone() {
  const { errorMessage, related } = useAppSelector(selectProductDetail);
  const pieces = related?.instead ?? [];
  return (
    <>
      <Meta title="Page not found" noindex />
      <div className="mb-section grid justify-items-center gap-4 text-center">
        <h1>Sorry, Page not Found</h1>
        <Alert>{errorMessage}</Alert>
        <p className="max-w-prose text-soft">We no longer sell this piece. Have a look at others of its kind.</p>
        <ButtonLink to="/">Back to the home page</ButtonLink>
      </div>
      {pieces.length > 0 ? (
        <section aria-labelledby="instead" className="grid w-full grid-cols-1 gap-4 border-t border-line pt-8">
          <h2 id="instead">More of the same kind</h2>
          <PieceRow label="More of the same kind" pieces={pieces} />
        </section>
      ) : (
        <Recommended />
      )}
    </>
  );
}

/** Shown if a product cannot be loaded: the red alert (specification §2). */
export function NotShown() {
  const { errorMessage, errorStatus, related } = useAppSelector(selectProductDetail);
  if (related?.isGone) return <Gone />;
  return (
    <>
      <Meta title="Product not found" noindex />
      <h1 className="mb-4">This piece cannot be shown</h1>
      <Alert>{errorMessage}</Alert>
      {errorStatus === 404 && <p className="mt-4">Sorry, we no longer sell this piece. Have a look at the rest of the shop.</p>}
      <ButtonLink to="/shop" className="mt-6 mb-section">
        All Products
      </ButtonLink>
      <Recommended />
    </>
  );
}
