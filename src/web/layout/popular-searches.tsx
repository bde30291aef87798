import { Link } from '#web/ui/link.tsx';

/** Shortcuts of the search overlay (specification §9). */
const POPULAR_SEARCHES = [
  { label: 'Chair', to: '/shop?search=chair' },
  { label: 'Lamp', to: '/shop?search=lamp' },
  { label: 'Bench', to: '/shop?search=bench' },
  { label: 'Table Decor', to: '/shop?search=table%20decor' },
] as const;

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
