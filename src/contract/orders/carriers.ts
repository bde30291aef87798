/** Who brings parcels, with the page that shows where one is; `{number}` stands for its tracking number. */
export const CARRIERS = {
  royal_mail: { name: 'Royal Mail', page: 'https://www.royalmail.com/track-your-item#/tracking-results/{number}' },
  parcelforce: { name: 'Parcelforce', page: 'https://www.parcelforce.com/track-trace?trackNumber={number}' },
  dpd: { name: 'DPD', page: 'https://www.dpd.co.uk/apps/tracking/?reference={number}' },
  evri: { name: 'Evri', page: 'https://www.evri.com/track/parcel/{number}' },
  dhl: { name: 'DHL', page: 'https://www.dhl.com/gb-en/home/tracking.html?tracking-id={number}' },
  ups: { name: 'UPS', page: 'https://www.ups.com/track?tracknum={number}' },
  fedex: { name: 'FedEx', page: 'https://www.fedex.com/fedextrack/?trknbr={number}' },
  own_van: { name: 'Our own van', page: '' },
  other: { name: 'Another carrier', page: '' },
} as const;

export type Carrier = keyof typeof CARRIERS;
export const CARRIER_KEYS = Object.keys(CARRIERS) as [Carrier, ...Carrier[]];

const isCarrier = (key: string): key is Carrier => key in CARRIERS;

/** What people call a carrier; empty where nobody said which. */
export const carrierName = (key: string): string => (isCarrier(key) ? CARRIERS[key].name : '');

/** Where a parcel can be followed: the link that an administrator gave, else the carrier's page of that number; empty where there is neither. */
export function trackingUrl(parcel: { carrier: string; trackingNumber: string; trackingLink: string }): string {
  const { carrier, trackingNumber, trackingLink } = parcel;
  if (trackingLink) return trackingLink;
  const page = isCarrier(carrier) ? CARRIERS[carrier].page : '';
  return page && trackingNumber ? page.replace('{number}', encodeURIComponent(trackingNumber.replaceAll(' ', ''))) : '';
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');

/** The carrier that a text begins with, however it is written: `DPD UK`, `ROYALMAIL Tracked 48`. */
export function carrierIn(text: string): Carrier | undefined {
  const letters = lettersOf(text);
  return CARRIER_KEYS.find((key) => letters.startsWith(lettersOf(key)) || letters.startsWith(lettersOf(CARRIERS[key].name)));
}
