import { CircleHelp, History, type IconNode, Search } from 'lucide';
import type { ReactNode } from 'react';
import type { Suggestions } from '#contract/catalogue/catalogue.ts';
import { FILTERS } from '#contract/catalogue/filters.ts';
import { productPath } from '#contract/catalogue/variant.ts';
import type { Market } from '#contract/market/market.ts';
import { grouped } from '#contract/market/money.ts';
import { priceText } from '#web/parts/price-text.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { helpPages } from './help-pages.ts';

export interface Option {
  to: string;
  /** The search that it leads to; undefined for products, categories and help. */
  search?: string;
  content: ReactNode;
}

interface Group {
  label: string;
  className?: string;
  options: Option[];
}

export const searchAddress = (search: string) => `/shop?search=${encodeURIComponent(search)}`;

/** A text that marks the beginnings of words that were typed. */
function Marked({ text, typed }: { text: string; typed: string }) {
  const words = typed.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length === 0) return text;
  // Longest first: "so" must not keep "sofa" from being marked.
  const longestFirst = words.toSorted((one, other) => other.length - one.length).join('|');
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${longestFirst})`, 'giu'));
  // Every second part is a match.
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice, and the parts of a text never move.
      <mark key={index} className="bg-transparent font-semibold text-inherit underline decoration-clay decoration-2 underline-offset-4">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

const searchOption = (search: string, icon: IconNode, typed: string): Option => ({
  to: searchAddress(search),
  search,
  content: (
    <>
      <Icon of={icon} className="size-4 shrink-0 text-soft" />
      <span className="min-w-0 break-words">
        <Marked text={search} typed={typed} />
      </span>
    </>
  ),
});

const productOption = (piece: Suggestions['products'][number], market: Market, typed: string): Option => ({
  to: productPath(piece._id, piece),
  content: (
    <>
      <span className="w-12 shrink-0 overflow-hidden rounded-soft">
        <Picture src={piece.image ?? ''} alt="" sizes="48px" />
      </span>
      <span className="min-w-0">
        <span className="block leading-snug">
          <Marked text={piece.name} typed={typed} />
        </span>{' '}
        <span className="block font-semibold">{priceText(market, piece)}</span>
      </span>
    </>
  ),
});

const categoryOption = (name: string, parameter: string, typed: string): Option => ({
  to: `/shop?${parameter}=${encodeURIComponent(name)}`,
  content: (
    <span>
      <Marked text={name} typed={typed} />
    </span>
  ),
});

const helpOption = ({ label, to }: { label: string; to: string }): Option => ({
  to,
  content: (
    <>
      <Icon of={CircleHelp} className="size-4 shrink-0 text-soft" />
      {label}
    </>
  ),
});

interface Found extends Suggestions {
  /** The visitor's own searches. */
  recent: readonly string[];
  typed: string;
}

/** What is suggested, in the order in which the arrows go through it: pages of help, searches, categories, products, all results. */
export function groupsOf(
  { searches, categories, subCategories, products, help, total, isMore, recent, typed }: Found,
  market: Market,
): Group[] {
  const results = `${isMore ? 'more than ' : ''}${grouped(total)} ${total === 1 ? 'result' : 'results'}`;
  const groups: Group[] = [
    { label: 'Help', options: helpPages(help).map(helpOption) },
    {
      label: 'Searches',
      options: [
        ...searches.map((search) => searchOption(search, Search, typed)),
        ...recent.map((search) => searchOption(search, History, typed)),
      ],
    },
    {
      label: 'Categories',
      options: [
        ...categories.map((name) => categoryOption(name, FILTERS.categories.parameter, typed)),
        ...subCategories.map((name) => categoryOption(name, FILTERS.subCategories.parameter, typed)),
      ],
    },
    {
      label: 'Products',
      className: 'md:grid md:grid-cols-2 md:gap-x-6',
      options: products.map((product) => productOption(product, market, typed)),
    },
    {
      label: 'All results',
      options: total === 0 ? [] : [{ to: searchAddress(typed), search: typed, content: `See all ${results}` }],
    },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

export const optionId = (id: string, index: number) => `${id}-${index}`;

interface ListProps {
  id: string;
  groups: readonly Group[];
  /** The chosen option's index; -1 for none. */
  active: number;
  onChoose: (option: Option) => void;
}

/** A combobox list: the focus stays in the input. */
export function SuggestionList({ id, groups, active, onChoose }: ListProps) {
  const firstIndexOf = (group: Group) => groups.slice(0, groups.indexOf(group)).reduce((sum, { options }) => sum + options.length, 0);
  return (
    <div role="listbox" id={id} aria-label="Suggestions" className="mt-6 grid gap-6">
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of a list.
        <div key={group.label} role="group" aria-label={group.label}>
          <p role="presentation" aria-hidden="true" className="mb-1 text-sm font-semibold text-soft">
            {group.label}
          </p>
          <div role="presentation" className={group.className}>
            {group.options.map((option, index) => (
              <Link
                key={option.to}
                id={optionId(id, firstIndexOf(group) + index)}
                to={option.to}
                role="option"
                tabIndex={-1}
                aria-selected={firstIndexOf(group) + index === active}
                className="flex min-h-target items-center gap-3 rounded-soft px-2 py-1.5 hover:bg-stage aria-selected:bg-stage aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-accent"
                onClick={() => onChoose(option)}
              >
                {option.content}
              </Link>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
