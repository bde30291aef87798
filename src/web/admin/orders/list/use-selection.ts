import { useState } from 'react';
import type { DeliveryCheck } from '#contract/delivery/dispatch.schema.ts';
import type { OrderSummary } from '#contract/orders/orders.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';

/** The selected orders of a page, and marking them in one request. Rows that leave the page are deselected. */
export function useSelection(onPage: OrderSummary[], onMarked: () => Promise<unknown>) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<DeliveryCheck>();
  const ids = onPage.map(({ _id }) => _id).filter((id) => chosen.has(id));
  const references = onPage.filter(({ _id }) => ids.includes(_id)).map(({ reference }) => reference);
  const toggle = (id: string) => setChosen(new Set(chosen.has(id) ? ids.filter((other) => other !== id) : [...ids, id]));
  const toggleAll = () => setChosen(new Set(ids.length < onPage.length ? onPage.map(({ _id }) => _id) : []));
  const ask = () =>
    run('ask', async () => {
      const { check } = await dispatch(request('PUT /api/orders/deliver', { body: { ids, isDelivered: true, isCheck: true } }));
      setAsked(check ?? undefined);
    });
  const mark = (isDelivered: boolean) =>
    run(String(isDelivered), async () => {
      const { message } = await dispatch(request('PUT /api/orders/deliver', { body: { ids, isDelivered } }));
      setAsked(undefined);
      await onMarked();
      setChosen(new Set());
      return message;
    });
  const isAll = ids.length > 0 && ids.length === onPage.length;
  return { ids, references, isAll, toggle, toggleAll, asked, ask, cancel: () => setAsked(undefined), mark, pending, error, done };
}
