import { useContext } from 'react';
import { useStore } from 'react-redux';
import { productPath, variantName, variantText } from '#contract/catalogue/variant.ts';
import { wishKey } from '#contract/wishlist/wish-key.ts';
import type { WishPiece } from '#contract/wishlist/wishlist.ts';
import { saveWish, wishMatches } from '#web/browser/wishes.ts';
import { ProductStars } from '#web/parts/product-stars.tsx';
import { stockText } from '#web/parts/stock-text.ts';
import { WasPrice } from '#web/parts/was-price.tsx';
import { itemAdded } from '#web/state/cart.slice.ts';
import { choiceOf, lineOf, nameOf, wishOf } from '#web/state/piece-line.ts';
import { type AppStore, MarketContext } from '#web/state/store.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { toast } from '#web/ui/toast.ts';
import { followWishes } from './follow-wishes.ts';
import { HeartButton } from './heart-button.tsx';

/** Adds a piece to the cart. The cart has one line for each product: another choice of it becomes a wish. */
function addToCart(store: AppStore, piece: WishPiece, onAdded: ((piece: WishPiece) => void) | undefined): string {
  const line = lineOf(piece);
  const before = store.getState().cart.items.find(({ _id }) => _id === piece._id);
  const isReplaced = before !== undefined && !wishMatches(wishOf(before), wishOf(line));
  store.dispatch(itemAdded(before && !isReplaced ? { ...line, qty: before.qty } : line));
  // First, since it may free a place on a full list.
  onAdded?.(piece);
  const message = `${variantName(piece.name, choiceOf(piece))} is in your cart.`;
  if (!isReplaced) return message;
  if (saveWish(wishOf(before)) === 'full') return `${message} It replaced ${nameOf(before)}.`;
  followWishes(store);
  return `${message} ${nameOf(before)} is on your wish list now.`;
}

/** Adds a piece to the cart, or links to its page to choose a size. */
function Buy({ piece, label, onAdded }: { piece: WishPiece; label: string; onAdded?: ((piece: WishPiece) => void) | undefined }) {
  const store = useStore() as AppStore;
  const { name, isSold: canBuy, needsSize } = piece;
  if (!canBuy) return null;
  if (needsSize)
    return (
      <ButtonLink look="secondary" to={productPath(piece._id, piece.chosen)} aria-label={`Choose a size of ${name}`}>
        Choose a size
      </ButtonLink>
    );
  const add = () => toast.success(addToCart(store, piece, onAdded));
  return (
    <Button look="secondary" className="noscript:hidden" aria-label={`${label}: ${name}`} onClick={add}>
      {label}
    </Button>
  );
}

interface WishCardsProps {
  pieces: readonly WishPiece[];
  /** The list's accessible name. */
  label: string;
  /** The label of the cart button. */
  action?: string;
  onAdded?: (piece: WishPiece) => void;
  level?: 2 | 3;
}

/** Saved variants with today's price and stock. */
export function WishCards({ pieces, label, action = 'Add To Cart', onAdded, level = 2 }: WishCardsProps) {
  const market = useContext(MarketContext);
  const Heading = `h${level}` as const;
  return (
    <ul aria-label={label} className="-mb-8 grid grid-cols-2 gap-x-4 md:-mb-12 md:grid-cols-4 md:gap-x-6">
      {pieces.map((piece) => {
        const { _id, name, picture, price, wasPrice, isFrom, chosen, wish } = piece;
        const stock = stockText(piece.piecesLeft);
        return (
          // In rows of the whole list, so that prices and buttons are level whatever stands above them.
          <li key={wishKey(wish)} className="relative row-span-5 grid grid-cols-1 grid-rows-subgrid pb-8 md:pb-12">
            <Link to={productPath(_id, chosen)} className="group grid grid-cols-1 content-start gap-3">
              <span className="block overflow-hidden rounded-card bg-stage">
                <Picture src={picture} alt="" sizes="(min-width: 1344px) 19rem, (min-width: 768px) 22vw, 46vw" />
              </span>
              <Heading className="break-words text-base leading-snug group-hover:underline group-hover:underline-offset-4">{name}</Heading>
            </Link>
            <HeartButton
              id={_id}
              name={name}
              size={wish.size ?? undefined}
              color={wish.color ?? undefined}
              isExact
              className="absolute right-1 top-1"
            />
            <p className="text-sm text-soft">{variantText(choiceOf(piece))}</p>
            <p className="flex flex-wrap items-baseline gap-x-2 font-semibold">
              {isFrom && 'from '}
              {market.shopPrice(price)}
              <WasPrice price={wasPrice} />
            </p>
            <p className="flex flex-wrap items-center gap-x-3">
              <ProductStars rating={piece.rating} reviewCount={piece.reviewCount} />
              {stock && <span className="text-sm font-medium text-clay">{stock}</span>}
            </p>
            <div className="grid content-start pt-3">
              <Buy piece={piece} label={action} onAdded={onAdded} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
