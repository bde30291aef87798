import { type ChangeEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Facets } from '#contract/catalogue/catalogue.ts';
import { LENGTH_BOUNDS } from '#contract/catalogue/filters.ts';
import { readBound } from '#contract/catalogue/length-bounds.ts';
import type { LengthUnit } from '#contract/catalogue/lengths.ts';
import { FILTER_PARAMETERS, type ListParameter, listParametersOf, unitOf } from '#contract/catalogue/list-parameters.ts';
import { VALUE_FILTERS } from '#web/shop/filters/filters.ts';
import { withParameters } from '#web/shop/filters/list-url.ts';
import { enteredPrice } from '#web/shop/filters/prices.ts';
import { useStateFrom } from '#web/ui/use-state-from.ts';
import { ChoiceRow, CountNote } from './choice-row.tsx';
import { DoorFilter } from './door-filter.tsx';
import { FilterGroup } from './filter-group.tsx';
import { inUnit, LengthFilterGroup } from './length-filter.tsx';
import { PriceFields } from './price-fields.tsx';
import { inOrderOf, withoutEmpty } from './stable-order.ts';
import { ValueFilterGroup } from './value-filter.tsx';
import { YourSpace } from './your-space.tsx';

export interface FilterPanelProps {
  /** The newest list's parameters, from `listParametersOf`. */
  search: URLSearchParams;
  facets: Facets | null;
  /** The form's id, for controls outside it. */
  id?: string;
  /** Inside a category, rows whose count becomes 0 disappear at once. Otherwise they keep their place for as long as choices are made here. */
  dropsEmptyRows?: boolean;
}

/** Availability (specification §2); the count stands beside the label. */
function Availability({ search, facets }: FilterPanelProps) {
  const count = useId();
  const [inStock, setInStock] = useStateFrom(search.has('inStock'));
  return (
    <fieldset>
      <legend className="legend">Availability</legend>
      <div className="flex items-center">
        <label className="flex min-h-target flex-1 items-center gap-3">
          <input
            type="checkbox"
            name="inStock"
            value="true"
            className="size-5 accent-accent"
            aria-describedby={count}
            checked={inStock}
            onChange={({ target }) => setInStock(target.checked)}
          />
          In Stock Only
        </label>
        <CountNote id={count} {...flagCount(facets, 'inStock')} />
      </div>
    </fieldset>
  );
}

const flagCount = (facets: Facets | null, flag: 'inStock' | 'new' | 'sale') => ({
  count: facets ? (facets.flags.find(({ value }) => value === flag)?.count ?? 0) : undefined,
  isEstimate: facets?.isEstimate ?? false,
});

function Rating({ search, facets }: FilterPanelProps) {
  const [chosen, setChosen] = useStateFrom(search.get('rating') ?? '');
  const counted = (facets?.ratings ?? []).toSorted((one, other) => Number(other.value) - Number(one.value));
  const uncounted = chosen === '' || counted.some(({ value }) => value === chosen) ? [] : [{ value: chosen, count: undefined }];
  const values: { value: string; count: number | undefined }[] = [{ value: '', count: undefined }, ...uncounted, ...counted];
  return (
    <FilterGroup label="Rating" chosen={chosen === '' ? 0 : 1}>
      {values.map(({ value, count }) => (
        <ChoiceRow
          key={value}
          value={value}
          count={count}
          type="radio"
          name="rating"
          chosen={value === chosen}
          isEstimate={facets?.isEstimate ?? false}
          onChoose={() => setChosen(value)}
        >
          {value === '' ? 'Any rating' : `${value} stars and up`}
        </ChoiceRow>
      ))}
    </FilterGroup>
  );
}

/** A list's URL, in a form to compare: a category has two parameter names, and case does not matter. */
const comparable = (address: string) => address.toLowerCase().replace(/\bcategory=/, 'query=');

/** Applies changes to the list's URL as history entries; `onChoice` receives each URL. */
function useApply(search: URLSearchParams, onChoice: (address: string) => void) {
  const navigate = useNavigate();
  const go = (changes: Parameters<typeof withParameters>[1]) => {
    const to = withParameters(search, changes);
    // An unchanged list adds no history entry: Back would seem to do nothing.
    if (comparable(to) === comparable(withParameters(search, {}))) return;
    onChoice(to);
    void navigate(to, { preventScrollReset: true });
  };
  return {
    /** The form's prices, applied by Enter (specification §5) or the drawer's button. */
    prices(form: HTMLFormElement) {
      const data = new FormData(form);
      const entered = (name: 'minPrice' | 'maxPrice') => enteredPrice(String(data.getAll(name).at(-1) ?? ''), search.get(name));
      go({ minPrice: entered('minPrice'), maxPrice: entered('maxPrice') });
    },
    /** All other fields. */
    choices: (form: HTMLFormElement) => go(choicesOf(form, search)),
    /** All fields in another unit. */
    unit(form: HTMLFormElement, unit: LengthUnit) {
      const choices = choicesOf(form, search, unitOf(search));
      go({ ...choices, ...inUnit(new URLSearchParams(choices), unit) });
    },
  };
}

/**
 * Keeps the values in the order that they had before the first choice, for as long as choices are made in this panel, so that nothing moves
 * under the pointer. Other navigation brings a new order.
 */
function useKeptOrder(search: URLSearchParams, facets: Facets | null, dropsEmptyRows: boolean) {
  const address = comparable(withParameters(search, {}));
  const [kept, setKept] = useState<{ facets: Facets; address: string }>();
  const [seen, setSeen] = useState(address);
  if (seen !== address) {
    setSeen(address);
    if (kept && kept.address !== address) setKept(undefined);
  }
  const onChoice = (to: string) => {
    const before = kept?.facets ?? (facets && withoutEmpty(facets));
    if (before) setKept({ facets: before, address: comparable(to) });
  };
  const ordered = kept && facets ? inOrderOf(kept.facets, facets) : facets;
  const isInCategory = search.has('query');
  const keepsEmpty = kept && !(dropsEmptyRows && isInCategory);
  return { facets: ordered && !keepsEmpty ? withoutEmpty(ordered) : ordered, onChoice };
}

/** The name of a submit button that applies the prices. */
export const APPLIES_PRICES = 'applies-prices';

/** The form's parameters with the URL's prices; lengths in the form's unit or the given one. */
function choicesOf(form: HTMLFormElement, search: URLSearchParams, unit?: LengthUnit): Partial<Record<ListParameter, string>> {
  const entered = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  if (unit) entered.set('unit', unit);
  for (const [name, bound] of LENGTH_BOUNDS)
    entered.set(name, readBound(entered.get(name) ?? '', unitOf(entered), bound)?.toString() ?? '');
  const valid = new Map(listParametersOf(entered));
  const chosen = [...FILTER_PARAMETERS, 'unit' as const].map((name) => [name, valid.get(name) ?? '']);
  return { ...Object.fromEntries(chosen), minPrice: search.get('minPrice') ?? '', maxPrice: search.get('maxPrice') ?? '' };
}

/**
 * The shop's filters (specification §2, §5 and 12.7). With scripts, choices apply at once, lengths on leaving their field and prices by Enter.
 * Without, it is a GET form with a button, which sends the sort too. A new filter is one more `FilterGroup`; its fields apply by their names
 * in `LIST_PARAMETERS`.
 */
export function FilterPanel({ search, facets: counted, id, dropsEmptyRows = false }: FilterPanelProps) {
  const { facets, onChoice } = useKeptOrder(search, counted, dropsEmptyRows);
  /** Whether something in the list has a flag, or the box is ticked. */
  const isOffered = (flag: 'new' | 'sale') => search.has(flag) || (facets?.flags.some(({ value }) => value === flag) ?? false);
  const apply = useApply(search, onChoice);
  const form = useRef<HTMLFormElement>(null);
  const applyEarly = useEffectEvent(() => {
    if (form.current && !('sent' in form.current.dataset)) apply.choices(form.current);
  });
  // Applies choices made before hydration; an early submit is repeated (`start.ts`).
  useEffect(() => applyEarly(), []);
  const applyChange = ({ target, currentTarget }: ChangeEvent<HTMLFormElement, HTMLInputElement>) => {
    if (target.type !== 'checkbox' && target.type !== 'radio') return;
    if (target.name === 'unit') apply.unit(currentTarget, target.value === 'in' ? 'in' : 'cm');
    else apply.choices(currentTarget);
  };
  return (
    <form
      ref={form}
      id={id}
      // Browsers would restore the last visit's values.
      autoComplete="off"
      action="/shop"
      method="get"
      className="grid gap-6"
      onChange={applyChange}
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        const appliesPrices = submitter?.getAttribute('name') === APPLIES_PRICES || document.activeElement?.closest('[data-prices]');
        if (appliesPrices) apply.prices(event.currentTarget);
        else apply.choices(event.currentTarget);
      }}
    >
      {/* Enter presses the form's first submit button; without one, it would not submit several fields. */}
      <button type="submit" hidden />
      {(['search', 'typed'] as const).map(
        (name) => search.has(name) && <input key={name} type="hidden" name={name} value={search.get(name) ?? ''} />,
      )}
      <Availability search={search} facets={facets} />
      <PriceFields search={search} />
      {isOffered('sale') && (
        <ChoiceRow type="checkbox" name="sale" value="true" chosen={search.has('sale')} {...flagCount(facets, 'sale')}>
          Reduced
        </ChoiceRow>
      )}
      <div className="border-b border-line">
        {VALUE_FILTERS.map((filter) => (
          <ValueFilterGroup key={filter.facet} filter={filter} search={search} facets={facets} open={filter.isOpen} />
        ))}
        <LengthFilterGroup search={search} facets={facets} onApply={(form) => form && apply.choices(form)} />
        <DoorFilter search={search} onApply={(form) => form && apply.choices(form)} />
        <Rating search={search} facets={facets} />
        {isOffered('new') && (
          <FilterGroup label="New arrivals" chosen={search.has('new') ? 1 : 0}>
            <ChoiceRow type="checkbox" name="new" value="true" chosen={search.has('new')} {...flagCount(facets, 'new')}>
              New!
            </ChoiceRow>
          </FilterGroup>
        )}
      </div>
      {facets?.isEstimate && <p className="text-sm text-soft">Counts with “~” are estimates.</p>}
      <YourSpace search={search} />
      <noscript>
        <button type="submit" className="btn btn-secondary w-full">
          Apply filters and sort
        </button>
      </noscript>
    </form>
  );
}
