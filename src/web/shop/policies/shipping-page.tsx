import { useContext } from 'react';
import { Link } from 'react-router';
import { defaultDelivery, deliveryOf } from '#contract/delivery/delivery-settings.ts';
import { promiseOf, tariffOf } from '#contract/delivery/tariff.ts';
import { CompanyContext, DeliveryContext } from '#web/state/store.ts';
import { PolicyFrame } from './policy-frame.tsx';

const SECTIONS = [
  ['prices', 'Methods and prices'],
  ['processing', 'Processing'],
  ['cancel', 'Cancelling'],
  ['day', 'On the day'],
  ['trouble', 'If something goes wrong'],
] as const;

export function Component() {
  const { shop } = useContext(CompanyContext);
  const { methods, promise } = useContext(DeliveryContext);
  // The specified prices stay while the shop delivers free of charge as it was set up (specification §9).
  const isFree = promise === promiseOf(deliveryOf(defaultDelivery('classic', 0)).methods);
  const tariff = tariffOf(isFree ? deliveryOf(defaultDelivery('uk', 0)).methods : methods);
  return (
    <PolicyFrame
      title="Shipping policy"
      description={`Delivery methods, prices and times at ${shop}, across the UK.`}
      canonical="/shipping-policy"
      sections={SECTIONS}
    >
      <p className="mt-4">We deliver all over the UK.</p>
      <h2 id="prices">Methods and prices</h2>
      <table className="w-full text-left">
        <thead>
          <tr>
            <th scope="col" className="py-2 pr-4">
              Method
            </th>
            <th scope="col" className="py-2 pr-4">
              Time
            </th>
            <th scope="col" className="py-2">
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          {tariff.map(([method, time, price]) => (
            <tr key={method} className="border-t border-line">
              <th scope="row" className="py-2 pr-4 font-normal">
                {method}
              </th>
              <td className="py-2 pr-4">{time}</td>
              <td className="py-2">{price}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isFree && (
        <p>
          <strong>Delivery is free on every order at the moment.</strong> We charge none of the prices above, and send everything by
          standard delivery.
        </p>
      )}
      <h2 id="processing">Processing</h2>
      <p>
        Orders are processed in 1-2 business days. The delivery times above start then. Business days are Monday to Friday, except public
        holidays.
      </p>
      <h2 id="cancel">Cancelling</h2>
      <p>
        Please request a cancellation within 1-2 hours of placing the order. You can cancel later than that as well: an order, or pieces of
        it, can be cancelled on its own page until we start to pack it. After that you can send it back once it has arrived: see the{' '}
        <Link to="/refund-policy">refund policy</Link>.
      </p>
      <h2 id="day">On the day</h2>
      <p>
        Two people deliver large pieces to a room of your choice. The carrier tells you that morning which two hours to expect them in.
        Please measure doors, stairs and lifts against the measurements on the product’s page before you order.
      </p>
      <h2 id="trouble">If something goes wrong</h2>
      <p>If your order is late or arrives damaged, write to us. It is at our risk until it is in your hands.</p>
    </PolicyFrame>
  );
}
