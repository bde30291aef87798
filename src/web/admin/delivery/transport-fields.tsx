import { CARRIER_LENGTH, CARRIERS, carrierName, carrierOf } from '#contract/delivery/carriers.ts';
import type { Parcel } from '#contract/delivery/parcels.schema.ts';
import { Field, Select } from '#web/ui/form/field.tsx';
import type { useForm } from '#web/ui/form/use-form.ts';

/** Who brings a parcel, as it is chosen: a known carrier by its name, or another one and the name that was typed. */
export interface CarrierTexts {
  carrier: string;
  otherCarrier: string;
}

/** How a parcel travels, as it is typed. */
export interface TransportTexts extends CarrierTexts {
  trackingNumber: string;
  trackingLink: string;
  expectedOn: string;
}

/** The names of known carriers to choose from; the first means none. */
export const CARRIER_NAMES = ['', ...Object.values(CARRIERS).map(({ name }) => name)];
const OTHER = 'Another carrier';

/** The fields of a parcel that is already known, or empty ones. */
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

/** What was typed, as the API takes it. */
export const transportOf = ({ carrier, otherCarrier, trackingNumber, trackingLink, expectedOn }: TransportTexts) => ({
  carrier: carrierOf(carrier === OTHER ? otherCarrier : carrier),
  trackingNumber,
  trackingLink,
  expectedOn,
});

type Bound = ReturnType<ReturnType<typeof useForm<CarrierTexts>>['bind']>;
/** Of any form that has these fields among others. */
type BindCarrier = (name: keyof CarrierTexts) => Omit<Bound, 'id' | 'name'> & { id: string; name: string };

/** Who brings it; another carrier is named by hand, and customers read that name. */
export function CarrierFields({ bind, chosen }: { bind: BindCarrier; chosen: string }) {
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

/** Carrier, tracking number, link and expected day; all may stay empty. */
export function TransportFields({ bind, chosen }: { bind: ReturnType<typeof useForm<TransportTexts>>['bind']; chosen: string }) {
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
