import { toast } from '#web/ui/toast.ts';

/** Said while the shop cannot take an order for a moment. Nothing is lost, and the visitor need not do anything. */
export const sayTriedAgain = (): void => toast.info('The shop is busy. Please stay on this page: we are trying again.');
