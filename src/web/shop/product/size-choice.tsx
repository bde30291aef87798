import { useContext } from 'react';
import { LOW_STOCK, type Size } from '#contract/catalogue.ts';
import { MarketContext } from '#web/state/store.ts';
import { Radio } from '#web/ui/form/radio.tsx';

interface SizeChoiceProps {
  sizes: Size[];
  /** The product's price, for sizes without one of their own. */
  price: number;
  chosen: string | undefined;
  onChoose: (size: string) => void;
}

function stockOf({ quantity }: Size): string {
  if (quantity === 0) return 'Sold out';
  return quantity <= LOW_STOCK ? `Only ${quantity} left` : 'In stock';
}

/** The sizes as a radio group; where there is one, there is nothing to choose. A size that is sold out stays in sight and says so. */
export function SizeChoice({ sizes, price, chosen, onChoose }: SizeChoiceProps) {
  const market = useContext(MarketContext);
  const [only, second] = sizes;
  if (!only) return null;
  if (!second)
    return (
      <p>
        <span className="font-semibold">Size:</span> {only.size}
      </p>
    );
  return (
    <fieldset>
      <legend className="legend">Size</legend>
      <div className="grid gap-2 sm:grid-cols-2 md:grid-cols-1 lg:grid-cols-2">
        {sizes.map((size) => (
          <Radio key={size.size} name="size" value={size.size} chosen={chosen} onChoose={onChoose} className="choice">
            <span className="leading-tight">
              <span className="font-medium">{size.size}</span>
              <span className={`block text-sm ${size.quantity <= LOW_STOCK ? 'text-clay' : 'text-soft'}`}>
                {market.shopPrice(size.price || price)}, {stockOf(size)}
              </span>
            </span>
          </Radio>
        ))}
      </div>
    </fieldset>
  );
}
