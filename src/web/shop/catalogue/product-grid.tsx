import type { ReactNode } from 'react';
import type { ProductCard as Card } from '#contract/catalogue/catalogue.ts';
import { ProductCard } from './product-card.tsx';

interface ProductGridProps {
  products: Card[];
  /** The number of pictures on the first screen. */
  eager?: number;
  label: string;
  /** Three columns, for a list beside the filters. */
  narrow?: boolean;
  level?: 2 | 3;
  below?: (product: Card) => ReactNode;
}

/** Two columns on small screens, more on larger ones. */
export function ProductGrid({ products, eager = 0, label, narrow = false, level = 2, below }: ProductGridProps) {
  const columns = narrow ? 'md:grid-cols-3 min-[100rem]:grid-cols-4' : 'md:grid-cols-4';
  const sizes = narrow
    ? '(min-width: 1600px) 20rem, (min-width: 1024px) 22rem, (min-width: 768px) 30vw, 46vw'
    : '(min-width: 1600px) 24rem, (min-width: 1344px) 19rem, (min-width: 768px) 22vw, 46vw';
  return (
    <ul aria-label={label} className={`grid grid-cols-2 gap-x-4 gap-y-8 md:gap-x-6 md:gap-y-12 ${columns}`}>
      {products.map((product, index) => (
        <li key={product._id}>
          <ProductCard product={product} sizes={sizes} priority={index < eager} level={level} />
          {below?.(product)}
        </li>
      ))}
    </ul>
  );
}
