import { type Market, type MarketName, UNITED_KINGDOM } from './market.ts';

/** What a market asks of an address (specification §5, §9). Apart from the market, which every page loads. */
interface AddressRules {
  /** Whether an address in the country needs a state. */
  needsState(country: string): boolean;
  /** A hint for the postal code. */
  zipHint(country: string): string | undefined;
  /** The message for an invalid country, or undefined. */
  countryProblem(country: string): string | undefined;
  /** The message for an invalid phone number, or undefined. */
  phoneProblem(phone: string): string | undefined;
  /** The message for an invalid postal code, or undefined. */
  postalCodeProblem(code: string, country: string): string | undefined;
}

const POSTCODE = /^(GIR0AA|[A-Z]{1,2}\d[A-Z\d]?\d[ABD-HJLNP-UW-Z]{2})$/;

/** A phone number, or a postal code of another country, without spaces, dashes and brackets; `+44` becomes the leading 0. */
export function compact(text: string): string {
  return text.replace(/[\s()[\]-]/g, '').replace(/^\+440?/, '0');
}

/** A phone number in digits only: `+44` or `0044` becomes the leading 0, and dots are removed. */
const compactPhone = (phone: string): string => compact(phone.replaceAll('.', '')).replace(/^00440?(?=\d{9,10}$)/, '0');

/** A UK postcode in capitals, without spaces and punctuation. */
export const compactPostcode = (code: string): string => code.replace(/[^\p{L}\d]/gu, '').toUpperCase();

const isPostcode = (code: string): boolean => POSTCODE.test(compactPostcode(code));

/** A UK postcode in its standard form: `sw1a1aa` → `SW1A 1AA`. Other codes stay as typed. */
export function tidyPostalCode({ postalCode, country }: { postalCode: string; country: string }): string {
  if (country !== UNITED_KINGDOM || !isPostcode(postalCode)) return postalCode;
  return compactPostcode(postalCode).replace(/(?=.{3}$)/, ' ');
}

const classic: AddressRules = {
  needsState: (country) => country !== UNITED_KINGDOM,
  zipHint: (country) => (country === UNITED_KINGDOM ? 'Your postcode, such as LS1 4AP.' : 'For a UK address, choose United Kingdom.'),
  countryProblem: () => undefined,
  phoneProblem(phone) {
    if (phone.trim() === '') return 'Phone number is required';
    return /^\d{11}$/.test(compactPhone(phone)) ? undefined : 'Phone number must be 11 digits';
  },
  postalCodeProblem(code, country) {
    if (code.trim() === '') return 'ZIP code is required';
    if (country === UNITED_KINGDOM && isPostcode(code)) return undefined;
    return compact(code).length === 5 ? undefined : 'ZIP code must be 5 digits';
  },
};

const uk: AddressRules = {
  needsState: () => false,
  zipHint: () => undefined,
  countryProblem: (country) => (country === UNITED_KINGDOM ? undefined : 'We deliver to the United Kingdom only'),
  phoneProblem(phone) {
    if (phone.trim() === '') return 'Phone number is required';
    return /^0[1-9]\d{8,9}$/.test(compactPhone(phone)) ? undefined : 'Enter a UK phone number, such as 07700 900123';
  },
  postalCodeProblem(code) {
    if (code.trim() === '') return 'Postcode is required';
    return isPostcode(code) ? undefined : 'Enter a UK postcode, such as SW1A 1AA';
  },
};

const RULES: Record<MarketName, AddressRules> = { classic, uk };

export const addressRulesOf = ({ name }: Pick<Market, 'name'>): AddressRules => RULES[name];
