import { useEffect } from 'react';
import { Link } from 'react-router';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { noteSeen, seenPieces } from '#web/browser/recently-seen.ts';
import { useKept } from '#web/browser/stored-value.ts';
import { Button } from '#web/ui/button.tsx';
import { Picture } from '#web/ui/picture.tsx';

/**
 * Pieces viewed before in this browser, which never leave it; hidden while empty. Last on the page and of constant height, so nothing
 * shifts.
 */
export function RecentlySeen({ product }: { product: Pick<Product, '_id' | 'name' | 'images'> }) {
  const { _id, name, images } = product;
  const [image = ''] = images;
  const pieces = (useKept(seenPieces) ?? []).filter((piece) => piece._id !== _id);
  useEffect(() => noteSeen({ _id, name, image }), [_id, name, image]);
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
              <Link to={`/product/${piece._id}`} className="group grid gap-1 text-sm">
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
