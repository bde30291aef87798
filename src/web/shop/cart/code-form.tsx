import { useState } from 'react';
import { cartDiscount, useCartDiscount } from '#web/browser/cart-discount.ts';
import { Button } from '#web/ui/button.tsx';

/** The field for a discount code. A refused code stays in it, with the reason below. */
export function CodeForm() {
  const { code = '', tries = 0, refusal, failure } = useCartDiscount();
  const [typed, setTyped] = useState(code);
  // The reason belongs to the code that was sent.
  const wrong = typed.trim() === code && (refusal || failure);
  return (
    <form
      className="mt-1 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        cartDiscount.write({ code: typed.trim(), tries: tries + 1 });
      }}
    >
      <div className="flex flex-wrap gap-2">
        <input
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          aria-label="Discount code"
          aria-invalid={wrong ? true : undefined}
          aria-describedby="code-error"
          className="input min-w-0 flex-1 uppercase"
          maxLength={60}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <Button type="submit" look="secondary">
          Apply
        </Button>
      </div>
      <p id="code-error" role="status" className="wrong empty:hidden">
        {wrong}
      </p>
      {wrong && (
        <button
          type="button"
          className="link min-h-6 w-fit"
          onClick={({ currentTarget }) => {
            currentTarget.closest('details')?.querySelector('summary')?.focus();
            setTyped('');
            cartDiscount.write({ code: '' });
          }}
        >
          Remove the code
        </button>
      )}
    </form>
  );
}
