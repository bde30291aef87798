import { useEffect } from 'react';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { variantName } from '#contract/catalogue/variant.ts';
import { noteSeen, seenPieces } from '#web/browser/recently-seen.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import type { Choice } from '#web/shop/product/use-choice.ts';

const RecentPieces = lazyPart(async () => (await import('./recent-pieces.tsx')).RecentPieces);

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
  const pieces = (useStoredValue(seenPieces) ?? []).filter((piece) => piece._id !== _id);
  useEffect(() => noteSeen({ _id, name, image, variant }), [_id, name, image, variant]);
  return (
    <section
      aria-labelledby="recently-seen"
      className={`h-64 border-t border-line pt-8 noscript:hidden ${pieces.length === 0 ? 'hidden' : ''}`}
    >
      {pieces.length > 0 && <RecentPieces pieces={pieces} />}
    </section>
  );
}
