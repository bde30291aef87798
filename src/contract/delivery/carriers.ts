/** Carriers with a name that the shop knows, and the page that shows where one is; `{number}` stands for its tracking number. */
export const CARRIERS = {
  royal_mail: { name: 'Royal Mail', page: 'https://www.royalmail.com/track-your-item#/tracking-results/{number}' },
  parcelforce: { name: 'Parcelforce', page: 'https://www.parcelforce.com/track-trace?trackNumber={number}' },
  dpd: { name: 'DPD', page: 'https://www.dpd.co.uk/apps/tracking/?reference={number}' },
  evri: { name: 'Evri', page: 'https://www.evri.com/track/parcel/{number}' },
  dhl: { name: 'DHL', page: 'https://www.dhl.com/gb-en/home/tracking.html?tracking-id={number}' },
  ups: { name: 'UPS', page: 'https://www.ups.com/track?tracknum={number}' },
  fedex: { name: 'FedEx', page: 'https://www.fedex.com/fedextrack/?trknbr={number}' },
  own_van: { name: 'Our own van', page: '' },
} as const;

export type Carrier = keyof typeof CARRIERS;
const CARRIER_KEYS = Object.keys(CARRIERS) as Carrier[];
/** The longest name of a carrier. */
export const CARRIER_LENGTH = 60;
/** Stored where an unknown carrier had no name yet. */
const UNNAMED = 'other';

const isCarrier = (key: string): key is Carrier => key in CARRIERS;

/** What people call a stored carrier: the name of a known one, or as it was typed; empty where nobody said which. */
export const carrierName = (stored: string): string => (isCarrier(stored) ? CARRIERS[stored].name : stored === UNNAMED ? '' : stored);

/** A carrier as it is stored: the key of a known one, given by its key or its name, or else the name that was typed. */
export function carrierOf(typed: string): string {
  const text = typed.trim();
  const known = CARRIER_KEYS.find((key) => key === text || CARRIERS[key].name.toLowerCase() === text.toLowerCase());
  return known ?? (text === UNNAMED ? '' : text);
}

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
