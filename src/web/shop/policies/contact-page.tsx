import { useContext } from 'react';
import { type Company, companyText, phoneUrl } from '#contract/market/company.ts';
import { CompanyContext } from '#web/state/store.ts';
import { PolicyFrame } from './policy-frame.tsx';
import { ShopData } from './shop-data.tsx';

const SECTIONS = [
  ['write', 'Email or call us'],
  ['hours', 'Opening hours'],
  ['showroom', 'Showroom'],
  ['company', 'Company'],
  ['social', 'Social'],
] as const;

/** The sections for which the settings have content. */
function sectionsOf(company: Company) {
  const { email, phone, openingHours, showroom, social } = company;
  const content = {
    write: email || phone,
    // The opening hours are the showroom's.
    hours: showroom && openingHours.length > 0,
    showroom,
    company: companyText(company),
    social: social.length > 0,
  };
  return SECTIONS.filter(([id]) => content[id]);
}

export function Component() {
  const company = useContext(CompanyContext);
  const { shop, showroom, openingHours, social, email, phone, hours } = company;
  const sections = sectionsOf(company);
  const has = (wanted: string) => sections.some(([id]) => id === wanted);
  return (
    <PolicyFrame
      title="Contact information"
      description={showroom ? `Opening hours, showroom address and social links of ${shop}.` : `How to reach ${shop}.`}
      canonical="/contact"
      sections={sections}
    >
      <ShopData />
      {has('write') && <h2 id="write">Email or call us</h2>}
      <p>
        {email && (
          <>
            Email:{' '}
            <a href={`mailto:${email}`} className="wrap-anywhere">
              {email}
            </a>
            <br />
          </>
        )}
        {phone && (
          <>
            Telephone: <a href={phoneUrl(phone)}>{phone}</a>
          </>
        )}
        {phone && hours && ` (${hours})`}
      </p>
      <p>We reply by the next working day. If you are writing about an order, please include its number.</p>
      {has('hours') && (
        <>
          <h2 id="hours">Opening hours</h2>
          <table className="w-full max-w-sm text-left">
            <tbody>
              {openingHours.map(([days, times]) => (
                <tr key={days} className="border-t border-line">
                  <th scope="row" className="py-2 font-normal">
                    {days}
                  </th>
                  <td className="py-2 text-right">{times}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {has('showroom') && (
        <>
          <h2 id="showroom">Showroom</h2>
          <address className="not-italic">
            {[shop, ...showroom.split(/,\s*/), 'United Kingdom'].map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </address>
        </>
      )}
      {has('company') && (
        <>
          <h2 id="company">Company</h2>
          <p>{companyText(company)}</p>
        </>
      )}
      {has('social') && (
        <>
          <h2 id="social">Social</h2>
          <ul>
            {social.map(([label, url]) => (
              <li key={url}>
                <a href={url} target="_blank" rel="noopener noreferrer" className="inline-block py-1">
                  {label}
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </PolicyFrame>
  );
}
