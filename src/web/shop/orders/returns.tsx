import { useContext, useState } from 'react';
import { dayText } from '#contract/delivery/delivery-window.ts';
import type { Order } from '#contract/orders/orders.ts';
import { BUYER_BUTTONS } from '#contract/orders/states.ts';
import { howItComesBack, RETURN_DAYS } from '#contract/returns/return-days.ts';
import { isOpenReturn } from '#contract/returns/return-reasons.ts';
import { returnableLines } from '#contract/returns/returns.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { HowBack } from '#web/parts/order/how-back.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { orderChanged } from '#web/state/order.slice.ts';
import { CompanyContext, useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';

const ReturnList = lazyPart(async () => (await import('#web/parts/order/return-list.tsx')).ReturnList, {
  fallback: <div className="min-h-24" />,
});

const ReturnForm = lazyPart(async () => (await import('#web/parts/order/return-form.tsx')).ReturnForm);

/** Rights for faulty goods, which do not end with the return period. */
function FaultyRights() {
  return (
    <details className="text-sm">
      <summary className="min-h-6 cursor-pointer font-medium">If something is faulty or not as described</summary>
      <div className="mt-2 grid gap-2">
        <p>Under the Consumer Rights Act 2015 you can, whatever our own policy says:</p>
        <ul className="grid list-disc gap-1 pl-5">
          <li>reject it within 30 days of receiving it, for a full refund;</li>
          <li>after that, have it repaired or replaced, free of charge;</li>
          <li>if that fails, or cannot be done, keep it at a lower price, or reject it for a refund.</li>
        </ul>
        <p>
          In the first six months a fault is taken to have been there at delivery.{' '}
          <Link to="/contact" className="link">
            Write to us
          </Link>
          , or read our{' '}
          <Link to="/refund-policy#your-statutory-rights" className="link">
            refund policy
          </Link>
          .
        </p>
      </div>
    </details>
  );
}

/** The end of a sentence: who takes back what can be returned, and who pays. By piece where that differs, or where some may be on their way back. */
function HowEach({ order }: { order: Order }) {
  const { collectsReturns } = useContext(CompanyContext);
  const lines = returnableLines(order);
  const isCollected = (line: number) => collectsReturns || order.carriedByTwo.includes(line);
  const isAlike = new Set(lines.map(({ line }) => isCollected(line))).size < 2;
  const [first] = lines;
  if (!first) return '.';
  if (isAlike && order.returns.length === 0) return `: ${howItComesBack(isCollected(first.line))}.`;
  return (
    <>
      .
      {lines.map(({ line, name, size }) => (
        <span key={line} className="block">
          {[name, size].filter(Boolean).join(', ')}: {howItComesBack(isCollected(line))}.
        </span>
      ))}
    </>
  );
}

/** The last day for a return and how it goes, or why returns have ended. */
function ReturnPeriod({ order }: { order: Order }) {
  const { returnUntil, isReturnable } = order;
  if (!returnUntil) return null;
  const day = dayText(returnUntil);
  return isReturnable ? (
    <p className="text-sm text-soft">
      You can change your mind until {day}
      <HowEach order={order} />
    </p>
  ) : (
    <p>
      The {RETURN_DAYS.ask} days in which you could change your mind ended on {day}.
    </p>
  );
}

function useReturns(order: Order) {
  const dispatch = useAppDispatch();
  const [isOpen, setOpen] = useState(false);
  const { run, ...action } = useAction();
  const update = (after: Order) => dispatch(orderChanged(after));
  const finish = (after: Order) => {
    setOpen(false);
    update(after);
    // Only for the message.
    run('ask', async () => 'We have your request and will reply by the next working day.');
  };
  const withdraw = (id: string) =>
    run(id, async () => {
      update(await dispatch(request('POST /api/returns/:id/withdraw', { params: { id } })));
      return 'Your return is cancelled.';
    });
  return { isOpen, setOpen, finish, withdraw, ...action, canAsk: order.isReturnable && returnableLines(order).length > 0 };
}

/** The returns of a delivered order, and the way to ask for one. */
export function Returns({ order }: { order: Order }) {
  const { isOpen, setOpen, finish, withdraw, pending, done, error, canAsk } = useReturns(order);
  return (
    <Panel title="Returns" className="gap-4 print:hidden">
      {done && <Alert tone="good">{done}</Alert>}
      {error && <Alert>{error}</Alert>}
      {order.returns.length > 0 && (
        <ReturnList order={order}>
          {({ _id, status, pieces, reason }) =>
            isOpenReturn(status) && (
              <>
                {status === 'asked' && <HowBack order={order} pieces={pieces} reason={reason} />}
                <Button look="quiet" className="justify-self-start" pending={pending === _id} onClick={() => withdraw(_id)}>
                  {BUYER_BUTTONS.withdrawReturn}
                </Button>
              </>
            )
          }
        </ReturnList>
      )}
      {order.status !== 'returned' && <ReturnPeriod order={order} />}
      {canAsk &&
        (isOpen ? (
          <ReturnForm order={order} action="Request a return" onDone={finish} onClose={() => setOpen(false)} />
        ) : (
          <Button look="secondary" onClick={() => setOpen(true)}>
            {BUYER_BUTTONS.askForReturn}
          </Button>
        ))}
      <FaultyRights />
    </Panel>
  );
}
