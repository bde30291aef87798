import { toast } from '#web/ui/toast.ts';

/** While the shop cannot take an order for a moment: nothing is lost, and nothing is to be done. */
export const sayTriedAgain = (): void => toast.info('The shop is busy. Please stay on this page: we are trying again.');
