import { useId } from 'react';
import { hasPence, penceNote, priceText } from '#web/shop/filters/prices.ts';
import { useTyped } from '#web/ui/use-typed.ts';

function PriceInput({ name, label, exact }: { name: string; label: string; exact: string | null }) {
  const id = useId();
  const { ref, text, onType, endTyping } = useTyped(priceText(exact));
  return (
    <label className="text-sm" htmlFor={id}>
      {label} (£)
      {/* Before its box, which shows no pence: a form that is sent without scripts keeps them. */}
      {hasPence(exact) && <input type="hidden" name={name} value={exact} />}
      <input
        ref={ref}
        id={id}
        name={name}
        className="input mt-1"
        // The full keyboard: number pads of some phones have no Enter.
        enterKeyHint="go"
        autoComplete="off"
        value={text}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && endTyping()}
      />
    </label>
  );
}

/** Min and max price, applied by Enter only (specification §5). */
export function PriceFields({ search }: { search: URLSearchParams }) {
  const hint = useId();
  const [min, max] = [search.get('minPrice'), search.get('maxPrice')];
  return (
    <fieldset aria-describedby={hint} data-prices="">
      <legend className="legend">Price</legend>
      <div className="grid grid-cols-2 gap-3">
        <PriceInput name="minPrice" label="Min" exact={min} />
        <PriceInput name="maxPrice" label="Max" exact={max} />
      </div>
      <p id={hint} className="mt-2 text-sm text-soft">
        Type an amount, then press Enter.
      </p>
      <p role="status" className="text-sm text-soft">
        {penceNote(min, max)}
      </p>
    </fieldset>
  );
}
