import { X } from 'lucide';
import type { Facets } from '#contract/catalogue/catalogue.ts';
import { SEARCH_SORTS, SORTS } from '#contract/catalogue/list-parameters.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { chipsOf, type ListLink, withoutFilters } from './applied-filters.ts';
import { withParameters } from './list-url.ts';

export interface FilterChipsProps {
  /** The list's parameters with those that its search asks for (`withFiltersFromSearch`). */
  search: URLSearchParams;
  /** The sort that words of the search ask for. */
  askedSort: string | undefined;
  facets: Facets | null;
}

/** What narrows the list: its filters, and what its search asks for (a price, a length, a colour, a sort). */
export function FilterChips({ search, askedSort, facets }: FilterChipsProps) {
  const sort = [...SORTS, ...SEARCH_SORTS].find(({ value }) => value === askedSort);
  const sortLinks: ListLink[] = sort ? [{ text: sort.label, href: withParameters(search, { sortBy: '' }) }] : [];
  const all = [...sortLinks, ...chipsOf(search, facets)];
  if (all.length === 0) return null;
  // “Clear all” also removes the sort that the search asks for; one that the visitor chose stays.
  const withoutAskedSort = new URLSearchParams(search);
  if (sort) withoutAskedSort.delete('sortBy');
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
            <Icon of={X} className="size-4 shrink-0" />
          </Link>
        </li>
      ))}
      <li>
        <Link to={withoutFilters(withoutAskedSort)} preventScrollReset className="link inline-flex min-h-8 items-center text-sm">
          Clear all
        </Link>
      </li>
    </ul>
  );
}
