import { X } from 'lucide-react';
import { Link } from 'react-router';
import type { Facets, ProductList } from '#contract/catalogue/catalogue.ts';
import { appliedFilters, type Step, withoutFilters } from './filters-in-force.ts';
import { withParameters } from './list-url.ts';

export interface AppliedFiltersProps {
  search: URLSearchParams;
  facets: Facets | null;
  list: Pick<ProductList, 'chips' | 'plainSearch'>;
}

/** Chips for the URL's filters and for those found in the search text (price, length, colour, material). */
export function AppliedFilters({ search, facets, list: { chips, plainSearch } }: AppliedFiltersProps) {
  const understood: Step[] = chips.map((chip) => ({ text: chip.label, href: withParameters(search, { search: chip.search }) }));
  const all = [...understood, ...appliedFilters(search, facets)];
  if (all.length === 0) return null;
  const nothing = withoutFilters(search, understood.length > 0 ? plainSearch : undefined);
  return (
    <ul aria-label="Applied filters" className="mb-6 flex flex-wrap items-center gap-2">
      {all.map(({ text, href }) => (
        <li key={text + href}>
          <Link
            to={href}
            preventScrollReset
            className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-edge bg-paper px-3 text-sm wrap-anywhere hover:border-ink"
            aria-label={`Remove filter: ${text}`}
          >
            {text}
            <X aria-hidden="true" className="size-4 shrink-0" />
          </Link>
        </li>
      ))}
      {all.length > understood.length && (
        <li>
          <Link to={nothing} preventScrollReset className="link inline-flex min-h-8 items-center text-sm">
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}
