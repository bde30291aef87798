import type { PaymentWays } from './payment-ways.ts';

/** The tiles of the home page by the category that each leads to (specification §2). */
export const HOME_TILES = { wardrobe: 'Wardrobe', sofa: 'Sofa', chair: 'Chair', lamp: 'Lamp', bench: 'Bench', table: 'Table' } as const;
export type HomeTile = keyof typeof HOME_TILES;

/** The owner's pictures of the home page; for an absent one, the picture that comes with the shop is shown. */
export type HomePictures = Readonly<Partial<Record<'hero' | 'heroText' | HomeTile, string>>>;

/** The shop, its company and contact details from the settings, for pages, documents and mails. Empty fields are not shown. */
export interface Company {
  /** What the shop calls itself. */
  shop: string;
  /** What it says of itself at the foot of every page; may be empty. */
  strapline: string;
  /** The URL of its logo; empty if its name is shown instead. */
  logo: string;
  home: HomePictures;
  /** Where its showroom is, in one line; empty where it has none. */
  showroom: string;
  /** When the showroom is open: days and times. */
  openingHours: (readonly [days: string, times: string])[];
  /** Its pages on an image-sharing site and a social network (specification §2). */
  social: (readonly [label: string, url: string])[];
  /** The company's registered name, which may differ from the shop's. */
  name: string;
  /** Its number at Companies House. */
  number: string;
  /** Its registered office, in one line. */
  office: string;
  /** The shop collects small returns too, so nobody posts any. */
  collectsReturns: boolean;
  /** Where customers send pieces back that can be posted, in one line; empty: to the registered office. */
  returnsAddress: string;
  /** Its VAT number, such as GB123456789; empty if it is not registered, and then no text mentions VAT. */
  vatNumber: string;
  email: string;
  phone: string;
  /** When the phone is answered, in one line. */
  hours: string;
  payment: PaymentWays;
  /** The source of a product's stars before its first review. */
  ratingSource: string;
  /** Days after which an unpaid card checkout forgets its buyer, as the privacy page promises. */
  unpaidDays: number;
}

/** The register that a company's number is from. */
const REGISTERS: Readonly<Record<string, string>> = { SC: 'Scotland', NI: 'Northern Ireland' };

/** The company details that British law requires on pages and in mails, without empty ones. */
export function companyText({ shop, name, number, office, vatNumber }: Company): string {
  const registered = number && `, registered in ${REGISTERS[number.slice(0, 2)] ?? 'England and Wales'}, company number ${number}`;
  const company = name && `${name === shop ? shop : `${shop} is a trading name of ${name}`}${registered}.`;
  return [company, office && `Registered office: ${office}.`, vatNumber && `VAT number ${vatNumber}.`].filter(Boolean).join(' ');
}

/** `01632 960148` → `tel:+441632960148`, for a link. */
export const phoneUrl = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '').replace(/^0/, '+44')}`;
