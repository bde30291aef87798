import { useEffect, useMemo, useState } from 'react';
import { LOW_STOCK, type Product, priceOf, stockOfSize } from '#contract/catalogue/catalogue.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';

type Stock = Pick<Product, 'countInStock' | 'sizes'>;

/** One cart line for each size; one without sizes. */
const linesOf = (product: Product) =>
  (product.sizes.length > 0 ? product.sizes.map(({ size }) => size) : [undefined]).map((size) => ({
    _id: product._id,
    name: product.name,
    image: '',
    price: priceOf(product, size),
    qty: 1,
    ...(size !== undefined && { size }),
  }));

const isScarce = (product: Product) => linesOf(product).some(({ size }) => stockOfSize(product, size) <= LOW_STOCK);

/**
 * Adds back the stock that this customer's own card checkouts hold, since buying again releases it. Asked by the browser, because the page is
 * the same for everybody, and only when little stock is left.
 */
export function useOwnHold(product: Product): Product {
  const dispatch = useAppDispatch();
  const owner = useAppSelector(selectUserInfo)?._id;
  const [found, setFound] = useState<{ product: Product; owner: string; stock: Stock }>();
  const [shownAgain, setShownAgain] = useState(0);
  // The browser may restore the page from its back/forward cache, with other checkouts by now.
  useEffect(() => {
    const askAgain = ({ persisted }: PageTransitionEvent) => persisted && setShownAgain((times) => times + 1);
    window.addEventListener('pageshow', askAgain);
    return () => window.removeEventListener('pageshow', askAgain);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shownAgain` is not read, it only asks again.
  useEffect(() => {
    if (!owner || !isScarce(product)) return;
    let isCurrent = true;
    dispatch(request('POST /api/cart/check', { body: { orderItems: linesOf(product) } })).then(
      ({ lines }) => isCurrent && setFound({ product, owner, stock: stockOf(product, lines) }),
      // Without an answer the page stays.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [dispatch, owner, product, shownAgain]);
  return useMemo(
    () => (found?.product === product && found.owner === owner ? { ...product, ...found.stock } : product),
    [product, owner, found],
  );
}

/**
 * The sellable stock, from the answers for each size. A product's own count limits each of its sizes (`stockOfSize`), so it is raised to the
 * largest answer.
 */
function stockOf({ countInStock, sizes }: Product, lines: readonly { available: number }[]): Stock {
  const available = lines.map((line) => line.available);
  return {
    countInStock: sizes.length > 0 ? Math.max(countInStock, ...available) : (available[0] ?? countInStock),
    sizes: sizes.map((size, index) => ({ ...size, quantity: available[index] ?? 0 })),
  };
}
