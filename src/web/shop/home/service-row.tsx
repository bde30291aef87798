import { useContext } from 'react';
import { CompanyContext } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
import icons from './pictures/services.svg';

const SERVICES = [
  { title: 'Delivery', text: 'To your door, anywhere in the UK', to: '/shipping-policy' },
  { title: 'Returns', text: 'How to send something back', to: '/refund-policy' },
  { title: 'Payment', text: 'By card, or cash on delivery', to: '/legal#payment' },
];

/** Questions before buying, each a link to its answer. */
export function ServiceRow() {
  const { showroom } = useContext(CompanyContext);
  const help = { title: 'Help', text: showroom ? 'Call, email or visit us' : 'Call or email us', to: '/contact' };
  return (
    <ul aria-label="Services" className="container-page grid grid-cols-2 gap-x-4 gap-y-2 pt-6 lg:grid-cols-4">
      {[...SERVICES, help].map(({ title, text, to }) => (
        <li key={title}>
          <Link to={to} className="group flex min-h-14 items-start gap-3 py-2">
            <svg aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent">
              <use href={`${icons}#${title}`} />
            </svg>
            <span>
              <span className="block font-medium group-hover:underline">{title}</span>
              <span className="block text-sm text-soft">{text}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
