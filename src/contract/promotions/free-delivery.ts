import type { Pence } from '#contract/market/money.ts';

/** The methods of an order whose usual delivery a promotion pays for. */
export const withFreeDelivery = <M extends { price: Pence }>(methods: readonly M[], isFree: boolean | undefined): M[] =>
  methods.map((method, index) => (isFree && !index ? { ...method, price: 0 } : method));
