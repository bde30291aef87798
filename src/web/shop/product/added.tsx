import type { Market } from '#contract/market/market.ts';
import { type CartItem, itemAdded, selectSubtotal } from '#web/state/cart.slice.ts';
import type { AppStore } from '#web/state/store.ts';
import { Picture } from '#web/ui/picture.tsx';
import { showContent } from '#web/ui/toaster.tsx';

/** What the page says once something is in the cart. */
export interface News {
  said: string;
  /** What became of the line that was there before, and how to have it back. */
  replaced?: string | undefined;
  undo?: () => void;
}

interface Added {
  item: CartItem;
  before: CartItem | undefined;
  store: AppStore;
  market: Market;
  navigate: (to: string) => unknown;
  setNews: (news: News) => void;
}

const choiceText = ({ size, colourName }: CartItem) => [size, colourName].filter(Boolean).join(', ') || 'what you had chosen';

/** A product has one line in the cart (specification §4): another size or colour replaces it. Only what differs is named. */
function replacedText(before: CartItem | undefined, { size, colourName, color, ...item }: CartItem): string | undefined {
  if (!before || (before.size === size && before.color === color)) return undefined;
  const now = { size, colourName, color, ...item };
  if (before.color === color && before.size && size) return `Replaced ${before.size} with ${size}`;
  if (before.size === size && before.colourName && colourName) return `Replaced ${before.colourName} with ${colourName}`;
  return `Replaced ${choiceText(before)} with ${choiceText(now)}`;
}

function addedText(item: CartItem, before: CartItem | undefined): string {
  const text = [item.name, item.size, item.colourName].filter(Boolean).join(', ');
  return before && before.qty !== item.qty ? `${text} is in your cart: now ${item.qty}, before ${before.qty}.` : `${text} is in your cart.`;
}

/** In the toast: what the page's live region says is for the eyes only here, so that it is not read out twice. */
function AddedToast({
  text,
  replaced,
  undo,
  item,
  market,
  store,
  onView,
}: News & Pick<Added, 'item' | 'market' | 'store'> & { text: string; onView: () => void }) {
  const subtotal = selectSubtotal(store.getState());
  return (
    <div className="grid grid-cols-[3.5rem_1fr] gap-3 text-sm">
      <Picture src={item.picture ?? item.image} alt="" sizes="3.5rem" className="rounded-soft" />
      <div className="grid content-start gap-1">
        <p aria-hidden="true" className="font-semibold">
          {text}
        </p>
        {replaced && (
          <p>
            <span aria-hidden="true">{replaced}</span>
            {' · '}
            <button type="button" className="link" onClick={undo}>
              Undo
            </button>
          </p>
        )}
        <p>{`${item.qty} × ${market.shopPrice(item.price)}. Subtotal ${market.shopPrice(subtotal)}`}</p>
        <a
          href="/cart"
          className="link font-semibold"
          onClick={(event) => {
            event.preventDefault();
            onView();
          }}
        >
          View cart
        </a>
      </div>
    </div>
  );
}

/** Says what is in the cart now: once to those who listen, on the page what was replaced, and in a toast until the line is gone. */
export function announce({ item, before, store, market, navigate, setNews }: Added): void {
  const text = addedText(item, before);
  const replaced = replacedText(before, item);
  const close = showContent(
    <AddedToast {...{ text, item, market, store, replaced, said: text }} undo={() => undo()} onView={() => void navigate('/cart')} />,
    () => unsubscribe(),
  );
  const undo = () => {
    if (before) store.dispatch(itemAdded(before));
    close();
    setNews({ said: `${[item.name, before?.size, before?.colourName].filter(Boolean).join(', ')} is in your cart again.` });
  };
  const unsubscribe = store.subscribe(() => {
    // The cart page says it all itself.
    if (location.pathname === '/cart' || !store.getState().cart.items.some(({ _id }) => _id === item._id)) close();
  });
  setNews({ said: [text, replaced && `${replaced}.`].filter(Boolean).join(' '), replaced, undo });
}
