import { useState } from 'react';
import type { ProductCard } from '#contract/catalogue/catalogue.ts';
import { variantParameters } from '#contract/catalogue/variant.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { chooseCompared, dropCompared, keptCompared } from './compared.ts';

/** On a card: adds its product to the comparison. A fifth is refused with a sentence. */
export function CompareToggle({ product }: { product: Pick<ProductCard, '_id' | 'name' | 'images' | 'variant'> }) {
  const { _id, images, variant } = product;
  const { name } = variant ?? product;
  const image = variant ? variant.image : images[0];
  const compared = useStoredValue(keptCompared) ?? [];
  const [refusal, setRefusal] = useState<string>();
  const change = (isWanted: boolean) => {
    setRefusal(isWanted ? chooseCompared({ _id, name, image: image ?? '', variant: variant && variantParameters(variant) }) : undefined);
    if (!isWanted) dropCompared(_id);
  };
  return (
    <div className="relative z-2 justify-self-start noscript:hidden">
      <label className="flex min-h-target cursor-pointer flex-wrap items-center gap-x-2 pr-3 text-sm">
        <input
          type="checkbox"
          className="size-6 accent-accent"
          checked={compared.some((one) => one._id === _id)}
          onChange={({ target }) => change(target.checked)}
        />
        <span>
          Compare<span className="sr-only"> {name}</span>
        </span>
      </label>
      <p role="status" className="text-sm text-clay">
        {refusal}
      </p>
    </div>
  );
}
