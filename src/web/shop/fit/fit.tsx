import { useMemo } from 'react';
import { Later, laterPart } from '#web/parts/later.tsx';
import type { FitSectionProps } from './fit-section.tsx';

/** The part's code: the drawing, the form and the rule. */
export const fitPart = laterPart<FitSectionProps>(() => import('./fit-section.tsx').then(({ FitSection }) => FitSection));

/** The section "Will it fit?" of a product's page, for the chosen size. The page's loader awaits `fitPart.prepare()`. */
export function Fit({ product, size }: FitSectionProps) {
  const props = useMemo(() => ({ product, size }), [product, size]);
  return (
    <section aria-labelledby="fit" className="grid gap-5 border-t border-line pt-8">
      <h2 id="fit">Will it fit?</h2>
      <Later part={fitPart} space="min-h-96" props={props} />
    </section>
  );
}
