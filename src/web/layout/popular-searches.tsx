import { Link } from 'react-router';
import { POPULAR_SEARCHES } from './links.ts';

export function PopularSearches({ onClick }: { onClick?: () => void }) {
  return (
    <ul className="mt-3 flex flex-wrap gap-3">
      {POPULAR_SEARCHES.map(({ label, to }) => (
        <li key={to}>
          <Link to={to} className="btn btn-secondary" onClick={onClick}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
