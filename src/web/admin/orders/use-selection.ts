import { useState } from 'react';
import { messageOf } from '#contract/base/problem.ts';
import { deliverOrders, type OrderSummary } from '#contract/orders.ts';
import { useCall } from '#web/admin/use-call.ts';

/** The orders chosen on a page of the list, and marking them all in one request. What is no longer on the page is no longer chosen. */
export function useSelection(onPage: OrderSummary[], onMarked: () => Promise<unknown>) {
  const call = useCall();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [state, setState] = useState({ pending: '', done: '', error: '' });
  const ids = onPage.map(({ _id }) => _id).filter((id) => chosen.has(id));
  const toggle = (id: string) => setChosen(new Set(chosen.has(id) ? ids.filter((other) => other !== id) : [...ids, id]));
  const toggleAll = () => setChosen(new Set(ids.length < onPage.length ? onPage.map(({ _id }) => _id) : []));
  const mark = async (isDelivered: boolean) => {
    setState({ pending: String(isDelivered), done: '', error: '' });
    try {
      const { message } = await call(deliverOrders, { body: { ids, isDelivered } });
      await onMarked();
      setChosen(new Set());
      setState({ pending: '', done: message, error: '' });
    } catch (error) {
      setState({ pending: '', done: '', error: messageOf(error) });
    }
  };
  return { ids, isAll: ids.length > 0 && ids.length === onPage.length, toggle, toggleAll, mark: (to: boolean) => void mark(to), ...state };
}
