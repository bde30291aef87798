import { Link } from 'react-router';

const LINKS = [
  { label: 'Terms of use', to: '/legal' },
  { label: 'Privacy policy', to: '/privacy' },
  { label: 'Shipping policy', to: '/shipping-policy' },
  { label: 'Refund policy', to: '/refund-policy' },
  { label: 'Contact', to: '/contact' },
];

/** The shop's pages on an image-sharing site and a social network (specification §2). */
export const SOCIAL_LINKS = [
  { label: 'Instagram', href: 'https://www.instagram.com/hearthandoak.example' },
  { label: 'Facebook', href: 'https://www.facebook.com/hearthandoak.example' },
];

export function Footer() {
  return (
    <footer className="mt-section bg-accent text-page">
      <div className="container-page grid gap-8 py-12 md:grid-cols-3">
        <div>
          <p className="font-display text-heading">Hearth &amp; Oak</p>
          <p className="mt-2 max-w-xs text-sm opacity-90">Furniture for real homes, delivered across the UK.</p>
        </div>
        <nav aria-label="Footer">
          <ul className="grid gap-1">
            {LINKS.map(({ label, to }) => (
              <li key={to}>
                <Link to={to} className="inline-flex min-h-8 items-center hover:underline">
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <ul className="grid content-start gap-1">
          {SOCIAL_LINKS.map(({ label, href }) => (
            <li key={href}>
              <a href={href} rel="noopener noreferrer" target="_blank" className="inline-flex min-h-8 items-center hover:underline">
                {label}
                <span className="sr-only"> (opens in a new tab)</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
      <p className="container-page border-t border-edge py-5 text-sm opacity-90">
        © {new Date().getFullYear()} Hearth &amp; Oak. All rights reserved.
      </p>
    </footer>
  );
}
