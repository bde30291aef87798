import { useLocation } from 'react-router';

interface Placed {
  isOrderPlaced: boolean;
  /** The answer was lost, and the order found later. */
  isFound: boolean;
}

export const ORDER_PLACED: Placed = { isOrderPlaced: true, isFound: false };
export const ORDER_FOUND: Placed = { isOrderPlaced: true, isFound: true };

/** The history state of a placed order; empty otherwise. */
export const useJustPlaced = (): Partial<Placed> => (useLocation().state as Partial<Placed> | null) ?? {};
