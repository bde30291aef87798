import { CARRIER_LENGTH, CARRIERS, carrierName, carrierOf } from '#contract/delivery/carriers.ts';
import type { Parcel } from '#contract/delivery/parcels.schema.ts';
import { Field, Select } from '#web/ui/form/field.tsx';
import type { Bind } from '#web/ui/form/use-form.ts';

/** The chosen carrier: a known one by its name, or `OTHER` and a typed name. */
export interface CarrierTexts {
  carrier: string;
  otherCarrier: string;
}

export interface TransportTexts extends CarrierTexts {
  trackingNumber: string;
  trackingLink: string;
  expectedOn: string;
}

/** Known carriers; the empty name means none. */
export const CARRIER_NAMES = ['', ...Object.values(CARRIERS).map(({ name }) => name)];
const OTHER = 'Another carrier';

export function transportTexts(parcel?: Parcel): TransportTexts {
  const name = carrierName(parcel?.carrier ?? '');
  const isKnown = CARRIER_NAMES.includes(name);
  return {
    carrier: isKnown ? name : OTHER,
    otherCarrier: isKnown ? '' : name,
    trackingNumber: parcel?.trackingNumber ?? '',
    trackingLink: parcel?.trackingLink ?? '',
    expectedOn: parcel?.expectedOn ?? '',
  };
}

/** The API's form of what was typed. */
export const transportOf = ({ carrier, otherCarrier, trackingNumber, trackingLink, expectedOn }: TransportTexts) => ({
  carrier: carrierOf(carrier === OTHER ? otherCarrier : carrier),
  trackingNumber,
  trackingLink,
  expectedOn,
});

export function CarrierFields({ bind, chosen }: { bind: Bind<keyof CarrierTexts>; chosen: string }) {
  return (
    <>
      <Select label="Carrier" none="Not named" options={[...CARRIER_NAMES, OTHER]} {...bind('carrier')} />
      {chosen === OTHER && (
        <Field
          label="Name of the carrier"
          autoComplete="off"
          maxLength={CARRIER_LENGTH}
          hint="Shown to customers."
          {...bind('otherCarrier')}
        />
      )}
    </>
  );
}

export function TransportFields({ bind, chosen }: { bind: Bind<keyof TransportTexts>; chosen: string }) {
  return (
    <>
      <CarrierFields bind={bind} chosen={chosen} />
      <Field label="Tracking number" autoComplete="off" maxLength={40} {...bind('trackingNumber')} />
      <Field
        label="Tracking link"
        type="url"
        autoComplete="off"
        hint="Only needed where we do not know the carrier’s tracking page."
        {...bind('trackingLink')}
      />
      <Field label="Expected on" type="date" {...bind('expectedOn')} />
    </>
  );
}
