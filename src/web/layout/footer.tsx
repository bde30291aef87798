import { useContext } from 'react';
import { companyText, phoneUrl } from '#contract/market/company.ts';
import { PaymentMarks } from '#web/parts/payment-marks.tsx';
import { CompanyContext } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';

const LINKS = [
  { label: 'Terms of use', to: '/legal' },
  { label: 'Privacy policy', to: '/privacy' },
  { label: 'Shipping policy', to: '/shipping-policy' },
  { label: 'Refund policy', to: '/refund-policy' },
  { label: 'Contact', to: '/contact' },
];

const LINK = 'inline-flex min-h-8 items-center hover:underline';

function Contact() {
  const { phone, hours, email } = useContext(CompanyContext);
  return (
    <div className="grid content-start gap-1 text-sm">
      {phone && (
        <a href={phoneUrl(phone)} className={`${LINK} font-display text-heading`}>
          {phone}
        </a>
      )}
      {hours && <p className="opacity-90">{hours}</p>}
      {email && (
        <a href={`mailto:${email}`} className={`${LINK} break-all`}>
          {email}
        </a>
      )}
    </div>
  );
}

export function Footer() {
  const company = useContext(CompanyContext);
  const { shop, strapline, social } = company;
  return (
    <footer className="mt-section bg-accent text-page">
      <div className="container-page grid gap-8 py-12 sm:grid-cols-2 lg:grid-cols-[2fr_1.5fr_1fr_1fr]">
        <div>
          <p className="font-display text-heading">{shop}</p>
          {strapline && <p className="mt-2 max-w-xs text-sm opacity-90">{strapline}</p>}
          <div className="mt-4">
            <PaymentMarks />
          </div>
        </div>
        <Contact />
        <nav aria-label="Footer">
          <ul className="grid gap-1">
            {LINKS.map(({ label, to }) => (
              <li key={to}>
                <Link to={to} className={LINK}>
                  {label}
                </Link>
              </li>
            ))}
            <li className="noscript:hidden">
              <Link to="/cart?wishlist" className={LINK}>
                Wish list
              </Link>
            </li>
          </ul>
        </nav>
        <ul className="grid content-start gap-1">
          {social.map(([label, url]) => (
            <li key={url}>
              <a href={url} rel="noopener noreferrer" target="_blank" className={LINK}>
                {label}
                <span className="sr-only"> (opens in a new tab)</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
      <div className="border-t border-edge opacity-90">
        <div className="container-page grid gap-1 py-5 text-sm">
          <p>
            © {new Date().getFullYear()} {shop}. All rights reserved.
          </p>
          <p>{companyText(company)}</p>
        </div>
      </div>
    </footer>
  );
}
