import { useRef } from 'react';
import { cartDiscount } from '#web/browser/cart-discount.ts';
import { Button } from '#web/ui/button.tsx';

/** The field for a discount code. */
export function CodeForm() {
  const input = useRef<HTMLInputElement>(null);
  const apply = () => {
    const typed = input.current?.value.trim() ?? '';
    if (typed !== '') cartDiscount.write({ code: typed });
  };
  return (
    <form
      className="mt-1 flex flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <input
        ref={input}
        aria-label="Discount code"
        className="input min-w-0 flex-1 uppercase"
        maxLength={60}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <Button type="submit" look="secondary">
        Apply
      </Button>
    </form>
  );
}
