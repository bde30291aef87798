import { Fragment, type PropsWithChildren, useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { statesIn } from '#contract/orders/states.ts';
import { DispatchForm } from '#web/admin/delivery/dispatch-form.tsx';
import { ParcelsPanel, type StepActions } from '#web/admin/delivery/parcels-panel.tsx';
import { SLIP_PARAMETER } from '#web/admin/delivery/slip.tsx';
import { ReturnsPanel } from '#web/admin/returns/returns-panel.tsx';
import { ShippingStatus } from '#web/parts/order-parts.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Link } from '#web/ui/link.tsx';
import { ApprovalPanel } from './approval-panel.tsx';
import { CancelPanel, type PanelForm } from './cancel-panel.tsx';
import { CorrectPanel } from './correct-panel.tsx';
import { RefundsPanel } from './refunds-panel.tsx';
import { StageButtons } from './stage-buttons.tsx';

interface OrderWorkPanelsProps {
  order: Order;
  actions: OrderActions;
  onChange: (order: Order) => void;
  reload: () => Promise<void>;
}

interface OrderActions extends StepActions {
  done: string;
  error: string;
}

function ShippingPanel({ order, actions, form }: { order: Order; actions: OrderActions; form: PanelForm }) {
  /** The parcel that was just dispatched with only some of the pieces. */
  const [leftNow, setLeftNow] = useState('');
  const finish = (after: Order) => {
    setLeftNow(after.status === 'partly_dispatched' ? (after.parcels.at(-1)?._id ?? '') : '');
    form.onDone(after);
  };
  return (
    <Panel title="Shipping Status" className="gap-3 print:hidden">
      <ShippingStatus order={order} />
      {form.isOpen ? (
        <DispatchForm order={order} onDone={finish} onClose={form.onClose} />
      ) : (
        <StageButtons order={order} actions={actions} onDispatch={form.onOpen} />
      )}
      {order.parcels.some(({ _id, status }) => _id === leftNow && status === 'sent') && (
        <Alert tone="good">
          <Link to={`?${SLIP_PARAMETER}=${leftNow}`} className="link">
            Print the packing slip of this parcel
          </Link>
        </Alert>
      )}
      {actions.done && <Alert tone="good">{actions.done}</Alert>}
      {actions.error && <Alert>{actions.error}</Alert>}
    </Panel>
  );
}

/**
 * The panels of an order's work: those that wait for staff, then its items (`children`), then the others. Only one form is open at a time, since
 * their fields share names.
 */
export function OrderWorkPanels({ order, actions, onChange, reload, children }: PropsWithChildren<OrderWorkPanelsProps>) {
  /** The name of the open form, or the id of the parcel that it changes; empty if none is open. */
  const [openForm, setOpenForm] = useState('');
  const finish = (after: Order) => {
    setOpenForm('');
    onChange(after);
  };
  const formOf = (name: string): PanelForm => ({
    isOpen: openForm === name,
    onOpen: () => setOpenForm(name),
    onClose: () => setOpenForm(''),
    onDone: finish,
  });
  const { status, can, returns, refunds, overpayments } = order;
  const panels = [
    { name: 'approval', waits: can.includes('approve'), panel: <ApprovalPanel order={order} onChange={onChange} /> },
    {
      name: 'shipping',
      waits: statesIn('shop', 'courier').includes(status),
      panel: <ShippingPanel order={order} actions={actions} form={formOf('dispatch')} />,
    },
    {
      name: 'parcels',
      waits: false,
      panel: (
        <ParcelsPanel
          order={order}
          actions={actions}
          openParcel={openForm}
          onOpen={setOpenForm}
          onClose={() => setOpenForm('')}
          onDone={finish}
        />
      ),
    },
    {
      name: 'returns',
      waits: returns.some((one) => one.status === 'asked' || one.status === 'approved'),
      panel: <ReturnsPanel order={order} open={openForm} onOpen={setOpenForm} onClose={() => setOpenForm('')} onDone={finish} />,
    },
    {
      name: 'refunds',
      waits:
        overpayments.some((one) => one.status === 'owed') ||
        refunds.some(({ status: state, isByHand }) => state === 'failed' || (state === 'pending' && isByHand)),
      panel: <RefundsPanel order={order} form={formOf('refund')} onChange={onChange} reload={reload} />,
    },
    {
      name: 'pieces',
      waits: order.correction !== null,
      panel: <CorrectPanel order={order} form={formOf('pieces')} onChange={onChange} />,
    },
    { name: 'cancel', waits: false, panel: <CancelPanel order={order} form={formOf('cancel')} /> },
  ];
  const sorted = [...panels.filter(({ waits }) => waits), { name: 'items', panel: children }, ...panels.filter(({ waits }) => !waits)];
  return sorted.map(({ name, panel }) => <Fragment key={name}>{panel}</Fragment>);
}
