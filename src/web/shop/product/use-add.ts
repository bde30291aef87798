import { useContext, useState } from 'react';
import { useStore } from 'react-redux';
import { useNavigate } from 'react-router';
import type { Product } from '#contract/catalogue/catalogue.ts';
import { type CartItem, itemAdded } from '#web/state/cart.slice.ts';
import { type AppStore, DeliveryContext, MarketContext } from '#web/state/store.ts';
import type { Notice } from './added.tsx';
import type { Choice } from './use-choice.ts';

type Adding = Pick<Choice, 'size' | 'color' | 'price' | 'qty' | 'picture' | 'parameters'>;

/** A cart line of what is chosen. */
function chosenLine({ _id, name, images, colors }: Product, { size, color, price, qty, picture, parameters }: Adding): CartItem {
  const colourName = colors.find(({ hexCode }) => hexCode === color)?.name;
  return {
    _id,
    name,
    image: images[0] ?? '',
    price,
    qty,
    ...(picture && { picture: images[picture] }),
    ...(size && { size }),
    ...(color && { color, colourName }),
    ...(parameters && { variant: parameters }),
  };
}

/** Puts the chosen variant into the cart. The code of the message that follows is loaded with the first addition. */
export function useAdd(product: Product, choice: Adding) {
  const store = useStore() as AppStore;
  const navigate = useNavigate();
  const [market, delivery] = [useContext(MarketContext), useContext(DeliveryContext)];
  const [notice, setNotice] = useState<Notice>();
  const add = () => {
    const item = chosenLine(product, choice);
    const before = store.getState().cart.items.find((line) => line._id === item._id);
    store.dispatch(itemAdded(item));
    void import('./added.tsx').then(({ announce }) => announce({ item, before, store, market, delivery, navigate, setNotice }));
  };
  return { add, notice };
}
