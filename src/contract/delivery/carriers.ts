/** A carrier of the owner's list. In `link`, the URL of its tracking page, `{number}` is the parcel's number; empty where it has none. */
export interface Carrier {
  name: string;
  link: string;
}

/** The list that a shop begins with. The two-man carriers' tracking pages also ask for a postcode, so they have no link. */
export const DEFAULT_CARRIERS: Carrier[] = [
  { name: 'Royal Mail', link: 'https://www.royalmail.com/track-your-item#/tracking-results/{number}' },
  { name: 'Parcelforce', link: 'https://www.parcelforce.com/track-trace?trackNumber={number}' },
  { name: 'DPD', link: 'https://www.dpd.co.uk/apps/tracking/?reference={number}' },
  { name: 'Evri', link: 'https://www.evri.com/track/parcel/{number}' },
  { name: 'DHL', link: 'https://www.dhl.com/gb-en/home/tracking.html?tracking-id={number}' },
  { name: 'UPS', link: 'https://www.ups.com/track?tracknum={number}' },
  { name: 'FedEx', link: 'https://www.fedex.com/fedextrack/?trknbr={number}' },
  { name: 'ArrowXL', link: '' },
  { name: 'AIT Home Delivery', link: '' },
  { name: 'DX 2-Man', link: '' },
  { name: 'Rhenus Home Delivery', link: '' },
  { name: 'XDP', link: '' },
  { name: 'Our own van', link: '' },
];

/** The longest name of a carrier. */
export const CARRIER_LENGTH = 60;

const plainOf = (text: string) => text.toLowerCase().replace(/[^a-z\d]/g, '');

/** Earlier versions stored a key in place of a name. */
const EARLIER_KEYS: Record<string, string> = {
  royal_mail: 'Royal Mail',
  parcelforce: 'Parcelforce',
  dpd: 'DPD',
  evri: 'Evri',
  dhl: 'DHL',
  ups: 'UPS',
  fedex: 'FedEx',
  own_van: 'Our own van',
  other: '',
};

/** The name of a stored carrier; may be empty. */
export const carrierName = (stored: string): string => EARLIER_KEYS[stored] ?? stored;

/** The listed carrier of a typed name. Another name is kept, without a tracking page. */
export function carrierOf(list: readonly Carrier[], typed: string): Carrier {
  const name = carrierName(typed.trim());
  return list.find((carrier) => plainOf(carrier.name) === plainOf(name)) ?? { name, link: '' };
}

/** The listed carrier at the start of a text: `DPD UK`, `ROYALMAIL Tracked 48`. Of several, the one with the longest name. */
export function carrierIn(list: readonly Carrier[], text: string): Carrier | undefined {
  const plain = plainOf(text);
  const starts = ({ name }: Carrier) => plainOf(name) !== '' && plain.startsWith(plainOf(name));
  return list.filter(starts).sort((one, other) => other.name.length - one.name.length)[0];
}

interface Tracked {
  carrier: string;
  trackingNumber: string;
  /** As typed for this parcel. */
  trackingLink: string;
  /** The carrier's link when the parcel left; null for parcels of earlier versions. */
  carrierLink: string | null;
}

/** A parcel's tracking page: the typed link, else the carrier's; may be empty. */
export function trackingUrl({ carrier, trackingNumber, trackingLink, carrierLink }: Tracked): string {
  if (trackingLink) return trackingLink;
  const link = carrierLink ?? DEFAULT_CARRIERS.find(({ name }) => name === carrierName(carrier))?.link ?? '';
  return link && trackingNumber ? link.replace('{number}', encodeURIComponent(trackingNumber.replaceAll(' ', ''))) : '';
}
