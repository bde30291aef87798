import { useLocation } from 'react-router';

/** The state of the step to the home page that follows an order. */
export const ORDER_PLACED = { isOrderPlaced: true };

/** Whether the visitor has come here by placing an order. */
export const useIsJustPlaced = (): boolean => (useLocation().state as Partial<typeof ORDER_PLACED> | null)?.isOrderPlaced === true;
