import { useContext, useState } from 'react';
import type { ProductCard as Card } from '#contract/catalogue/catalogue.ts';
import { productPath } from '#contract/catalogue/variant.ts';
import { MEASUREMENTS_KEY, useIsStored } from '#web/browser/browser-storage.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { priceText } from '#web/parts/price-text.ts';
import { ProductStars } from '#web/parts/product-stars.tsx';
import { stockText } from '#web/parts/stock-text.ts';
import { WasPrice } from '#web/parts/was-price.tsx';
import { Heart } from '#web/shop/wishlist/heart.tsx';
import { MarketContext } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
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

/** The most colours shown as dots; the others are counted, such as “+2”. */
const MOST_DOTS = 5;

/** The colours to choose from, as dots; their names are read out. */
function ColourDots({ colors }: Pick<Card, 'colors'>) {
  const hexCodes = [...new Set(colors.map(({ hexCode }) => hexCode))];
  const more = hexCodes.length - MOST_DOTS;
  return (
    <span className="inline-flex items-center gap-1">
      <span className="sr-only">
        {colors.length} colours: {colors.map(({ name }) => name).join(', ')}
      </span>
      {hexCodes.slice(0, MOST_DOTS).map((hexCode) => (
        <span
          key={hexCode}
          aria-hidden="true"
          className="size-4 rounded-full border border-edge forced-color-adjust-none"
          style={{ backgroundColor: hexCode }}
        />
      ))}
      {more > 0 && <span aria-hidden="true">+{more}</span>}
    </span>
  );
}

/** A product in a grid: pictures, name, price and stars, of the variant that matches the list, if one does. A tap anywhere opens that variant. */
export function ProductCard({ product, sizes, priority = false, autoplay = false, level = 2 }: ProductCardProps) {
  const market = useContext(MarketContext);
  const Heading = `h${level}` as const;
  const [isTouched, setIsTouched] = useState(false);
  const { _id, rating, reviewCount, isNewArrival, dimensions, sizeCount, colors, variant } = product;
  const { name, piecesLeft } = variant ?? product;
  const images = [...new Set([...(variant?.image ? [variant.image] : []), ...product.images])];
  const to = productPath(_id, variant);
  const isMeasured = useIsStored(MEASUREMENTS_KEY);
  const stock = stockText(piecesLeft);
  const touch = () => setIsTouched(true);
  return (
    <article className="group relative" onPointerEnter={touch} onTouchStart={touch} onFocus={touch}>
      <div className="@container relative overflow-hidden rounded-card bg-stage">
        {images.length > 1 ? (
          <CardCarousel
            key={images[0]}
            images={images}
            name={name}
            sizes={sizes}
            priority={priority}
            autoplay={autoplay}
            isTouched={isTouched}
            to={to}
          />
        ) : (
          <Picture src={images[0] ?? ''} alt="" sizes={sizes} priority={priority} />
        )}
        {/* Beside the heart, or below it where large text leaves no room. */}
        <div className="pointer-events-none absolute left-3 right-13 top-3 z-2 flex flex-wrap gap-2 @max-[7rem]:right-1 @max-[7rem]:top-13">
          {isNewArrival && <span className="rounded-soft bg-accent px-2 py-0.5 text-sm font-semibold text-page">New!</span>}
          {isMeasured && <FitsBadge dimensions={dimensions} />}
        </div>
        <Heart
          id={_id}
          name={name}
          size={variant?.size ?? undefined}
          color={colors.find((colour) => colour.name === variant?.colour)?.hexCode}
          className="absolute right-1 top-1 z-2"
        />
      </div>
      <div className="mt-3 grid gap-0.5">
        <Heading className="text-base leading-snug">
          <Link to={to} className="after:absolute after:inset-0 hover:underline hover:underline-offset-4">
            {name}
          </Link>
        </Heading>
        <p className="flex flex-wrap items-baseline gap-x-2 font-semibold">
          {variant?.price ? market.shopPrice(variant.price) : priceText(market, product)}
          <WasPrice price={(variant ?? product).wasPrice} />
        </p>
        <p className="flex flex-wrap items-center gap-x-3">
          <ProductStars rating={rating} reviewCount={reviewCount} />
          {stock && <span className="text-sm font-medium text-clay">{stock}</span>}
        </p>
        {(sizeCount > 1 || colors.length > 1) && (
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
            {sizeCount > 1 && <span>{sizeCount} sizes</span>}
            {colors.length > 1 && <ColourDots colors={colors} />}
          </p>
        )}
      </div>
    </article>
  );
}
