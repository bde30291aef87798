import { TO_PAGE } from '#web/browser/focus.ts';
import { Link } from '#web/ui/link.tsx';
import { currentLink, HEADER_LINKS } from './links.ts';

interface HeaderLinksProps {
  here: Pick<Location, 'pathname' | 'search'>;
  className: string;
  onClick?: () => void;
}

export function HeaderLinks({ here, className, onClick }: HeaderLinksProps) {
  const current = currentLink(here);
  return HEADER_LINKS.map(({ label, to }) => (
    <li key={to}>
      <Link to={to} state={TO_PAGE} className={className} aria-current={to === current ? 'page' : undefined} onClick={onClick}>
        {label}
      </Link>
    </li>
  ));
}
