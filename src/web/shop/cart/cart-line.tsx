import { useContext } from 'react';
import { productPathOf } from '#contract/catalogue/variant.ts';
import { MAX_QUANTITY, MAX_QUANTITY_TEXT } from '#contract/platform/limits.ts';
import { WasPrice } from '#web/parts/was-price.tsx';
import { type CartItem, quantityChanged } from '#web/state/cart.slice.ts';
import { MarketContext, useAppDispatch } from '#web/state/store.ts';
import { Stepper } from '#web/ui/form/stepper.tsx';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { LineNote } from './line-note.tsx';
import { PartsOfLine } from './parts-of-line.tsx';
import type { LineState } from './use-checked-cart.ts';

interface CartLineProps {
  item: CartItem;
  state: LineState | undefined;
  onRemove: () => void;
  /** Moves the line to the wish list. */
  onSave: () => void;
}

export function CartLine({ item, state, onRemove, onSave }: CartLineProps) {
  const market = useContext(MarketContext);
  const dispatch = useAppDispatch();
  const { _id, name, image, picture = image, price, qty, size, colourName, variant } = item;
  // At least 1, the least quantity of a line: a note says if none is left.
  const available = state?.isSold ? Math.max(state.available, 1) : MAX_QUANTITY;
  const limit = Math.min(MAX_QUANTITY, available);
  const to = productPathOf(_id, variant);
  const choice = [size, colourName].filter(Boolean).join(', ');
  return (
    <li className="grid grid-cols-[6rem_1fr] gap-4 border-t border-line py-5 sm:grid-cols-[8rem_1fr]">
      <Link to={to} tabIndex={-1} aria-hidden="true">
        <Picture src={picture} alt="" sizes="8rem" className="rounded-soft" />
      </Link>
      <div className="grid content-start gap-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <Link to={to} className="link inline-flex min-h-target items-center font-display text-lg">
            {name}
          </Link>
          <p className="font-semibold">{market.shopPrice(price * qty)}</p>
        </div>
        <p className="text-sm text-soft">
          {[choice, qty > 1 && `${market.shopPrice(price)} each`].filter(Boolean).join(', ')} <WasPrice price={state?.wasPrice} />
        </p>
        <PartsOfLine state={state} />
        <div className="flex flex-wrap items-center gap-2 sm:gap-4">
          <Stepper name={name} value={qty} max={limit} onChange={(next) => dispatch(quantityChanged({ _id, qty: next }))} />
          <div className="-ml-1.25 flex flex-wrap gap-x-3 sm:ml-0 sm:gap-x-4">
            <button type="button" className="btn btn-quiet px-1 sm:px-3" aria-label={`Remove ${name}`} onClick={onRemove}>
              Remove
            </button>
            <button type="button" className="btn btn-quiet px-1 sm:px-3" aria-label={`Save ${name} for later`} onClick={onSave}>
              Save for later
            </button>
          </div>
        </div>
        {state?.note ? (
          <LineNote id={_id} state={state} />
        ) : (
          qty >= limit && state && <p className="hint">{limit === MAX_QUANTITY ? MAX_QUANTITY_TEXT : `We have ${limit} in stock.`}</p>
        )}
      </div>
    </li>
  );
}
