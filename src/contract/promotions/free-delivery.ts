import type { Pence } from '#contract/market/money.ts';

/** Delivery methods with the default one free. */
export const withFreeDelivery = <M extends { price: Pence }>(methods: readonly M[], isFree: boolean | undefined): M[] =>
  methods.map((method, index) => (isFree && !index ? { ...method, price: 0 } : method));

/** Whether a method is the default one, which free delivery is for. */
export const isUsual = (methods: readonly { id: string }[], id: string): boolean => methods[0]?.id === id;
