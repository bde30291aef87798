/** The placeholders of a text of the owner's, which stand in braces, each with its meaning or its value. */
export type Placeholders = Readonly<Record<string, string>>;

/** The URLs that a link in the owner's texts may have. */
export const isLinkable = (url: string): boolean => /^(https:\/\/|mailto:|tel:|\/(?!\/)|#)/.test(url);

/** A link or a picture in Markdown. Its label and its URL may contain brackets. */
const LINKS = /(?<!\\)(!?)\[((?:[^[\]\n]|\[[^[\]\n]*\])*)\]\(\s*<?((?:\([^()\s]*\)|[^()\s>])*)/g;

const PLACEHOLDER = /\{([^{}\n]*)\}/g;

function linkProblem(text: string): string | undefined {
  for (const [, pictureMark, label = '', url = ''] of text.matchAll(LINKS)) {
    if (pictureMark) return `Pictures cannot stand in this text: take out ![${label}](${url})`;
    if (!isLinkable(url))
      return `[${label}](${url}) is not a link that works here: write an address with https://, or a page of the shop such as /contact`;
  }
  return undefined;
}

/** Why a text cannot be published: a placeholder that its kind does not have, HTML, or a link that is not allowed. Undefined if it can. */
export function textProblem(text: string, placeholders: Placeholders): string | undefined {
  const known = Object.keys(placeholders);
  const unknown = [...text.matchAll(PLACEHOLDER)].find(([, name = '']) => !known.includes(name));
  if (unknown) return `${unknown[0]} is not a placeholder here. There are ${known.map((name) => `{${name}}`).join(', ')}`;
  const tag = /<\/?[a-z][^<>]*>/i.exec(text);
  return tag ? `Write **bold**, [a link](/contact) and ## headings instead of HTML such as ${tag[0]}` : linkProblem(text);
}

/** A text with the values of its placeholders. */
export const filledIn = (text: string, values: Placeholders): string =>
  text.replace(PLACEHOLDER, (whole, name: string) => values[name] ?? whole);

export const POLICY_PLACEHOLDERS = {
  shop: 'the trading name',
  company: 'the registered name',
  office: 'the registered address',
  email: 'the email address',
  phone: 'the phone number',
  showroom: 'the address of the showroom',
  andShowroom: '“ and from its showroom”, if there is one',
  vatTerms: '“ and include VAT”, or that the shop is not registered for it',
  deliveryPrices: 'a table of the methods and prices of delivery, in a paragraph of its own',
  returnDays: 'the days in which a customer can change their mind',
  howReturnsTravel: 'who collects or posts a return, and who pays for it',
  unpaidPeriod: 'how long an unfinished card payment is remembered, such as “30 days”',
} as const satisfies Placeholders;
