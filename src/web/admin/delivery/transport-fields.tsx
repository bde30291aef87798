import { CARRIER_LENGTH } from '#contract/delivery/carriers.ts';
import type { Parcel } from '#contract/delivery/parcels.schema.ts';
import type { ShopSettings } from '#contract/settings/sections.schema.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Field, Select } from '#web/ui/form/field.tsx';
import type { Bind } from '#web/ui/form/use-form.ts';

/** The name of the chosen carrier, or `OTHER` and a typed name. */
export interface CarrierTexts {
  carrier: string;
  otherCarrier: string;
}

export interface TransportTexts extends CarrierTexts {
  trackingNumber: string;
  trackingLink: string;
  expectedOn: string;
}

const OTHER = 'Another carrier';

/** Refuses another carrier without its name. */
export const carrierProblem = ({ carrier, otherCarrier }: CarrierTexts) => ({
  otherCarrier: carrier === OTHER && !otherCarrier.trim() && 'Write the name of the carrier',
});

/** The names of the owner's list; empty until they are loaded. */
export function useCarrierNames(): string[] {
  const { value } = useLoaded('GET /api/settings/:section', { params: { section: 'carriers' } });
  return value ? (value.values as ShopSettings['carriers']).list.map(({ name }) => name) : [];
}

export const transportTexts = (parcel?: Parcel): TransportTexts => ({
  carrier: parcel?.carrierName ?? '',
  otherCarrier: '',
  trackingNumber: parcel?.trackingNumber ?? '',
  trackingLink: parcel?.trackingLink ?? '',
  expectedOn: parcel?.expectedOn ?? '',
});

/** The API's form of what was typed. */
export const transportBody = ({ carrier, otherCarrier, trackingNumber, trackingLink, expectedOn }: TransportTexts) => ({
  carrier: carrier === OTHER ? otherCarrier : carrier,
  trackingNumber,
  trackingLink,
  expectedOn,
});

export function CarrierFields({ bind, chosen }: { bind: Bind<keyof CarrierTexts>; chosen: string }) {
  const options = new Set(['', ...useCarrierNames(), chosen, OTHER]);
  return (
    <>
      <Select label="Carrier" none="Not named" options={[...options]} {...bind('carrier')} />
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
        hint="Only needed where Shop settings, Carriers has no link for this carrier."
        {...bind('trackingLink')}
      />
      <Field label="Expected on" type="date" {...bind('expectedOn')} />
    </>
  );
}
