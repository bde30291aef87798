import { useContext } from 'react';
import type { LinkedPiece } from '#contract/catalogue/catalogue.ts';
import { priceText } from '#web/parts/price-text.ts';
import { ProductStars } from '#web/parts/product-stars.tsx';
import { WasPrice } from '#web/parts/was-price.tsx';
import { MarketContext } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';

/** A piece in a row: picture, name, price, stars. */
export function PieceLink({ piece, priority = false }: { piece: LinkedPiece; priority?: boolean }) {
  const market = useContext(MarketContext);
  const { _id, name, images, rating, reviewCount } = piece;
  return (
    <Link to={`/product/${_id}`} className="group grid grid-cols-1 gap-1.5">
      <span className="block overflow-hidden rounded-card bg-stage">
        {/* Lazy also on the first screen: the cart's row is hidden where the cart has lines, and is not loaded then. */}
        <Picture src={images[0] ?? ''} alt="" sizes="(min-width: 1024px) 18rem, 45vw" priority={priority} loading="lazy" />
      </span>
      <span className="break-words font-medium leading-snug group-hover:underline">{name}</span>
      <span className="flex flex-wrap items-center gap-x-3">
        {priceText(market, piece)} <WasPrice price={piece.wasPrice} />
      </span>
      {/* On a line of their own: beside the price they would wrap in some pieces of a row and not in others. */}
      <span className="flex flex-wrap items-center gap-x-3">
        <ProductStars rating={rating} reviewCount={reviewCount} />
      </span>
    </Link>
  );
}

interface RowProps {
  label: string;
  pieces: LinkedPiece[];
  /** The number of pictures on the first screen. */
  first?: number;
}

/**
 * A horizontally scrolling row of pieces, focusable for the arrow keys. Positioned, so that visually hidden text inside does not widen the
 * page.
 */
export function PieceRow({ label, pieces, first = 0 }: RowProps) {
  return (
    <ul
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="relative grid snap-x snap-proximity auto-cols-[42%] grid-flow-col gap-4 overflow-x-auto pb-3 sm:auto-cols-[30%] lg:auto-cols-[22%]"
    >
      {pieces.map((piece, index) => (
        <li key={piece._id} className="snap-start">
          <PieceLink piece={piece} priority={index < first} />
        </li>
      ))}
    </ul>
  );
}
