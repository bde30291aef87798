import { useContext } from 'react';
import { companyText, phoneUrl } from '#contract/market/company.ts';
import { SOCIAL_LINKS } from '#web/layout/footer/social-links.ts';
import { CompanyContext } from '#web/state/store.ts';
import { PolicyFrame } from './policy-frame.tsx';

const SECTIONS = [
  ['write', 'Email or call us'],
  ['hours', 'Opening hours'],
  ['showroom', 'Showroom'],
  ['company', 'Company'],
  ['social', 'Social'],
] as const;

const HOURS = [
  ['Monday to Friday', '9:30 to 18:00'],
  ['Saturday', '10:00 to 17:00'],
  ['Sunday', '11:00 to 16:00'],
];

export function Component() {
  const company = useContext(CompanyContext);
  const { email, phone, hours } = company;
  return (
    <PolicyFrame
      title="Contact information"
      description="Opening hours, showroom address and social links of Hearth & Oak."
      canonical="/contact"
      sections={SECTIONS}
    >
      <h2 id="write">Email or call us</h2>
      <p>
        {email && (
          <>
            Email: <a href={`mailto:${email}`}>{email}</a>
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
      <h2 id="hours">Opening hours</h2>
      <table className="w-full max-w-sm text-left">
        <tbody>
          {HOURS.map(([days, hours]) => (
            <tr key={days} className="border-t border-line">
              <th scope="row" className="py-2 font-normal">
                {days}
              </th>
              <td className="py-2 text-right">{hours}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2 id="showroom">Showroom</h2>
      <address className="not-italic">
        Hearth &amp; Oak
        <br />
        14 Tannery Yard
        <br />
        Leeds LS10 1AB
        <br />
        United Kingdom
      </address>
      <h2 id="company">Company</h2>
      <p>{companyText(company)}</p>
      <h2 id="social">Social</h2>
      <ul>
        {SOCIAL_LINKS.map(({ label, href }) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noopener noreferrer" className="inline-block py-1">
              {label}
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
          </li>
        ))}
      </ul>
    </PolicyFrame>
  );
}
