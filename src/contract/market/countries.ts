/** Countries by ISO 3166-1 code, in the order of their English names. */
const COUNTRIES =
  'AF Afghanistan|AL Albania|DZ Algeria|AD Andorra|AO Angola|AR Argentina|AM Armenia|AU Australia|AT Austria|AZ Azerbaijan|BS Bahamas|BH Bahrain|BD Bangladesh|BB Barbados|BE Belgium|BZ Belize|BJ Benin|BT Bhutan|BO Bolivia|BA Bosnia and Herzegovina|BW Botswana|BR Brazil|BN Brunei|BG Bulgaria|KH Cambodia|CM Cameroon|CA Canada|CL Chile|CN China|CO Colombia|CR Costa Rica|HR Croatia|CY Cyprus|CZ Czechia|DK Denmark|DO Dominican Republic|EC Ecuador|EG Egypt|SV El Salvador|EE Estonia|ET Ethiopia|FJ Fiji|FI Finland|FR France|GE Georgia|DE Germany|GH Ghana|GR Greece|GT Guatemala|HN Honduras|HK Hong Kong|HU Hungary|IS Iceland|IN India|ID Indonesia|IQ Iraq|IE Ireland|IL Israel|IT Italy|JM Jamaica|JP Japan|JO Jordan|KZ Kazakhstan|KE Kenya|KW Kuwait|KG Kyrgyzstan|LA Laos|LV Latvia|LB Lebanon|LT Lithuania|LU Luxembourg|MY Malaysia|MV Maldives|MT Malta|MU Mauritius|MX Mexico|MD Moldova|MC Monaco|MN Mongolia|ME Montenegro|MA Morocco|MZ Mozambique|MM Myanmar|NA Namibia|NP Nepal|NL Netherlands|NZ New Zealand|NG Nigeria|MK North Macedonia|NO Norway|OM Oman|PK Pakistan|PA Panama|PY Paraguay|PE Peru|PH Philippines|PL Poland|PT Portugal|QA Qatar|RO Romania|RW Rwanda|SA Saudi Arabia|SN Senegal|RS Serbia|SG Singapore|SK Slovakia|SI Slovenia|ZA South Africa|KR South Korea|ES Spain|LK Sri Lanka|SE Sweden|CH Switzerland|TW Taiwan|TJ Tajikistan|TZ Tanzania|TH Thailand|TT Trinidad and Tobago|TN Tunisia|TR Turkey|UG Uganda|UA Ukraine|AE United Arab Emirates|GB United Kingdom|US United States|UY Uruguay|UZ Uzbekistan|VN Vietnam|YE Yemen|ZM Zambia|ZW Zimbabwe'
    .split('|')
    .map((entry) => ({ code: entry.slice(0, 2), name: entry.slice(3) }));

/** Every country an order can be sent to, by name. */
export const COUNTRY_NAMES = COUNTRIES.map(({ name }) => name);
/** The same countries as two-letter codes, for the payment provider. */
export const COUNTRY_CODES = COUNTRIES.map(({ code }) => code);

/** `GB` → `United Kingdom`; a code that is not in the list is returned as it is. */
export function countryName(code: string): string {
  return COUNTRIES.find((country) => country.code === code)?.name ?? code;
}

/** `United Kingdom` → `GB`; throws for a country that is not in the list. */
export function countryCode(name: string): string {
  const country = COUNTRIES.find((entry) => entry.name === name);
  if (!country) throw new Error(`${name} is not in the list of countries.`);
  return country.code;
}
