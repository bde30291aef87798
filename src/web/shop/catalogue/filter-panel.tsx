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

/** Min and Max, applied by Enter only (specification §5). The hidden button is what makes Enter submit a form of two fields. */
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
    </fieldset>
  );
}

/** What the form's own controls send, so that it needs no hidden copy; a new choice starts at page 1. */
const SENT = ['inStock', 'minPrice', 'maxPrice', 'sortBy', 'currPage'];

interface FilterPanelProps {
  search: URLSearchParams;
  /** The form's id, for a control that stands outside it. */
  id?: string;
}

/**
 * Availability and price (specification §2 and §5). With scripts, the box applies at once and the prices by Enter. Without them it is a plain
 * GET form with a button, which sends the box, the prices and the sort together.
 */
export function FilterPanel({ search, id }: FilterPanelProps) {
  const navigate = useNavigate();
  const [inStock, setInStock] = useFollowing(search.get('inStock') === 'true');
  const go = (changes: Parameters<typeof withParameters>[1]) => {
    const to = withParameters(search, changes);
    // The same filter once more adds no entry to the history: Back would seem to do nothing.
    if (to !== withParameters(search, {})) void navigate(to, { preventScrollReset: true });
  };
  const applyPrice = (form: FormData) =>
    go({ minPrice: String(form.get('minPrice') ?? '').trim(), maxPrice: String(form.get('maxPrice') ?? '').trim() });
  return (
    <form
      id={id}
      action="/shop"
      method="get"
      className="grid gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        applyPrice(new FormData(event.currentTarget));
      }}
    >
      {[...search]
        .filter(([name]) => !SENT.includes(name))
        .map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      <fieldset>
        <legend className="legend">Availability</legend>
        <label className="flex min-h-target items-center gap-3">
          <input
            type="checkbox"
            name="inStock"
            value="true"
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
      <PriceFields search={search} />
      <noscript>
        <button type="submit" className="btn btn-secondary w-full">
          Apply filters and sort
        </button>
      </noscript>
    </form>
  );
}
