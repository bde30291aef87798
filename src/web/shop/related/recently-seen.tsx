import { useEffect } from 'react';
import { Link } from 'react-router';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { pathWith, variantName } from '#contract/catalogue/variant.ts';
import { noteSeen, seenPieces } from '#web/browser/recently-seen.ts';
import { useKept } from '#web/browser/stored-value.ts';
import type { Choice } from '#web/shop/product/use-choice.ts';
import { Button } from '#web/ui/button.tsx';
import { Picture } from '#web/ui/picture.tsx';

/**
 * Pieces viewed before in this browser, which never leave it; hidden while empty. Last on the page and of constant height, so nothing
 * shifts.
 */
export function RecentlySeen({ product, choice }: { product: Product; choice: Choice }) {
  const { _id, images } = product;
  const name = variantName(product.name, choice.named);
  const isNamed = name !== product.name;
  const image = images[isNamed ? choice.picture : 0] ?? '';
  const variant = isNamed ? choice.parameters : undefined;
  const pieces = (useKept(seenPieces) ?? []).filter((piece) => piece._id !== _id);
  useEffect(() => noteSeen({ _id, name, image, variant }), [_id, name, image, variant]);
  return (
    <section
      aria-labelledby="recently-seen"
      className={`grid h-64 grid-cols-1 content-start gap-3 border-t border-line pt-8 noscript:hidden ${pieces.length === 0 ? 'hidden' : ''}`}
    >
      <div className="flex min-h-target items-center justify-between gap-4">
        <h2 id="recently-seen">Recently viewed</h2>
        {pieces.length > 0 && (
          <Button look="quiet" onClick={() => seenPieces.write(undefined)}>
            Clear
          </Button>
        )}
      </div>
      {pieces.length > 0 && (
        <ul
          aria-label="Recently viewed"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          tabIndex={0}
          className="relative grid auto-cols-[6.5rem] grid-flow-col justify-start gap-3 overflow-x-auto pb-2"
        >
          {pieces.map((piece) => (
            <li key={piece._id}>
              <Link to={pathWith(piece._id, piece.variant)} className="group grid gap-1 text-sm">
                <Picture src={piece.image} alt="" sizes="6.5rem" className="rounded-soft" />
                <span className="truncate group-hover:underline">{piece.name}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
