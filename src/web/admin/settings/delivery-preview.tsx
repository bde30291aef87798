import { deliveryOf } from '#contract/delivery/delivery-settings.ts';
import { promiseOf, tariffOf } from '#contract/delivery/methods.ts';
import { SECTIONS, type ShopSettings } from '#contract/settings/sections.schema.ts';

/** What product pages and the shipping policy say of the methods as typed. */
export function DeliveryPreview({ values }: { values: ShopSettings['delivery'] }) {
  const { data } = SECTIONS.delivery.schema.safeParse(values);
  if (!data) return <p className="hint">Customers’ words are shown here once everything is filled in.</p>;
  const { methods } = deliveryOf(data);
  return (
    <div className="panel grid gap-3">
      <p className="hint">On product pages:</p>
      <p>{promiseOf(methods)}</p>
      <p className="hint">In the shipping policy:</p>
      <ul>
        {tariffOf(methods).map((row) => (
          <li key={row[0]}>{row.join(': ')}</li>
        ))}
      </ul>
    </div>
  );
}
