import type { Order } from '#contract/orders/orders.ts';
import { labelOf, STEPS } from '#contract/orders/steps.ts';
import { isOpenReturn } from '#contract/returns/return-reasons.ts';
import type { Return } from '#contract/returns/returns.schema.ts';
import { returnableLines } from '#contract/returns/returns.ts';
import { ReturnForm } from '#web/parts/order/return-form.tsx';
import { ReturnList } from '#web/parts/order/return-list.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { Button } from '#web/ui/button.tsx';
import { ReceiveForm } from './receive-form.tsx';
import { ReturnApprovalForm } from './return-approval-form.tsx';

interface ReturnsPanelProps {
  order: Order;
  /** The open form: `agree`, or `judge` or `receive` with the return's id. */
  open: string;
  onOpen: (form: string) => void;
  onClose: () => void;
  onDone: (order: Order) => void;
}

/** The next steps of a return, or the open form of one. */
function NextSteps({ order, one, open, onOpen, onClose, onDone }: ReturnsPanelProps & { one: Return }) {
  const { _id, status } = one;
  if (!isOpenReturn(status)) return null;
  if (open === `judge ${_id}`) return <ReturnApprovalForm one={one} onDone={onDone} onClose={onClose} />;
  if (open === `receive ${_id}`) return <ReceiveForm order={order} one={one} onDone={onDone} onClose={onClose} />;
  return (
    <p className="flex flex-wrap gap-3">
      {status === 'approved' && (
        <Button look="secondary" onClick={() => onOpen(`receive ${_id}`)}>
          {STEPS.receiveReturn.label}
        </Button>
      )}
      <Button look={status === 'asked' ? 'secondary' : 'quiet'} onClick={() => onOpen(`judge ${_id}`)}>
        {labelOf('judgeReturn', status === 'asked' ? 'return_asked' : 'return_approved')}
      </Button>
    </p>
  );
}

/** The returns of an order for administrators. */
export function ReturnsPanel(props: ReturnsPanelProps) {
  const { order, open, onOpen, onClose, onDone } = props;
  const canAgree = order.can.includes('agreeToReturn') && returnableLines(order).length > 0;
  if (order.returns.length === 0 && !canAgree) return null;
  return (
    <Panel title="Returns" className="gap-4 print:hidden">
      {order.returns.length > 0 && <ReturnList order={order}>{(one) => <NextSteps {...props} one={one} />}</ReturnList>}
      {canAgree &&
        (open === 'agree' ? (
          <ReturnForm order={order} isOffice action="Start the return" onDone={onDone} onClose={onClose} />
        ) : (
          <Button look="quiet" className="justify-self-start" onClick={() => onOpen('agree')}>
            {STEPS.agreeToReturn.label}
          </Button>
        ))}
    </Panel>
  );
}
