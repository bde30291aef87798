import { useContext, useMemo, useState } from 'react';
import { MAX_QUANTITY, MAX_QUANTITY_TEXT } from '#contract/base/limits.ts';
import { LOW_STOCK, type Product } from '#contract/catalogue.ts';
import { Later } from '#web/parts/later.tsx';
import { type CartItem, itemAdded, selectCart } from '#web/state/cart.slice.ts';
import { MarketContext, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Button } from '#web/ui/button.tsx';
import { Stepper } from '#web/ui/form/stepper.tsx';
import { Stars } from '#web/ui/stars.tsx';
import { toast } from '#web/ui/toast.ts';
import { ColourChoice } from './colour-choice.tsx';
import { soldOutPart } from './parts-below.ts';
import { Measurements, SizeChoice } from './size-choice.tsx';
import type { Choice } from './use-choice.ts';

/** How much there is, in words. */
function stockText(available: number): string {
  if (available <= 0) return 'Out of stock';
  return available <= LOW_STOCK ? `Only ${available} left` : 'In stock';
}

const choiceText = ({ size, colourName }: CartItem) => [size, colourName].filter(Boolean).join(', ');

/** Says what is in the cart now. A product has one line there (specification §4), so what the line was before is said too. */
function addedText(item: CartItem, before: CartItem | undefined): string {
  const choice = choiceText(item);
  const text = `${[item.name, choice].filter(Boolean).join(', ')} is in your cart`;
  if (before && choiceText(before) !== choice) return `${text}, in place of ${choiceText(before) || 'what you had chosen'}.`;
  return before && before.qty !== item.qty ? `${text}: now ${item.qty}, before ${before.qty}.` : `${text}.`;
}

interface BuyBoxProps {
  product: Product;
  choice: Choice;
}

/** Puts what is chosen into the cart; what is said about it afterwards. */
function useAdd({ _id, name, images, colors }: Product, { size, color, price, qty }: Choice) {
  const dispatch = useAppDispatch();
  const { items } = useAppSelector(selectCart);
  const [said, setSaid] = useState('');
  const colourName = colors.find(({ hexCode }) => hexCode === color)?.name;
  const add = () => {
    const item: CartItem = { _id, name, image: images[0] ?? '', price, qty, ...(size && { size }), ...(color && { color, colourName }) };
    const text = addedText(
      item,
      items.find((line) => line._id === _id),
    );
    dispatch(itemAdded(item));
    setSaid(text);
    toast.seen(text);
  };
  return { add, said };
}

/** Quantity and button, or that there is none to buy. */
function Purchase({ product, choice }: BuyBoxProps) {
  const { available, qty, setQuantity } = choice;
  const { add, said } = useAdd(product, choice);
  return (
    <>
      {available > 0 ? (
        <div className="sticky bottom-0 z-10 grid gap-2 bg-page py-2 md:static md:py-0">
          <div className="flex flex-wrap items-center gap-4">
            <Stepper name={product.name} value={qty} max={available} onChange={setQuantity} />
            <Button className="flex-1" onClick={add}>
              Add To Cart
            </Button>
          </div>
          {qty === available && (
            <p className="text-sm font-medium text-clay">
              {available === MAX_QUANTITY ? MAX_QUANTITY_TEXT : `Only ${available} in stock.`}
            </p>
          )}
        </div>
      ) : (
        <p className="rounded-soft border border-edge px-4 py-3 text-center font-semibold">Out of Stock</p>
      )}
      <p role="status" aria-live="polite" className="sr-only">
        {said}
      </p>
    </>
  );
}

/** Beside the pictures: name, price, choices, and the button that puts them into the cart. */
export function BuyBox({ product, choice }: BuyBoxProps) {
  const ofProduct = useMemo(() => ({ product }), [product]);
  const market = useContext(MarketContext);
  const { name, brand, rating, description, colors, sizes, measurements } = product;
  const { size, setSize, color, setColor, chosen, available, price } = choice;
  return (
    <div className="grid content-start gap-5">
      <div className="grid gap-1.5">
        <h1>{name}</h1>
        <p className="flex flex-wrap items-center gap-x-4 text-soft">
          <Stars rating={rating} /> {brand}
        </p>
        <p className="font-display text-title">{market.shopPrice(price)}</p>
        <p className="text-sm text-soft">
          {stockText(available)}. {available > 0 && market.deliveryPromise}
        </p>
      </div>
      {sizes.length > 0 && <SizeChoice sizes={sizes} price={product.price} chosen={size} onChoose={setSize} />}
      <ColourChoice colors={colors} chosen={color} onChoose={setColor} />
      <Purchase product={product} choice={choice} />
      {product.countInStock === 0 && <Later part={soldOutPart} space="min-h-96" props={ofProduct} />}
      <p className="prose whitespace-pre-line border-t border-line pt-5">{description}</p>
      <Measurements entries={chosen?.measurements ?? []} caption={`Measurements${chosen ? `, ${chosen.size}` : ''}`} />
      <Measurements entries={measurements} caption="Measurements" />
    </div>
  );
}
