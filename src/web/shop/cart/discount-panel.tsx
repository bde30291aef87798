import { useRef } from 'react';
import { cartDiscount, useCartDiscount } from '#web/browser/cart-discount.ts';
import { Button } from '#web/ui/button.tsx';
import { DiscountLines } from './discount-lines.tsx';

/** The cart's discounts, and the field for a code. */
export function DiscountPanel() {
  const { code = '' } = useCartDiscount();
  const input = useRef<HTMLInputElement>(null);
  const apply = () => {
    const typed = input.current?.value.trim() ?? '';
    if (typed !== '') cartDiscount.write({ code: typed });
  };
  return (
    <section aria-label="Discount" className="grid gap-3">
      <DiscountLines />
      {code === '' && (
        <details className="group">
          <summary className="link flex min-h-target w-fit items-center">Discount code</summary>
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
        </details>
      )}
    </section>
  );
}
