import { History, type LucideIcon, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Suggestions } from '#contract/catalogue/catalogue.ts';
import type { Market } from '#contract/market/market.ts';
import { priceText } from '#web/parts/price-text.ts';
import { Picture } from '#web/ui/picture.tsx';

export interface Option {
  to: string;
  /** Undefined if it leads to a product or category. */
  search?: string;
  content: ReactNode;
}

interface Group {
  label: string;
  className?: string;
  options: Option[];
}

export const searchAddress = (search: string) => `/shop?search=${encodeURIComponent(search)}`;

const searchOption = (search: string, Icon: LucideIcon): Option => ({
  to: searchAddress(search),
  search,
  content: (
    <>
      <Icon aria-hidden="true" className="size-4 shrink-0 text-soft" />
      <span className="min-w-0 break-words">{search}</span>
    </>
  ),
});

const productOption = (piece: Suggestions['products'][number], market: Market): Option => ({
  to: `/product/${piece._id}`,
  content: (
    <>
      <span className="w-12 shrink-0 overflow-hidden rounded-soft">
        <Picture src={piece.image ?? ''} alt="" sizes="48px" />
      </span>
      <span className="min-w-0">
        <span className="block leading-snug">{piece.name}</span> <span className="block font-semibold">{priceText(market, piece)}</span>
      </span>
    </>
  ),
});

/** Suggestions in arrow-key order: searches, categories, products. */
export function groupsOf({ searches, categories, products }: Suggestions, recent: readonly string[], market: Market): Group[] {
  const groups: Group[] = [
    {
      label: 'Searches',
      options: [...searches.map((search) => searchOption(search, Search)), ...recent.map((search) => searchOption(search, History))],
    },
    {
      label: 'Categories',
      options: categories.map((category) => ({ to: `/shop?query=${encodeURIComponent(category)}`, content: category })),
    },
    {
      label: 'Products',
      className: 'md:grid md:grid-cols-2 md:gap-x-6',
      options: products.map((product) => productOption(product, market)),
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
  const placeOf = (group: Group) => groups.slice(0, groups.indexOf(group)).reduce((sum, { options }) => sum + options.length, 0);
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
                id={optionId(id, placeOf(group) + index)}
                to={option.to}
                role="option"
                tabIndex={-1}
                aria-selected={placeOf(group) + index === active}
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
