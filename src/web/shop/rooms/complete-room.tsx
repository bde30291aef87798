import { useState } from 'react';
import { FAR_DOWN } from '#web/parts/lazy-part.tsx';
import { selectCart } from '#web/state/cart.slice.ts';
import { selectProductDetail } from '#web/state/product-detail.slice.ts';
import { useAppSelector } from '#web/state/store.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Rooms } from './rooms.tsx';

const TITLE = 'Complete the room';

/** The other pieces of the rooms in which the page's product stands. */
export function CompleteRoom({ id }: { id: string }) {
  const { related } = useAppSelector(selectProductDetail);
  if (!related || related.rooms.length === 0) return null;
  return (
    <div className="border-t border-line pt-8">
      <Rooms title={TITLE} rooms={related.rooms} without={[id]} />
    </div>
  );
}

/** The other pieces of the room that has most of the cart's. What is added from it stays listed. */
export function CompleteCartRoom() {
  const { items } = useAppSelector(selectCart);
  const [inCart] = useState(() => items.map(({ _id }) => _id));
  const { value, error } = useLoaded('GET /api/products/rooms', { query: { pieces: inCart.toSorted().join(',') } });
  if (!value && !error) return FAR_DOWN.fallback;
  const room = value?.find(({ pieces }) => pieces.some(({ _id, isSold }) => isSold && !inCart.includes(_id)));
  if (!room) return null;
  return (
    <div className="border-t border-line pt-8">
      <Rooms title={TITLE} rooms={[room]} without={inCart} />
    </div>
  );
}
