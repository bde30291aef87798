import { useState } from 'react';
import { shopTime } from '#contract/market/shop-time.ts';
import { isProblem } from '#contract/platform/problem.ts';
import { ordersText } from '#web/admin/count-text.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useFields, useForm } from '#web/ui/form/use-form.ts';
import { TrackingImport } from './tracking-import.tsx';
import { CarrierFields, carrierProblem, transportBody } from './transport-fields.tsx';

interface BulkDispatchProps {
  /** The list's filters: orders of all its pages are dispatched. */
  filters: Record<string, string>;
  /** The list is empty: there is nothing to dispatch, but earlier batches can still be undone. */
  isEmpty: boolean;
  /** A new number loads the batches again. */
  version: number;
  onChange: () => void;
}

/** The numbers of orders that the filters find. */
interface Count {
  /** To be dispatched now. */
  orders: number;
  /** More than one batch can have: left for the next time. */
  later: number;
  /** Not ready, or already dispatched. */
  others: number;
}

interface DispatchAllFormProps extends Pick<BulkDispatchProps, 'filters' | 'onChange'> {
  count: Count;
  recount: () => Promise<void>;
  onClose: () => void;
}

function DispatchAllForm({ filters, count: { orders, later, others }, recount, onChange, onClose }: DispatchAllFormProps) {
  const dispatch = useAppDispatch();
  const form = useForm({
    ...useFields({ carrier: '', otherCarrier: '', expectedOn: '' }),
    schema: async () => (await import('#contract/delivery/dispatch.schema.ts')).DispatchManyBody,
    check: carrierProblem,
    body(texts) {
      const { carrier, expectedOn } = transportBody({ ...texts, trackingNumber: '', trackingLink: '' });
      return { filters, expected: orders, carrier, expectedOn };
    },
    async send(body) {
      try {
        await dispatch(request('POST /api/office/dispatches', { body }));
      } catch (error) {
        // The filters find other orders by now: the form shows how many.
        if (isProblem(error) && error.status === 409) await recount();
        throw error;
      }
      onChange();
    },
  });
  return (
    <Form form={form} className="grid gap-4">
      <h2>Dispatch all</h2>
      <p>
        If you carry this out, {later > 0 ? `the oldest ${ordersText(orders)}` : ordersText(orders)} that this list finds, on all of its
        pages, will be marked as dispatched.
        {later > 0 && ` ${ordersText(later)} will be left for the next time.`}
        {others > 0 && ` ${ordersText(others)} will stay: already dispatched, or waiting for approval or payment.`} Customers are told after
        ten minutes; until then you can undo it.
      </p>
      <CarrierFields bind={form.bind} chosen={form.fields.carrier} />
      <Field label="Expected on" type="date" {...form.bind('expectedOn')} />
      <p className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" disabled={orders === 0} pending={form.pending}>
          Dispatch {ordersText(orders)}
        </Button>
      </p>
    </Form>
  );
}

/** Dispatches all orders that the filters find. Until the mails leave, this can be undone, even after a reload. */
export function BulkDispatch({ filters, isEmpty, version, onChange }: BulkDispatchProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const [count, setCount] = useState<Count>();
  const [isImporting, setIsImporting] = useState(false);
  const { value } = useLoaded('GET /api/office/dispatches', {}, version);
  const closeAndReload = () => {
    setCount(undefined);
    onChange();
  };
  // Without `expected`, the server only counts the orders.
  const countOrders = async () =>
    setCount(await dispatch(request('POST /api/office/dispatches', { body: { filters, carrier: '', expectedOn: null } })));
  const undo = (id: string) =>
    run(id, async () => {
      const { message } = await dispatch(request('POST /api/office/dispatches/:id/undo', { params: { id } }));
      closeAndReload();
      return message;
    });
  return (
    <div className="grid gap-3 print:hidden">
      <p className="flex flex-wrap gap-3">
        {!isEmpty && (
          <Button look="secondary" pending={pending === 'check'} onClick={() => run('check', countOrders)}>
            Dispatch all found
          </Button>
        )}
        <Button look="secondary" onClick={() => setIsImporting(true)}>
          Import tracking numbers
        </Button>
      </p>
      {error && <Alert>{error}</Alert>}
      {done && <Alert tone="good">{done}</Alert>}
      {value?.batches.map(({ _id, kind, actor, orders, undoUntil }) => (
        <Alert key={_id} tone="note">
          <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {actor} {kind === 'delivery' ? `marked ${ordersText(orders)} as delivered` : `dispatched ${ordersText(orders)}`}. The emails
            leave at {shopTime(undoUntil).slice(11)}.
            <Button look="secondary" pending={pending === _id} onClick={() => undo(_id)}>
              Undo
            </Button>
          </span>
        </Alert>
      ))}
      <TrackingImport open={isImporting} onClose={() => setIsImporting(false)} onImported={onChange} />
      <Dialog open={count !== undefined} onClose={() => setCount(undefined)} label="Dispatch all" bare>
        {count && (
          <DispatchAllForm
            filters={filters}
            count={count}
            recount={countOrders}
            onChange={closeAndReload}
            onClose={() => setCount(undefined)}
          />
        )}
      </Dialog>
    </div>
  );
}
