/** The shop, who runs it and how to reach them, from the settings: for pages, documents and every mail. What is empty is not said anywhere. */
export interface Company {
  /** What the shop calls itself. */
  shop: string;
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
  /** Where customers send pieces back that can be posted, in one line; empty: to the registered office. */
  returnsAddress: string;
  /** Its VAT number, such as GB123456789; empty where it is not registered, and then no text speaks of VAT that prices contain. */
  vatNumber: string;
  email: string;
  phone: string;
  /** When the phone is answered, in one line. */
  hours: string;
  /** Whose stars a product has that no customer has reviewed. */
  ratingSource: string;
  /** After so many days a card checkout that was never paid forgets its buyer: what the company promises on its privacy page. */
  unpaidDays: number;
}

/** What the law asks a British company to say of itself on its pages and in its mails. What the settings leave empty is left out. */
export function companyText({ shop, name, number, office, vatNumber }: Company): string {
  const registered = number && `, registered in England and Wales, company number ${number}`;
  const company = name && `${name === shop ? shop : `${shop} is a trading name of ${name}`}${registered}.`;
  return [company, office && `Registered office: ${office}.`, vatNumber && `VAT number ${vatNumber}.`].filter(Boolean).join(' ');
}

/** `01632 960148` → `tel:+441632960148`, for a link. */
export const phoneUrl = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '').replace(/^0/, '+44')}`;
