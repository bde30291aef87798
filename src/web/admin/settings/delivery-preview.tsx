import { useState } from 'react';
import { isPostcodeOrFirstHalf } from '#contract/delivery/areas.ts';
import { deliveryOptionsFor } from '#contract/delivery/delivery-options.ts';
import { type DeliverySettings, deliveryOf } from '#contract/delivery/delivery-settings.ts';
import { promiseOf } from '#contract/delivery/delivery-texts.ts';
import { windowText } from '#contract/delivery/delivery-window.ts';
import { policyTariffOf } from '#contract/delivery/policy-tariff.ts';
import { UNITED_KINGDOM } from '#contract/market/market.ts';
import { pounds } from '#contract/market/money.ts';
import { SECTIONS, type ShopSettings } from '#contract/settings/sections.schema.ts';
import { Field } from '#web/ui/form/field.tsx';

/** Prices and days of an order placed now, by postcode and sum. */
function TryPostcode({ delivery }: { delivery: DeliverySettings }) {
  const [postalCode, setPostalCode] = useState('');
  const [sum, setSum] = useState('500');
  const subtotal = Math.round(Number(sum) * 100) || 0;
  const { area, options } = deliveryOptionsFor(delivery, {
    now: new Date().toISOString(),
    place: { postalCode, country: UNITED_KINGDOM },
    subtotal,
  });
  return (
    <fieldset className="grid gap-3">
      <legend className="legend">Try a postcode</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Postcode" required value={postalCode} onChange={({ target }) => setPostalCode(target.value)} />
        <Field label="Products for (£)" required value={sum} onChange={({ target }) => setSum(target.value)} />
      </div>
      <div role="status">
        {postalCode && !isPostcodeOrFirstHalf(postalCode) && <p className="hint">Write a UK postcode, or its first half.</p>}
        {isPostcodeOrFirstHalf(postalCode) && (
          <>
            <p className="hint">{area ? `In the area ${area.postcodes}:` : 'In no area:'}</p>
            {area?.refusal && <p>{area.refusal}</p>}
            <ul>
              {options.map(({ id, label, price, window }) => (
                <li key={id}>{[label, price === 0 ? 'free' : pounds(price), window && windowText(window)].filter(Boolean).join(', ')}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </fieldset>
  );
}

/** The typed delivery methods as product pages and the shipping policy show them, and their prices and days for a postcode. */
export function DeliveryPreview({ values }: { values: ShopSettings['delivery'] }) {
  const { data } = SECTIONS.delivery.schema.safeParse(values);
  if (!data) return <p className="hint">What customers will read is shown here once every field is filled in and none is wrong.</p>;
  const delivery = deliveryOf(data);
  return (
    <div className="panel grid gap-3">
      <p className="hint">On product pages:</p>
      <p>{promiseOf(delivery.methods)}</p>
      <p className="hint">In the shipping policy:</p>
      <ul>
        {policyTariffOf(delivery.methods).map((row) => (
          <li key={row[0]}>{row.join(': ')}</li>
        ))}
      </ul>
      <TryPostcode delivery={delivery} />
    </div>
  );
}
