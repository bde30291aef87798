import { useState } from 'react';
import { type Product, piecesOfSize, priceOf } from '#contract/catalogue/catalogue.ts';
import { pictureOf } from '#contract/catalogue/shown-picture.ts';
import { MAX_QUANTITY } from '#contract/platform/limits.ts';

/** What is chosen on a product's page, and what follows from it: the chosen size, what is left of it, its price in pence, and the place of its picture. */
export function useChoice(product: Product) {
  const firstInStock = product.sizes.find((entry) => piecesOfSize(product, entry.size) > 0) ?? product.sizes[0];
  const [chosenSize, setSize] = useState<string>();
  const size = chosenSize ?? firstInStock?.size;
  const [color, setColor] = useState(product.colors[0]?.hexCode);
  const [quantity, setQuantity] = useState(1);
  const chosen = product.sizes.find((entry) => entry.size === size);
  const available = Math.min(piecesOfSize(product, size), MAX_QUANTITY);
  const qty = Math.max(1, Math.min(quantity, available));
  return {
    size,
    setSize,
    color,
    setColor,
    qty,
    setQuantity,
    chosen,
    available,
    price: priceOf(product, size),
    picture: pictureOf(product.pictures, size, color),
  };
}

export type Choice = ReturnType<typeof useChoice>;
