import { defaultDelivery, deliveryOf } from './delivery-settings.ts';
import { promiseOf, tariffOf } from './delivery-texts.ts';
import type { DeliveryMethod } from './methods.ts';

type Methods = readonly DeliveryMethod[];

/** Whether delivery is free on the terms with which the shop was set up. */
export const isSetUpFree = (methods: Methods): boolean =>
  promiseOf(methods) === promiseOf(deliveryOf(defaultDelivery('classic', 0)).methods);

/** The rows of the shipping policy. While delivery is free on those terms, it has the specified prices (specification §9). */
export const policyTariffOf = (methods: Methods): ReturnType<typeof tariffOf> =>
  tariffOf(isSetUpFree(methods) ? deliveryOf(defaultDelivery('uk', 0)).methods : methods);
