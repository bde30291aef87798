import { useCartDiscount } from '#web/browser/cart-discount.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { More } from '#web/ui/more.tsx';

const DiscountLines = lazyPart(async () => (await import('./discount-lines.tsx')).DiscountLines, {
  fallback: <div className="min-h-target" />,
});
const CodeForm = lazyPart(async () => (await import('./code-form.tsx')).CodeForm, { fallback: <div className="min-h-target" /> });

/** The cart's discounts, and the field for a code, which keeps a refused one. */
export function DiscountPanel() {
  const { code = '', applied = [] } = useCartDiscount();
  return (
    <section aria-label="Discount" className="grid gap-3">
      <div role="status" className="grid gap-2 empty:hidden">
        {applied.length > 0 && <DiscountLines />}
      </div>
      {!applied.some((promotion) => promotion.code) && (
        <More summary="Discount code" isOpen={code !== ''}>
          <CodeForm />
        </More>
      )}
    </section>
  );
}
