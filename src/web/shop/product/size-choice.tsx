import { useContext } from 'react';
import { LOW_STOCK, type Size } from '#contract/catalogue.ts';
import { MarketContext } from '#web/state/store.ts';

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

/** The sizes as a radio group. A size that is sold out stays in sight and says so. */
export function SizeChoice({ sizes, price, chosen, onChoose }: SizeChoiceProps) {
  const market = useContext(MarketContext);
  return (
    <fieldset>
      <legend className="legend">Size</legend>
      <div className="grid gap-2 sm:grid-cols-2 md:grid-cols-1 lg:grid-cols-2">
        {sizes.map((size) => (
          <label
            key={size.size}
            className="flex min-h-target cursor-pointer items-center gap-3 rounded-soft border border-edge bg-paper px-3 py-1.5 has-[:checked]:border-accent has-[:checked]:bg-accent-tint has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent"
          >
            <input
              type="radio"
              name="size"
              value={size.size}
              className="size-4 accent-accent"
              checked={size.size === chosen}
              onChange={() => onChoose(size.size)}
            />
            <span className="leading-tight">
              <span className="font-medium">{size.size}</span>
              <span className={`block text-sm ${size.quantity <= LOW_STOCK ? 'text-clay' : 'text-soft'}`}>
                {market.shopPrice(size.price || price)}, {stockOf(size)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A number without a unit counts centimetres. */
const withUnit = (value: string) => (/^[\d.,\s]+$/.test(value) ? `${value} cm` : value);

/** Measurements as a table. */
export function Measurements({ entries, caption }: { entries: { name: string; value: string }[]; caption: string }) {
  if (entries.length === 0) return null;
  return (
    <table className="w-full max-w-sm text-left">
      <caption className="legend text-left">{caption}</caption>
      <tbody>
        {entries.map(({ name, value }) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className="py-1.5 pr-6 font-normal text-soft">
              {name}
            </th>
            <td className="py-1.5 text-right">{withUnit(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
