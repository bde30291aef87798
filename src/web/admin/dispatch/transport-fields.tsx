import { CARRIER_KEYS, CARRIERS, type Carrier, carrierName } from '#contract/orders/carriers.ts';
import type { Parcel } from '#contract/orders/parcels.schema.ts';
import { Field, Select } from '#web/ui/form/field.tsx';
import type { useForm } from '#web/ui/form/use-form.ts';

/** How a parcel travels, as it is typed. */
export interface TransportTexts {
  /** By its name. */
  carrier: string;
  trackingNumber: string;
  trackingLink: string;
  expectedOn: string;
}

/** The fields of a parcel that is already known, or empty ones. */
export const transportTexts = (parcel?: Parcel): TransportTexts => ({
  carrier: carrierName(parcel?.carrier ?? ''),
  trackingNumber: parcel?.trackingNumber ?? '',
  trackingLink: parcel?.trackingLink ?? '',
  expectedOn: parcel?.expectedOn ?? '',
});

/** The key of a carrier, by its name. */
export const keyOf = (name: string): Carrier | '' => CARRIER_KEYS.find((key) => CARRIERS[key].name === name) ?? '';

/** What was typed, as the API takes it. */
export const transportOf = ({ carrier, trackingNumber, trackingLink, expectedOn }: TransportTexts) => ({
  carrier: keyOf(carrier),
  trackingNumber,
  trackingLink,
  expectedOn,
});

/** The names of carriers to choose from; the first means none. */
export const CARRIER_NAMES = ['', ...Object.values(CARRIERS).map(({ name }) => name)];

/** Carrier, tracking number, link and expected day; all may stay empty. */
export function TransportFields({ bind }: { bind: ReturnType<typeof useForm<TransportTexts>>['bind'] }) {
  return (
    <>
      <Select label="Carrier" none="Not named" options={CARRIER_NAMES} {...bind('carrier')} />
      <Field label="Tracking number" autoComplete="off" maxLength={40} {...bind('trackingNumber')} />
      <Field
        label="Tracking link"
        type="url"
        autoComplete="off"
        hint="Only where the carrier’s own page is not known: it is made of the number otherwise."
        {...bind('trackingLink')}
      />
      <Field label="Expected on" type="date" {...bind('expectedOn')} />
    </>
  );
}
