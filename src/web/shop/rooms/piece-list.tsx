import { useContext, useEffect, useRef, useState } from 'react';
import type { RoomPiece } from '#contract/catalogue/catalogue.ts';
import { productPath, variantText } from '#contract/catalogue/variant.ts';
import { itemAdded, selectCart } from '#web/state/cart.slice.ts';
import { choiceOf, lineOf } from '#web/state/piece-line.ts';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';

/** The spot of a piece on its room's picture, which is as wide as `--w` and as high as `--h`. */
function Spot({ x, y }: Pick<RoomPiece, 'x' | 'y'>) {
  return (
    <span
      aria-hidden="true"
      className="-translate-1/2 absolute grid size-11 place-items-center rounded-full group-focus-visible:outline-3 group-focus-visible:outline-page"
      style={{ left: `calc(var(--w) * ${x / 100})`, top: `calc(var(--h) * ${y / 100})` }}
    >
      <span className="size-4 rounded-full border-4 border-page bg-accent shadow transition-transform group-hover:scale-150 group-focus-visible:scale-150" />
    </span>
  );
}

/**
 * One link per piece: list entry and spot on the picture. Hovering one highlights the other; keyboard and screen readers meet each piece once.
 */
function Entry({ piece, isInCart }: { piece: RoomPiece; isInCart: boolean }) {
  const market = useContext(MarketContext);
  const { _id, name, price, picture, isSold, chosen } = piece;
  const note = [variantText(choiceOf(piece)), !isSold && 'sold out', isInCart && 'in your cart'].filter(Boolean).join(', ');
  return (
    <li className="border-b border-line">
      <Link to={productPath(_id, chosen)} className="group grid min-h-16 grid-cols-[2.75rem_1fr] items-center gap-x-4 py-2">
        <Picture src={picture} alt="" sizes="2.75rem" most={160} className="rounded-soft" />
        {/* Large text leaves the price a line of its own. */}
        <span className="flex flex-wrap items-center gap-x-4">
          <span className="flex-1 basis-24 leading-snug">
            <span className="font-medium group-hover:underline">{name}</span>
            {note && <span className="block text-sm text-soft first-letter:uppercase">{note}</span>}
          </span>
          <span>{market.shopPrice(price)}</span>
        </span>
        <Spot {...piece} />
      </Link>
    </li>
  );
}

interface AddAllProps {
  /** The pieces that can be added. */
  pieces: readonly RoomPiece[];
  hasSomeInCart: boolean;
}

/** Adds pieces to the cart, in the variants that the list names; a link to the cart once all are in it. */
function AddAll({ pieces, hasSomeInCart }: AddAllProps) {
  const market = useContext(MarketContext);
  const dispatch = useAppDispatch();
  const [added, setAdded] = useState(0);
  const link = useRef<HTMLAnchorElement>(null);
  const count = pieces.length;
  const sum = pieces.reduce((total, { price }) => total + price, 0);
  const add = () => {
    for (const piece of pieces) dispatch(itemAdded(lineOf(piece)));
    setAdded(count);
  };
  const isDone = added > 0 && count === 0;
  // The link replaces the button that had the focus.
  useEffect(() => {
    if (isDone) link.current?.focus();
  }, [isDone]);
  return (
    <div className="mt-4 grid gap-2 noscript:hidden">
      {count > 0 && (
        <Button onClick={add}>
          {count === 1 ? 'Add it to cart' : `Add all ${count} to cart`}, {market.shopPrice(sum)}
        </Button>
      )}
      {count === 0 && hasSomeInCart && (
        <ButtonLink ref={link} to="/cart">
          View cart
        </ButtonLink>
      )}
      <p role="status" className="min-h-6 text-sm">
        {isDone && (added === 1 ? 'It is in your cart.' : `${added} pieces are in your cart.`)}
      </p>
    </div>
  );
}

interface PieceListProps {
  pieces: readonly RoomPiece[];
  /** The id of the heading that names the list. */
  labelledBy: string;
}

/** A room's pieces with their prices, and all of them for the cart. */
export function PieceList({ pieces, labelledBy }: PieceListProps) {
  const { items } = useAppSelector(selectCart);
  const isInCart = ({ _id }: RoomPiece) => items.some((item) => item._id === _id);
  return (
    <div>
      <ul aria-labelledby={labelledBy}>
        {pieces.map((piece) => (
          <Entry key={piece._id} piece={piece} isInCart={isInCart(piece)} />
        ))}
      </ul>
      <AddAll pieces={pieces.filter((piece) => piece.isSold && !isInCart(piece))} hasSomeInCart={pieces.some(isInCart)} />
    </div>
  );
}
