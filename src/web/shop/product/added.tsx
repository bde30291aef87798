import type { ShopDelivery } from '#contract/delivery/methods.ts';
import type { Market } from '#contract/market/market.ts';
import { cartDiscount } from '#web/browser/cart-discount.ts';
import { freeDeliveryText } from '#web/shop/delivery/free-delivery.tsx';
import { type CartItem, itemAdded, selectSubtotal } from '#web/state/cart.slice.ts';
import { nameOf } from '#web/state/piece-line.ts';
import type { AppStore } from '#web/state/store.ts';
import { Picture } from '#web/ui/picture.tsx';
import { showContent } from '#web/ui/toaster.tsx';

/** The page's message after adding to the cart. */
export interface Notice {
  text: string;
  /** The replaced line, and how to restore it. */
  replaced?: string | undefined;
  undo?: () => void;
}

interface Added {
  item: CartItem;
  /** The product's earlier line. */
  before: CartItem | undefined;
  store: AppStore;
  market: Market;
  delivery: ShopDelivery;
  navigate: (to: string) => unknown;
  setNotice: (notice: Notice) => void;
}

const choiceText = ({ size, colourName }: CartItem) => [size, colourName].filter(Boolean).join(', ') || 'what you had chosen';

/** A product has one cart line (specification §4): another size or colour replaces it. Only differences are named. */
function replacedText(before: CartItem | undefined, now: CartItem): string | undefined {
  if (!before || (before.size === now.size && before.color === now.color)) return undefined;
  if (before.color === now.color && before.size && now.size) return `Replaced ${before.size} with ${now.size}`;
  if (before.size === now.size && before.colourName && now.colourName) return `Replaced ${before.colourName} with ${now.colourName}`;
  return `Replaced ${choiceText(before)} with ${choiceText(now)}`;
}

function addedText(item: CartItem, before: CartItem | undefined): string {
  const text = `${nameOf(item)} is in your cart`;
  return before && before.qty !== item.qty ? `${text}: now ${item.qty}, before ${before.qty}.` : `${text}.`;
}

/** Hidden from screen readers: the page's live region says the same. */
function AddedToast({
  text,
  replaced,
  undo,
  item,
  market,
  delivery,
  store,
  onView,
}: Notice & Pick<Added, 'item' | 'market' | 'delivery' | 'store'> & { onView: () => void }) {
  const state = store.getState();
  const subtotal = selectSubtotal(state);
  const freeText = !cartDiscount.read()?.isFreeDelivery && freeDeliveryText(market, delivery, subtotal, state.productDetail.delivery);
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
        {freeText && <p>{freeText}</p>}
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

/** Announces the new line: in the live region, on the page if a line was replaced, and in a toast while the line exists. */
export function announce({ item, before, store, market, delivery, navigate, setNotice }: Added): void {
  const text = addedText(item, before);
  const replaced = replacedText(before, item);
  const close = showContent(
    <AddedToast
      text={text}
      item={item}
      market={market}
      delivery={delivery}
      store={store}
      replaced={replaced}
      undo={() => undo()}
      onView={() => void navigate('/cart')}
    />,
    () => unsubscribe(),
  );
  const undo = () => {
    if (!before) return;
    store.dispatch(itemAdded(before));
    close();
    setNotice({ text: `${nameOf(before)} is in your cart again.` });
  };
  const unsubscribe = store.subscribe(() => {
    // The cart page shows the line itself.
    if (location.pathname === '/cart' || !store.getState().cart.items.some(({ _id }) => _id === item._id)) close();
  });
  setNotice({ text: [text, replaced && `${replaced}.`].filter(Boolean).join(' '), replaced, undo });
}
