import { useContext, useEffect, useRef, useState } from 'react';
import { LOW_STOCK, type Product, piecesLeft } from '#contract/catalogue/catalogue.ts';
import { variantText } from '#contract/catalogue/variant.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { hasLeadTime } from '#contract/delivery/lead-time.ts';
import { isCarriedByTwo } from '#contract/delivery/two-person-delivery.ts';
import { walletsOf } from '#contract/market/payment-ways.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { MAX_QUANTITY, MAX_QUANTITY_TEXT } from '#contract/platform/limits.ts';
import { CallUs } from '#web/parts/call-us.tsx';
import { Instalments } from '#web/parts/instalments.tsx';
import { ProductStars } from '#web/parts/product-stars.tsx';
import { WasPrice } from '#web/parts/was-price.tsx';
import { Arrival } from '#web/shop/delivery/arrival.tsx';
import { useDelivery, usePlace } from '#web/shop/delivery/use-delivery.ts';
import { Heart } from '#web/shop/wishlist/heart.tsx';
import { CompanyContext, DeliveryContext, MarketContext } from '#web/state/store.ts';
import { Button } from '#web/ui/button.tsx';
import { Stepper } from '#web/ui/form/stepper.tsx';
import { ColourChoice } from './colour-choice.tsx';
import { PlaceQuestion, Sections, SetParts, SoldOut } from './lazy-parts.tsx';
import { SizeChoice } from './size-choice.tsx';
import { useAdd } from './use-add.ts';
import type { Choice } from './use-choice.ts';

/** The stock in words. With sizes, the size choice shows it. */
function stockText({ sizes }: Product, available: number, isHeld: boolean): string | undefined {
  if (sizes.length > 0) return isHeld ? 'Held for you while you pay' : undefined;
  if (available <= 0) return 'Out of stock';
  return `${available <= LOW_STOCK ? `Only ${available} left` : 'In stock'}${isHeld ? ', held for you while you pay' : ''}`;
}

interface PurchaseProps {
  product: Product;
  choice: Choice;
}

/** Once the bar has scrolled under the header, it stays at the foot of a phone's screen, and a space of its height keeps its place in the page. */
function useBuyBar() {
  const bar = useRef<HTMLDivElement>(null);
  const space = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    // While the bar is at the foot, the space stands for it in the page.
    const inPage = height > 0 ? space.current : bar.current;
    if (!inPage) return;
    const header = document.querySelector('header')?.offsetHeight ?? 0;
    const observer = new IntersectionObserver(
      ([entry]) => {
        const isPast = entry !== undefined && entry.boundingClientRect.top < header;
        setHeight(isPast ? (bar.current?.offsetHeight ?? 0) : 0);
      },
      { rootMargin: `-${header}px 0px 0px`, threshold: [0, 1] },
    );
    observer.observe(inPage);
    return () => observer.disconnect();
  }, [height]);
  return { bar, space, height };
}

/** Quantity and Add To Cart, or “Out of Stock”. */
function Purchase({ product, choice, delivery }: PurchaseProps & { delivery: Delivery | null }) {
  const { available, qty, setQuantity } = choice;
  const { variesByPlace } = useContext(DeliveryContext);
  const { add, notice } = useAdd(product, choice);
  const { bar, space, height } = useBuyBar();
  return (
    <>
      {available > 0 ? (
        <div ref={bar} className={`buy-bar z-10 grid gap-2 ${height > 0 ? 'is-past' : ''}`}>
          <noscript>
            <p>
              To order online, please switch on JavaScript in your browser, or <CallUs />.
            </p>
          </noscript>
          <div className="flex flex-wrap gap-4 noscript:hidden">
            <Stepper name={product.name} value={qty} max={available} onChange={setQuantity} />
            <Button className="flex-1" onClick={add}>
              Add To Cart
            </Button>
          </div>
          {qty === available && (
            <p className="text-sm font-medium text-clay">
              {available === MAX_QUANTITY ? MAX_QUANTITY_TEXT : `Only ${available} in stock.`}
            </p>
          )}
        </div>
      ) : (
        <p className="rounded-soft border border-edge px-4 py-3 text-center font-semibold">Out of Stock</p>
      )}
      {height > 0 && <div ref={space} className="md:hidden" style={{ height }} />}
      {available > 0 && (
        // Under the price on phones, so that the bar at the foot stays low.
        <div className="-mt-2 max-md:-order-1 md:-mt-3">
          <Arrival product={product} subtotal={choice.price * qty} delivery={delivery} />
          {variesByPlace && <PlaceQuestion delivery={delivery} />}
        </div>
      )}
      <p role="status" aria-live="polite" className="sr-only">
        {notice?.text}
      </p>
      {notice?.replaced && (
        <p className="text-sm">
          {notice.replaced} ·{' '}
          <button type="button" className="link" onClick={notice.undo}>
            Undo
          </button>
        </p>
      )}
    </>
  );
}

/** Wallets and instalments, where the owner has set some. */
function PayingOnline({ total }: { total: number }) {
  const { payment } = useContext(CompanyContext);
  const wallets = walletsOf(payment);
  if (wallets.length + payment.instalments.length === 0) return null;
  return (
    <div className="-mt-2 grid gap-1.5">
      <Instalments total={total} />
      {wallets.length > 0 && (
        <p className="text-sm">Pay by {new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(['card', ...wallets])}.</p>
      )}
    </div>
  );
}

/** Beside the pictures: name, price, choices, and the button that puts them into the cart. */
export function BuyBox({ product, choice, isHeld }: PurchaseProps & { isHeld: boolean }) {
  const market = useContext(MarketContext);
  const { name, brand, rating, colors } = product;
  const { size, setSize, chosen, color, setColor, available, qty, price } = choice;
  const sizeIndex = chosen ? product.sizes.indexOf(chosen) : 0;
  const isByTwo =
    product.parts.some((part) => part.isByTwo) ||
    isCarriedByTwo(
      product.dimensions.find(({ position }) => position === sizeIndex),
      product.deliveryClass,
    );
  const delivery = useDelivery(usePlace(), hasLeadTime(product) ? [product] : []);
  const subtotal = price * qty;
  const canBuy = available > 0;
  const stock = stockText(product, available, isHeld);
  return (
    <div className="grid grid-cols-1 content-start gap-4 md:gap-5">
      <div className="relative grid gap-1.5 max-md:-order-2">
        <Heart id={product._id} name={name} size={size} color={color} className="absolute -right-2.5 top-0" />
        <div className="flex flex-wrap items-baseline gap-x-3 pr-12">
          <h1>{name}</h1>
          <p className="text-soft">{variantText(choice.variant)}</p>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1.5 md:flex-col-reverse md:items-start">
          <p className="flex flex-wrap items-baseline gap-x-3 font-display text-title">
            {market.shopPrice(price)}
            <WasPrice price={choice.wasPrice} />
          </p>
          <p className="flex flex-wrap items-center gap-x-4 text-soft">
            {(product.parts.length === 0 || rating > 0) && <ProductStars rating={rating} reviewCount={product.reviewCount} />}{' '}
            <span className="max-md:sr-only">{brand}</span>
          </p>
        </div>
        {choice.wasPrice !== null && product.saleEnds && (
          <p className="text-sm text-soft">
            Sale until {shopTime(product.saleEnds)}. The earlier price is our lowest of the 30 days before it.
          </p>
        )}
        {stock && <p className={`text-sm ${available <= LOW_STOCK ? 'text-clay' : 'text-soft'}`}>{stock}</p>}
      </div>
      <SizeChoice product={product} chosen={size} onChoose={setSize} />
      <ColourChoice colors={colors} chosen={color} onChoose={setColor} />
      {product.parts.length > 0 && <SetParts product={product} />}
      <Purchase product={product} choice={choice} delivery={delivery} />
      {canBuy && <PayingOnline total={subtotal} />}
      {piecesLeft(product) === 0 && <SoldOut product={product} />}
      <Sections product={product} chosen={chosen} color={color} canBuy={canBuy} isByTwo={isByTwo} subtotal={subtotal} delivery={delivery} />
    </div>
  );
}
