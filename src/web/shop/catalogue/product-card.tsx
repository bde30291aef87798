import { useContext, useState } from 'react';
import { Link } from 'react-router';
import { type ProductCard as Card, LOW_STOCK } from '#contract/catalogue/catalogue.ts';
import { MEASUREMENTS_KEY, useIsStored } from '#web/browser/browser-storage.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { priceText } from '#web/parts/price-text.ts';
import { ProductStars } from '#web/parts/product-stars.tsx';
import { MarketContext } from '#web/state/store.ts';
import { Picture } from '#web/ui/picture.tsx';
import { CardCarousel } from './card-carousel.tsx';

const FitsBadge = lazyPart(async () => (await import('#web/shop/fit/fits-badge.tsx')).FitsBadge);

interface ProductCardProps {
  product: Card;
  sizes: string;
  /** Among the first pictures of the page. */
  priority?: boolean;
  /** Moves on by itself every 3 s; never where less motion is wished. */
  autoplay?: boolean;
  /** Level of the name's heading: 2 under the page's title, 3 under a section's. */
  level?: 2 | 3;
}

/** How much there is, in words; nothing to say while there is plenty. */
function stockText(count: number): string | undefined {
  if (count === 0) return 'Sold out';
  return count <= LOW_STOCK ? `Only ${count} left` : undefined;
}

const some = (count: number, what: string) => (count > 1 ? [`${count}\u00a0${what}`] : []);

/** A product in a grid: pictures, name, price, stars. A tap anywhere opens the product; the other pictures come with the first sign of interest. */
export function ProductCard({ product, sizes, priority = false, autoplay = false, level = 2 }: ProductCardProps) {
  const market = useContext(MarketContext);
  const Heading = `h${level}` as const;
  const [isWanted, setIsWanted] = useState(false);
  const { _id, name, images, rating, reviewCount, isNewArrival, piecesLeft, dimensions } = product;
  const isMeasured = useIsStored(MEASUREMENTS_KEY);
  const stock = stockText(piecesLeft);
  const choices = [...some(product.sizeCount, 'sizes'), ...some(product.colourCount, 'colours')].join(', ');
  const want = () => setIsWanted(true);
  return (
    <article className="group relative" onPointerEnter={want} onTouchStart={want} onFocus={want}>
      <div className="relative overflow-hidden rounded-card bg-stage">
        {images.length > 1 ? (
          <CardCarousel {...{ images, name, sizes, priority, autoplay, isWanted }} to={`/product/${_id}`} />
        ) : (
          <Picture src={images[0] ?? ''} alt="" sizes={sizes} priority={priority} />
        )}
        <div className="pointer-events-none absolute left-3 top-3 z-2 flex flex-wrap gap-2">
          {isNewArrival && <span className="rounded-soft bg-accent px-2 py-0.5 text-sm font-semibold text-page">New!</span>}
          {isMeasured && <FitsBadge dimensions={dimensions} />}
        </div>
      </div>
      <div className="mt-3 grid gap-0.5">
        <Heading className="text-base leading-snug">
          <Link to={`/product/${_id}`} className="after:absolute after:inset-0 hover:underline hover:underline-offset-4">
            {name}
          </Link>
        </Heading>
        <p className="font-semibold">{priceText(market, product)}</p>
        <p className="flex flex-wrap items-center gap-x-3">
          <ProductStars rating={rating} reviewCount={reviewCount} />
          {stock && <span className="text-sm font-medium text-clay">{stock}</span>}
        </p>
        {choices && <p className="text-sm text-soft">{choices}</p>}
      </div>
    </article>
  );
}
