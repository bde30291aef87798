/** Known carriers with their tracking pages. */
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
/** Stored by earlier versions for an unknown carrier. */
const UNNAMED = 'other';

const isCarrier = (key: string): key is Carrier => key in CARRIERS;

/** The name of a stored carrier; may be empty. */
export const carrierName = (stored: string): string => (isCarrier(stored) ? CARRIERS[stored].name : stored === UNNAMED ? '' : stored);

/** A carrier to store: the key of a known one, by key or name, else the typed name. */
export function carrierOf(typed: string): string {
  const text = typed.trim();
  const known = CARRIER_KEYS.find((key) => key === text || CARRIERS[key].name.toLowerCase() === text.toLowerCase());
  return known ?? (text === UNNAMED ? '' : text);
}

/** A parcel's tracking page: the typed link, else the carrier's page; may be empty. */
export function trackingUrl(parcel: { carrier: string; trackingNumber: string; trackingLink: string }): string {
  const { carrier, trackingNumber, trackingLink } = parcel;
  if (trackingLink) return trackingLink;
  const page = isCarrier(carrier) ? CARRIERS[carrier].page : '';
  return page && trackingNumber ? page.replace('{number}', encodeURIComponent(trackingNumber.replaceAll(' ', ''))) : '';
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');

/** The known carrier at the start of a text: `DPD UK`, `ROYALMAIL Tracked 48`. */
export function carrierIn(text: string): Carrier | undefined {
  const letters = lettersOf(text);
  return CARRIER_KEYS.find((key) => letters.startsWith(lettersOf(key)) || letters.startsWith(lettersOf(CARRIERS[key].name)));
}
