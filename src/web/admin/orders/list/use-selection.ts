import { useState } from 'react';
import type { DeliveryCheck } from '#contract/delivery/dispatch.schema.ts';
import type { OrderSummary } from '#contract/orders/orders.ts';
import { messageOf, Problem } from '#contract/platform/problem.ts';
import { ordersText } from '#web/admin/count-text.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';

/** The selected orders of a page, and actions on all of them. Rows that leave the page are deselected. */
export function useSelection(ordersOnPage: OrderSummary[], onChanged: () => Promise<unknown>) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deliveryCheck, setDeliveryCheck] = useState<DeliveryCheck>();
  const ids = ordersOnPage.map(({ _id }) => _id).filter((id) => chosen.has(id));
  const references = ordersOnPage.filter(({ _id }) => ids.includes(_id)).map(({ reference }) => reference);
  const toggle = (id: string) => setChosen(new Set(chosen.has(id) ? ids.filter((other) => other !== id) : [...ids, id]));
  const toggleAll = () => setChosen(new Set(ids.length < ordersOnPage.length ? ordersOnPage.map(({ _id }) => _id) : []));
  const checkDelivery = () =>
    run('check', async () => {
      const { check } = await dispatch(request('PUT /api/orders/deliver', { body: { ids, isDelivered: true, isCheck: true } }));
      setDeliveryCheck(check ?? undefined);
    });
  const markDelivered = (isDelivered: boolean) =>
    run(isDelivered ? 'delivered' : 'not delivered', async () => {
      const { message } = await dispatch(request('PUT /api/orders/deliver', { body: { ids, isDelivered } }));
      setDeliveryCheck(undefined);
      await onChanged();
      setChosen(new Set());
      return message;
    });
  /** Calls `work` for each selected order in turn. Those that refuse are named in the error and stay selected. */
  const forEachSelected = (name: string, outcome: string, work: (id: string) => Promise<unknown>) =>
    run(name, async () => {
      const refused = new Map<string, string>();
      for (const [index, id] of ids.entries())
        await work(id).catch((error: unknown) => refused.set(id, `${references[index]}: ${messageOf(error)}`));
      await onChanged();
      setChosen(new Set(refused.keys()));
      const message = `${ordersText(ids.length - refused.size)} ${outcome}.`;
      if (refused.size === 0) return message;
      throw new Problem(409, [message, ...refused.values()].join(' '));
    });
  const approve = () =>
    forEachSelected('approve', 'approved', (id) => dispatch(request('PUT /api/office/orders/:id/approval', { params: { id } })));
  const addTag = (tag: string) =>
    forEachSelected('tag', `tagged “${tag}”`, (id) =>
      dispatch(request('POST /api/office/orders/:id/tags', { params: { id }, body: { tag, isOnCustomer: false } })),
    );
  const isAll = ids.length > 0 && ids.length === ordersOnPage.length;
  return {
    ids,
    references,
    isAll,
    toggle,
    toggleAll,
    deliveryCheck,
    checkDelivery,
    closeCheck: () => setDeliveryCheck(undefined),
    markDelivered,
    approve,
    addTag,
    pending,
    error,
    done,
  };
}
