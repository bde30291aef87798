import { useEffect } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { dayText } from '#contract/delivery/delivery-window.ts';
import { deliveryDay } from '#web/browser/delivery-day.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { windowOf } from '#web/shop/delivery/delivery-windows.ts';
import { selectCheckout } from '#web/state/order.slice.ts';
import { loadDelivery } from '#web/state/product-detail.slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Select } from '#web/ui/form/field.tsx';
import { useAmounts } from './use-amounts.ts';

/** The days of the chosen method. A day that is no longer possible stays visible until another is chosen. */
export function DayChoice({ delivery }: { delivery: Delivery | null }) {
  const dispatch = useAppDispatch();
  const { error } = useAppSelector(selectCheckout);
  const { option } = useAmounts(delivery);
  const chosen = useStoredValue(deliveryDay) ?? '';
  const offered = delivery?.options.find(({ id }) => id === option.id);
  const days = offered?.days ?? [];
  const isLost = Boolean(offered && chosen && !days.includes(chosen));
  const { postcode = '', products = '' } = delivery ?? {};
  // A refused order may mean that the days have changed.
  useEffect(() => {
    if (error) void dispatch(loadDelivery({ postcode, products }));
  }, [dispatch, error, postcode, products]);
  if (offered && days.length === 0 && !chosen) return null;
  const none = offered ? `Any day, ${windowOf(delivery, option.id)}` : 'Any day';
  const byText = new Map([...days, ...(chosen ? [chosen] : [])].map((day) => [dayText(day), day]));
  const lost = days.length > 0 ? `We can no longer deliver on ${dayText(chosen)}.` : `You cannot choose a day with ${option.label}.`;
  return (
    <Select
      id="deliveryDay"
      label="Day of delivery"
      autoComplete="off"
      none={none}
      options={['', ...byText.keys()]}
      value={chosen && dayText(chosen)}
      error={isLost ? `${lost} Please choose again.` : undefined}
      onChange={({ target }) => deliveryDay.write(byText.get(target.value))}
    />
  );
}
