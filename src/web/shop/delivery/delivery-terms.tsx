import { useContext } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import type { Load } from '#contract/delivery/delivery-classes.ts';
import { windowText } from '#contract/delivery/delivery-window.ts';
import { methodsTaking } from '#contract/delivery/load.ts';
import { methodsFor } from '#contract/delivery/methods.ts';
import { NATIONS, type Nation } from '#contract/delivery/nation.ts';
import { RETURN_DAYS } from '#contract/returns/return-days.ts';
import { CompanyContext, DeliveryContext, MarketContext } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
import type { DeliveryProps } from './arrival.tsx';
import { usualWindow } from './delivery-windows.ts';

const NATION_NAMES: Record<Nation, string> = {
  'england-and-wales': 'England and Wales',
  scotland: 'Scotland',
  'northern-ireland': 'Northern Ireland',
};

/** Nations whose bank holidays move the usual days: `Scotland: Tue 1 Dec – Fri 4 Dec`. */
function otherWindows(windows: Delivery['options'][number]['windows']): string[] {
  const usual = usualWindow(windows);
  return NATIONS.filter((nation) => windowText(windows[nation]) !== usual).map(
    (nation) => `${NATION_NAMES[nation]}: ${windowText(windows[nation])}`,
  );
}

/** `2pm` */
function hourText(hour: number): string {
  return `${hour % 12 || 12}${hour < 12 ? 'am' : 'pm'}`;
}

/** The delivery methods for a load, with prices and days. */
function Methods({ load, subtotal, delivery }: DeliveryProps & { load: Load }) {
  const market = useContext(MarketContext);
  const methods = methodsTaking(useContext(DeliveryContext).methods, load);
  if (!delivery) return null;
  // What leaves later, such as a piece made to order, has no cut-off.
  const cutOffHours = delivery.leaves ? [] : [...new Set(methods.map(({ cutOffHour }) => cutOffHour))];
  return (
    <>
      <ul>
        {methodsFor(methods, subtotal, delivery.area).map(({ id, label, price, cutOffHour }) => {
          const windows = delivery.options.find((option) => option.id === id)?.windows;
          if (!windows) return null;
          const others = otherWindows(windows);
          const days = [usualWindow(windows), others.length > 0 && `(${others.join('; ')})`].filter(Boolean).join(' ');
          const orderBy = cutOffHours.length > 1 ? `, if you order by ${hourText(cutOffHour)}` : '';
          return <li key={id}>{`${label}, ${price === 0 ? 'free' : market.shopPrice(price)}: ${days}${orderBy}`}</li>;
        })}
      </ul>
      {cutOffHours.length === 1 && <p>Order by {hourText(cutOffHours[0] ?? 0)} on a working day and we start on it the same day.</p>}
    </>
  );
}

/** Delivery, while the product can be bought, and returns. */
export function DeliveryTerms({
  load,
  subtotal,
  delivery,
  canBuy,
  isByTwo,
}: DeliveryProps & { load: Load; canBuy: boolean; isByTwo: boolean }) {
  const { collectsReturns } = useContext(CompanyContext);
  const { promise: promiseText } = useContext(DeliveryContext);
  return (
    <>
      {canBuy && (
        <>
          {!delivery?.leaves && <p>{promiseText}</p>}
          <Methods load={load} subtotal={subtotal} delivery={delivery} />
        </>
      )}
      {isByTwo && (
        <p>Two people bring it to a room of your choice. The carrier tells you that morning which two hours to expect them in.</p>
      )}
      {canBuy && <p>You can cancel until we start to pack your order.</p>}
      <p>
        You have {RETURN_DAYS.ask} days from the day on which it arrives to change your mind, for any reason.{' '}
        {isByTwo || collectsReturns
          ? 'We then collect it from you, free of charge.'
          : `You then have ${RETURN_DAYS.send} days to post it back, at your own cost unless it is faulty or not what you ordered. If it is too large to post, we collect it, free of charge.`}{' '}
        Faulty pieces can always come back.
      </p>
      <p>
        More in our <Link to="/shipping-policy">shipping policy</Link> and <Link to="/refund-policy">refund policy</Link>.
      </p>
    </>
  );
}
