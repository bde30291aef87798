import { selectCartCount } from '#web/state/cart.slice.ts';
import { useAppSelector } from '#web/state/store.ts';

/** For visitors who come from the cart. */
export function CartKept({ redirect, first }: { redirect: string | null; first: string }) {
  const count = useAppSelector(selectCartCount);
  if (redirect !== 'cart' || count === 0) return null;
  return <p className="mb-6 rounded-soft bg-accent-tint px-4 py-2">{first} to finish: your cart is kept.</p>;
}
