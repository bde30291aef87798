import { useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { canReachDriver } from '#contract/orders/states.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { Button } from '#web/ui/button.tsx';

const NoteForm = lazyPart(async () => (await import('./driver-note-form.tsx')).NoteForm, { fallback: <div className="min-h-40" /> });

export interface DriverNoteProps {
  order: Order;
  onChange: (order: Order) => void;
}

/** The note for the driver, which can be changed until everything has left. */
export function DriverNote({ order, onChange }: DriverNoteProps) {
  const [isOpen, setOpen] = useState(false);
  const { deliveryNote, status } = order;
  const isChangeable = canReachDriver(status);
  if (isOpen && isChangeable) return <NoteForm order={order} onChange={onChange} onClose={() => setOpen(false)} />;
  if (!deliveryNote && !isChangeable) return null;
  return (
    <div className="grid justify-items-start gap-1">
      {deliveryNote && <p className="wrap-anywhere">For the driver: {deliveryNote}</p>}
      {isChangeable && (
        <Button look="quiet" className="px-0 print:hidden" onClick={() => setOpen(true)}>
          {deliveryNote ? 'Change the note' : 'Add a note for the driver'}
        </Button>
      )}
    </div>
  );
}
