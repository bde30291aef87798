import { type ReactNode, useState } from 'react';
import type { Facets } from '#contract/catalogue/catalogue.ts';
import type { ColourFamily } from '#contract/catalogue/colour.ts';
import { capitalised, chosenOf, type ValueFilter } from '#web/shop/filters/filters.ts';
import { ChoiceRow } from './choice-row.tsx';
import { FilterGroup } from './filter-group.tsx';

const SWATCHES: Record<ColourFamily, string> = {
  white: '#ffffff',
  beige: '#dccdb4',
  grey: '#929292',
  black: '#232323',
  brown: '#7a5640',
  red: '#a3282f',
  orange: '#d9803f',
  yellow: '#e0b638',
  green: '#566b4a',
  blue: '#3f6290',
  purple: '#6d4a86',
  pink: '#dfa3ac',
};

/** Decoration; keeps its colour in forced-colours mode. */
function Swatch({ family }: { family: string }) {
  const backgroundColor = SWATCHES[family as ColourFamily];
  return (
    <span
      aria-hidden="true"
      className="size-5 shrink-0 rounded-full border border-edge forced-color-adjust-none"
      style={{ backgroundColor }}
    />
  );
}

/** The values of a long list that are shown at first. */
const SHOWN_FIRST = 6;
/** Shorter lists are not folded. */
const WORTH_FOLDING = SHOWN_FIRST + 3;

interface FoldProps {
  total: number;
  /** Initially; then the visitor's choice. */
  open: boolean;
  children: ReactNode;
}

/** The rest of a long list, as a native disclosure. */
function Fold({ total, open, children }: FoldProps) {
  const [isOpen] = useState(open);
  return (
    <details className="group/fold" open={isOpen}>
      <summary className="link flex min-h-target list-none items-center text-sm lg:min-h-8 [&::-webkit-details-marker]:hidden">
        <span className="group-open/fold:hidden">Show all {total}</span>
        <span className="hidden group-open/fold:inline">Show fewer</span>
      </summary>
      <ul>{children}</ul>
    </details>
  );
}

interface ValueFilterProps {
  filter: ValueFilter;
  search: URLSearchParams;
  facets: Facets | null;
  open?: boolean;
}

/** A filter's values, most frequent first; a product must have one of those chosen. */
export function ValueFilterGroup({ filter, search, facets, open = false }: ValueFilterProps) {
  const { facet, parameter, label } = filter;
  const chosen = chosenOf(filter, search, facets);
  const counted = facets?.[facet] ?? [];
  // Chosen values stay in the list, also if they leave no products.
  const uncounted = chosen.filter((name) => !counted.some(({ value }) => value === name));
  const values: { value: string; count: number | undefined }[] = [
    ...counted,
    ...uncounted.map((value) => ({ value, count: facets ? 0 : undefined })),
  ];
  if (values.length === 0) return null;
  const rows = values.map(({ value, count }) => (
    <li key={value}>
      <ChoiceRow
        name={parameter}
        value={value}
        count={count}
        type="checkbox"
        isEstimate={facets?.isEstimate ?? false}
        chosen={chosen.includes(value)}
      >
        {facet === 'colours' && <Swatch family={value} />}
        {capitalised(value)}
      </ChoiceRow>
    </li>
  ));
  const shownCount = values.length < WORTH_FOLDING ? rows.length : SHOWN_FIRST;
  return (
    <FilterGroup label={label} chosen={chosen.length} open={open}>
      <ul>{rows.slice(0, shownCount)}</ul>
      {shownCount < rows.length && (
        <Fold total={rows.length} open={values.slice(shownCount).some(({ value }) => chosen.includes(value))}>
          {rows.slice(shownCount)}
        </Fold>
      )}
    </FilterGroup>
  );
}
