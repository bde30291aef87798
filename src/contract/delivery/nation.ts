import { compactPostcode } from '#contract/market/address-rules.ts';
import { UNITED_KINGDOM } from '#contract/market/market.ts';

/** The parts of the United Kingdom with different bank holidays. */
export const NATIONS = ['england-and-wales', 'scotland', 'northern-ireland'] as const;
export type Nation = (typeof NATIONS)[number];

/** The postcode areas of Scotland, each followed by a digit; TD12 and TD15 lie in England. */
const SCOTLAND = /^(AB|DD|DG|EH|FK|G|HS|IV|KA|KW|KY|ML|PA|PH|TD(?!12|15)|ZE)\d/;

/** The nation whose bank holidays an address has, by its postcode: `BT1 5GS` → `northern-ireland`. Other countries count as England and Wales. */
export function nationOf({ postalCode, country }: { postalCode: string; country: string }): Nation {
  const code = compactPostcode(postalCode);
  if (country !== UNITED_KINGDOM) return 'england-and-wales';
  if (code.startsWith('BT')) return 'northern-ireland';
  return SCOTLAND.test(code) ? 'scotland' : 'england-and-wales';
}
