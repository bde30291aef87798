import { useState } from 'react';
import { deliverOrders } from '#contract/office/orders.ts';
import type { OrderSummary } from '#contract/orders.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';

/** The orders chosen on a page of the list, and marking them all in one request. What is no longer on the page is no longer chosen. */
export function useSelection(onPage: OrderSummary[], onMarked: () => Promise<unknown>) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = onPage.map(({ _id }) => _id).filter((id) => chosen.has(id));
  const references = onPage.filter(({ _id }) => ids.includes(_id)).map(({ reference }) => reference);
  const toggle = (id: string) => setChosen(new Set(chosen.has(id) ? ids.filter((other) => other !== id) : [...ids, id]));
  const toggleAll = () => setChosen(new Set(ids.length < onPage.length ? onPage.map(({ _id }) => _id) : []));
  const mark = (isDelivered: boolean) =>
    run(String(isDelivered), async () => {
      const { message } = await dispatch(request(deliverOrders, { body: { ids, isDelivered } }));
      await onMarked();
      setChosen(new Set());
      return message;
    });
  return { ids, references, isAll: ids.length > 0 && ids.length === onPage.length, toggle, toggleAll, mark, pending, error, done };
}
