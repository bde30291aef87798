import { useContext } from 'react';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { productPath } from '#contract/catalogue/variant.ts';
import { MarketContext } from '#web/state/store.ts';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';

/** What is in a set, with links to its parts, and what it saves where it does. */
export function SetParts({ product: { parts, price } }: { product: Pick<Product, 'parts' | 'price'> }) {
  const market = useContext(MarketContext);
  const oneByOne = parts.reduce((sum, part) => sum + part.price * part.qty, 0);
  return (
    <section aria-labelledby="in-this-set" className="grid grid-cols-1 gap-3">
      <h2 id="in-this-set" className="text-base">
        In this set
      </h2>
      <ul className="grid grid-cols-1 gap-2">
        {parts.map((part) => {
          const { _id, name, qty, size, colour, image } = part;
          const to = productPath(_id, { size, colour });
          return (
            <li key={to} className="grid grid-cols-[3.5rem_1fr] items-center gap-3">
              <Link to={to} tabIndex={-1} aria-hidden="true">
                <Picture src={image} alt="" sizes="3.5rem" className="rounded-soft" />
              </Link>
              <span>
                {qty} ×{' '}
                <Link to={to} className="link wrap-anywhere">
                  {name}
                </Link>
                <span className="block text-sm text-soft">
                  {[size, colour, `${market.shopPrice(part.price)}${qty > 1 ? ' each' : ''}`].filter(Boolean).join(', ')}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
      {oneByOne > price && (
        <p className="text-sm text-soft">
          {market.shopPrice(oneByOne)} one by one: you save {market.shopPrice(oneByOne - price)}.
        </p>
      )}
    </section>
  );
}
