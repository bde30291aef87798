import { useLocation } from 'react-router';

interface Placed {
  isOrderPlaced: boolean;
  /** The answer was lost: the order was found by asking for it later. */
  isFound: boolean;
}

/** The state of the step to the home page that follows an order. */
export const ORDER_PLACED: Placed = { isOrderPlaced: true, isFound: false };
export const ORDER_FOUND: Placed = { isOrderPlaced: true, isFound: true };

/** How the visitor has come here by placing an order; nothing of it for anybody else. */
export const useJustPlaced = (): Partial<Placed> => (useLocation().state as Partial<Placed> | null) ?? {};
