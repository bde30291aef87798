import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { penceNote, priceText, withParameters } from './list-url.ts';

/** A control's value that answers at once and follows the URL when that has changed. */
function useFollowing<T>(value: T): [T, (value: T) => void] {
  const [own, setOwn] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setOwn(value);
  }
  return [own, setOwn];
}

function PriceInput({ name, label, value }: { name: string; label: string; value: string }) {
  const id = useId();
  const [text, setText] = useFollowing(value);
  return (
    <label className="text-sm" htmlFor={id}>
      {label} (£)
      <input
        id={id}
        name={name}
        className="input mt-1"
        // The usual keyboard: the number pad of some phones has no Enter.
        enterKeyHint="go"
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}

/**
 * Min and Max, applied by Enter only (specification §5). The hidden button is what makes Enter submit a form of two fields; a button
 * that is seen is for pages without scripts.
 */
function PriceFields({ search }: { search: URLSearchParams }) {
  const hint = useId();
  const prices = [search.get('minPrice'), search.get('maxPrice')] as const;
  return (
    <fieldset aria-describedby={hint}>
      <legend className="legend">Price</legend>
      <div className="grid grid-cols-2 gap-3">
        <PriceInput name="minPrice" label="Min" value={priceText(prices[0])} />
        <PriceInput name="maxPrice" label="Max" value={priceText(prices[1])} />
      </div>
      <p id={hint} className="mt-2 text-sm text-soft">
        Press Enter to apply.
      </p>
      <p role="status" className="text-sm text-soft">
        {penceNote(...prices)}
      </p>
      <button type="submit" hidden />
      <noscript>
        <button type="submit" className="btn btn-quiet -ml-3 mt-2 text-sm">
          Apply price (Enter)
        </button>
      </noscript>
    </fieldset>
  );
}

/** Availability and price (specification §2 and §5). A plain GET form, so it works without scripts too. */
export function FilterPanel({ search }: { search: URLSearchParams }) {
  const navigate = useNavigate();
  const [inStock, setInStock] = useFollowing(search.get('inStock') === 'true');
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
            checked={inStock}
            onChange={({ target }) => {
              setInStock(target.checked);
              go({ inStock: target.checked ? 'true' : '' });
            }}
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
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <PriceFields search={search} />
      </form>
    </div>
  );
}
