import { selectCartCount } from '#web/state/cart.slice.ts';
import { useAppSelector } from '#web/state/store.ts';

/** For visitors who come from the cart: `Log in to finish: your cart is kept.` */
export function CartNote({ redirect, action }: { redirect: string | null; action: string }) {
  const count = useAppSelector(selectCartCount);
  if (redirect !== 'cart' || count === 0) return null;
  return <p className="mb-6 rounded-soft bg-accent-tint px-4 py-2">{action} to finish: your cart is kept.</p>;
}
