import { useState } from 'react';
import type { Order } from '#contract/orders.ts';
import { CancelPanel, type PanelForm } from './cancel-panel.tsx';
import { RefundsPanel } from './refunds-panel.tsx';

interface AfterSaleProps {
  order: Order;
  onChange: (order: Order) => void;
  reload: () => Promise<void>;
}

/** Refunds and cancelling. One form is open at a time, since both have fields of the same names. */
export function AfterSale({ order, onChange, reload }: AfterSaleProps) {
  const [open, setOpen] = useState<'' | 'refund' | 'cancel'>('');
  const finish = (after: Order) => {
    setOpen('');
    onChange(after);
  };
  const formOf = (name: 'refund' | 'cancel'): PanelForm => ({
    isOpen: open === name,
    onOpen: () => setOpen(name),
    onClose: () => setOpen(''),
    onDone: finish,
  });
  return (
    <>
      <RefundsPanel order={order} form={formOf('refund')} onChange={onChange} reload={reload} />
      <CancelPanel order={order} form={formOf('cancel')} />
    </>
  );
}
