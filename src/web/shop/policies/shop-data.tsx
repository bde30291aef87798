import { useContext } from 'react';
import type { Company } from '#contract/market/company.ts';
import { openingHoursOf } from '#contract/market/opening-hours.ts';
import { JsonLd } from '#web/parts/json-ld.tsx';
import { CompanyContext, OriginContext } from '#web/state/store.ts';

/** `1 Mill Lane, Bristol BS1 4XX` → the address in parts. */
function addressOf(line: string): object {
  const [, beforePostcode = line, postalCode] = /^(.*?),?\s*([A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2})$/i.exec(line) ?? [];
  const parts = beforePostcode.split(/,\s*/);
  const addressLocality = parts.length > 1 ? parts.pop() : undefined;
  return { '@type': 'PostalAddress', streetAddress: parts.join(', '), addressLocality, postalCode, addressCountry: 'GB' };
}

const hoursSchema = ({ openingHours }: Company) =>
  openingHours.flatMap((row) => {
    const hours = openingHoursOf(...row);
    return hours ? { '@type': 'OpeningHoursSpecification', dayOfWeek: hours.days, opens: hours.opens, closes: hours.closes } : [];
  });

/** The shop for search engines: a store with an address and its hours where there is a showroom, otherwise an online shop. */
export function ShopData() {
  const origin = useContext(OriginContext);
  const company = useContext(CompanyContext);
  const { shop, showroom, email, phone, social, logo } = company;
  const showroomData = showroom && { address: addressOf(showroom), openingHoursSpecification: hoursSchema(company) };
  const data = {
    '@context': 'https://schema.org',
    '@type': showroom ? 'FurnitureStore' : 'OnlineStore',
    name: shop,
    url: `${origin}/`,
    ...(email && { email }),
    ...(phone && { telephone: phone }),
    ...(logo && { logo: origin + logo }),
    ...showroomData,
    sameAs: social.map(([, url]) => url),
  };
  return <JsonLd data={data} />;
}
