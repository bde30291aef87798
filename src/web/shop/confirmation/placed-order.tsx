import { useEffect, useRef, useState } from 'react';
import { deleteDraft } from '#web/browser/drafts.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ConfirmedOrder } from './confirmed-order.tsx';
import { useJustPlaced } from './just-placed.ts';

/** The order just placed, on the home page until it is closed. */
export function PlacedOrder({ id }: { id: string }) {
  const { value: order, error } = useLoaded('GET /api/orders/:id', { params: { id } });
  const { isOrderPlaced, isFound } = useJustPlaced();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isClosed, setIsClosed] = useState(false);
  const close = () => {
    deleteDraft('placedOrder');
    setIsClosed(true);
  };
  useEffect(() => {
    if (order && isOrderPlaced) heading.current?.focus();
  }, [order, isOrderPlaced]);
  if (error || isClosed || order?.status === 'cancelled') return null;
  return (
    <div className="container-page pt-10 pb-6 md:pt-6">
      {order ? (
        <ConfirmedOrder order={order} heading={heading} isFound={isFound}>
          <Button look="quiet" onClick={close}>
            Close
          </Button>
        </ConfirmedOrder>
      ) : (
        <Skeleton label="Loading your order" shapes={['h-72 w-full']} />
      )}
    </div>
  );
}
