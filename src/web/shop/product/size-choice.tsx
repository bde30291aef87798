import { useContext } from 'react';
import { LOW_STOCK, type Product, priceOf, stockOfSize, wasPriceOf } from '#contract/catalogue/catalogue.ts';
import { stockText } from '#web/parts/stock-text.ts';
import { WasPrice } from '#web/parts/was-price.tsx';
import { MarketContext } from '#web/state/store.ts';
import { Radio } from '#web/ui/form/radio.tsx';

interface SizeChoiceProps {
  product: Pick<Product, 'sizes' | 'price' | 'wasPrice' | 'countInStock'>;
  chosen: string | undefined;
  onChoose: (size: string) => void;
}

/** The sizes as a radio group; one that is sold out stays in sight and says so. */
export function SizeChoice({ product, chosen, onChoose }: SizeChoiceProps) {
  const market = useContext(MarketContext);
  if (product.sizes.length === 0) return null;
  return (
    <fieldset>
      <legend className="legend">Size</legend>
      <div className="grid grid-cols-2 gap-2 md:grid-cols-1 lg:grid-cols-2">
        {product.sizes.map(({ size }) => {
          const left = stockOfSize(product, size);
          const was = wasPriceOf(product, size);
          return (
            <Radio key={size} name="size" value={size} chosen={chosen} onChoose={onChoose} className="choice">
              <span className="leading-tight">
                <span className="font-medium">{size}</span>
                <span className={`block text-sm ${left <= LOW_STOCK ? 'text-clay' : 'text-soft'}`}>
                  {market.shopPrice(priceOf(product, size))}
                  {was != null && ' '}
                  <WasPrice price={was} />, <span className="whitespace-nowrap">{stockText(left) ?? 'In stock'}</span>
                </span>
              </span>
            </Radio>
          );
        })}
      </div>
    </fieldset>
  );
}
