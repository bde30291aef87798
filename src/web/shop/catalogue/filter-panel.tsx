import { useId } from 'react';
import { useNavigate } from 'react-router';
import { priceText, withParameters } from './list-url.ts';

/** Availability and price (specification §2 and §5). A plain GET form, so it works without scripts too. */
export function FilterPanel({ search }: { search: URLSearchParams }) {
  const navigate = useNavigate();
  const id = useId();
  const go = (changes: Parameters<typeof withParameters>[1]) =>
    void navigate(withParameters(search, changes), { preventScrollReset: true });
  const applyPrice = (form: FormData) =>
    go({ minPrice: String(form.get('minPrice') ?? '').trim(), maxPrice: String(form.get('maxPrice') ?? '').trim() });
  const kept = [...search].filter(([name]) => !['minPrice', 'maxPrice', 'currPage'].includes(name));
  return (
    <div className="grid gap-8">
      <fieldset>
        <legend className="legend">Availability</legend>
        <label className="flex min-h-target items-center gap-3">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={search.get('inStock') === 'true'}
            onChange={({ target }) => go({ inStock: target.checked ? 'true' : '' })}
          />
          In Stock Only
        </label>
      </fieldset>
      <form
        action="/shop"
        method="get"
        onSubmit={(event) => {
          event.preventDefault();
          applyPrice(new FormData(event.currentTarget));
        }}
      >
        <fieldset>
          <legend className="legend">Price</legend>
          {kept.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className="grid grid-cols-2 gap-3">
            {(['minPrice', 'maxPrice'] as const).map((name) => (
              <label key={`${name}${search.get(name)}`} className="text-sm" htmlFor={`${id}${name}`}>
                {name === 'minPrice' ? 'Min' : 'Max'} (£)
                <input
                  id={`${id}${name}`}
                  name={name}
                  className="input mt-1"
                  inputMode="numeric"
                  autoComplete="off"
                  defaultValue={priceText(search.get(name))}
                />
              </label>
            ))}
          </div>
          <button type="submit" className="btn btn-quiet mt-2 text-sm">
            Apply price (Enter)
          </button>
        </fieldset>
      </form>
    </div>
  );
}
