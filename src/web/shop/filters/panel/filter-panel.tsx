import { type ChangeEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Facets } from '#contract/catalogue/catalogue.ts';
import { readBound } from '#contract/catalogue/length-bounds.ts';
import type { LengthUnit } from '#contract/catalogue/lengths.ts';
import { FILTER_PARAMETERS, type ListParameter, listParametersOf, unitOf } from '#contract/catalogue/list-parameters.ts';
import { LENGTH_FILTERS, VALUE_FILTERS } from '#web/shop/filters/filters.ts';
import { withParameters } from '#web/shop/filters/list-url.ts';
import { enteredPrice } from '#web/shop/filters/prices.ts';
import { ChoiceRow, CountNote } from './choice-row.tsx';
import { FilterGroup } from './filter-group.tsx';
import { inUnit, LengthFilterGroup } from './length-filter.tsx';
import { PriceFields } from './price-fields.tsx';
import { SpaceFilter } from './space-filter.tsx';
import { inOrderOf } from './stable-order.ts';
import { useFollowing } from './use-following.ts';
import { ValueFilterGroup } from './value-filter.tsx';

export interface FilterPanelProps {
  /** The parameters of the newest list that was asked for, as `listParametersOf` reads them. */
  search: URLSearchParams;
  facets: Facets | null;
  /** The form's id, for a control that stands outside it. */
  id?: string;
}

/** Availability, as the specification has it (§2): the count stands beside the label, not in it. */
function Availability({ search, facets }: FilterPanelProps) {
  const count = useId();
  const [inStock, setInStock] = useFollowing(search.has('inStock'));
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

const flagCount = (facets: Facets | null, flag: 'inStock' | 'new') => ({
  count: facets ? (facets.flags.find(({ value }) => value === flag)?.count ?? 0) : undefined,
  isEstimate: facets?.isEstimate ?? false,
});

/** The least rating, one of a few. */
function Rating({ search, facets }: FilterPanelProps) {
  const [chosen, setChosen] = useFollowing(search.get('rating') ?? '');
  const told = (facets?.ratings ?? []).toSorted((one, other) => Number(other.value) - Number(one.value));
  const own = chosen === '' || told.some(({ value }) => value === chosen) ? [] : [{ value: chosen, count: undefined }];
  const values: { value: string; count: number | undefined }[] = [{ value: '', count: undefined }, ...own, ...told];
  return (
    <FilterGroup label="Rating" chosen={chosen === '' ? 0 : 1}>
      {values.map(({ value, count }) => (
        <ChoiceRow
          key={value}
          {...{ value, count }}
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

/** What an address asks for: a category may stand under either of two names, and names count in any case of letters. */
const askedOf = (address: string) => address.toLowerCase().replace(/\bcategory=/, 'query=');

/** What follows the address of the list: its changes, as steps of their own in the history. `onChoice` is told the address of each. */
function useApply(search: URLSearchParams, onChoice: (address: string) => void) {
  const navigate = useNavigate();
  const go = (changes: Parameters<typeof withParameters>[1]) => {
    const to = withParameters(search, changes);
    // The same filter once more adds no entry to the history: Back would seem to do nothing.
    if (askedOf(to) === askedOf(withParameters(search, {}))) return;
    onChoice(to);
    void navigate(to, { preventScrollReset: true });
  };
  return {
    /** The prices of the form, which only Enter applies (specification §5), and the drawer's button. */
    prices(form: HTMLFormElement) {
      const data = new FormData(form);
      const entered = (name: 'minPrice' | 'maxPrice') => enteredPrice(String(data.getAll(name).at(-1) ?? ''), search.get(name));
      go({ minPrice: entered('minPrice'), maxPrice: entered('maxPrice') });
    },
    /** Everything else that the form says. */
    choices: (form: HTMLFormElement) => go(choicesOf(form, search)),
    /** The same in another unit of length. */
    unit(form: HTMLFormElement, unit: LengthUnit) {
      const choices = choicesOf(form, search, unitOf(search));
      go({ ...choices, ...inUnit(new URLSearchParams(choices), unit) });
    },
  };
}

/**
 * The values of each filter in the order in which they stood before the first of a row of choices in this panel: nothing moves under the pointer while
 * one chooses. Any other way to a list brings the order of its own counts.
 */
function useKeptOrder(search: URLSearchParams, facets: Facets | null) {
  const address = askedOf(withParameters(search, {}));
  const [kept, setKept] = useState<{ facets: Facets; address: string }>();
  const [seen, setSeen] = useState(address);
  if (seen !== address) {
    setSeen(address);
    if (kept && kept.address !== address) setKept(undefined);
  }
  const onChoice = (to: string) => {
    const before = kept?.facets ?? facets;
    if (before) setKept({ facets: before, address: askedOf(to) });
  };
  return { facets: kept && facets ? inOrderOf(kept.facets, facets) : facets, onChoice };
}

/** The name of a submit button that applies the prices too. */
export const APPLIES_PRICES = 'applies-prices';

/** What a form asks for, prices as they are in the address; its lengths are in its unit, or in the one given. */
function choicesOf(form: HTMLFormElement, search: URLSearchParams, unit?: LengthUnit): Partial<Record<ListParameter, string>> {
  const said = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  if (unit) said.set('unit', unit);
  for (const { min, max } of LENGTH_FILTERS) {
    for (const [name, bound] of [
      [min, 'min'],
      [max, 'max'],
    ] as const)
      said.set(name, readBound(said.get(name) ?? '', unitOf(said), bound)?.toString() ?? '');
  }
  const counts = new Map(listParametersOf(said));
  const chosen = [...FILTER_PARAMETERS, 'unit' as const].map((name) => [name, counts.get(name) ?? '']);
  return { ...Object.fromEntries(chosen), minPrice: search.get('minPrice') ?? '', maxPrice: search.get('maxPrice') ?? '' };
}

/**
 * The filters of the shop (specification §2, §5 and 12.7). With scripts, what is ticked applies at once, lengths on leaving their field, and prices
 * by Enter. Without them it is a plain GET form with a button, which sends everything together with the sort.
 *
 * A filter of its own kind stands here as one more `FilterGroup`; its fields are sent and applied by their names, which `LIST_PARAMETERS` reads.
 */
export function FilterPanel({ search, facets: counted, id }: FilterPanelProps) {
  const { facets, onChoice } = useKeptOrder(search, counted);
  const apply = useApply(search, onChoice);
  const form = useRef<HTMLFormElement>(null);
  const applyEarly = useEffectEvent(() => {
    if (form.current && !('sent' in form.current.dataset)) apply.choices(form.current);
  });
  // What was ticked before this code was there; a form that was sent is sent again (`start.ts`).
  useEffect(() => applyEarly(), []);
  const applyChange = ({ target, currentTarget }: ChangeEvent<HTMLFormElement, HTMLInputElement>) => {
    if (target.type !== 'checkbox' && target.type !== 'radio') return;
    if (target.name === 'unit') apply.unit(currentTarget, target.value === 'in' ? 'in' : 'cm');
    else apply.choices(currentTarget);
  };
  const term = search.get('search');
  return (
    <form
      ref={form}
      id={id}
      // What a browser remembers of a form from the last visit is not what the address asks for.
      autoComplete="off"
      action="/shop"
      method="get"
      className="grid gap-6"
      onChange={applyChange}
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        const isOfPrice = submitter?.getAttribute('name') === APPLIES_PRICES || document.activeElement?.closest('[data-prices]');
        if (isOfPrice) apply.prices(event.currentTarget);
        else apply.choices(event.currentTarget);
      }}
    >
      {/* First of the form: what makes Enter submit a form of several fields. */}
      <button type="submit" hidden />
      {term && <input type="hidden" name="search" value={term} />}
      <Availability search={search} facets={facets} />
      <PriceFields search={search} />
      <div className="border-b border-line">
        {VALUE_FILTERS.map((filter) => (
          <ValueFilterGroup key={filter.facet} {...{ filter, search, facets }} open={filter.isOpen} />
        ))}
        <LengthFilterGroup search={search} facets={facets} onApply={(form) => form && apply.choices(form)} />
        <Rating search={search} facets={facets} />
        <FilterGroup label="New arrivals" chosen={search.has('new') ? 1 : 0}>
          <ChoiceRow type="checkbox" name="new" value="true" chosen={search.has('new')} {...flagCount(facets, 'new')}>
            New!
          </ChoiceRow>
        </FilterGroup>
      </div>
      {facets?.isEstimate && <p className="text-sm text-soft">Counts with “~” are estimates.</p>}
      <SpaceFilter search={search} />
      <noscript>
        <button type="submit" className="btn btn-secondary w-full">
          Apply filters and sort
        </button>
      </noscript>
    </form>
  );
}
