import { expect, test } from 'vitest';
import { defaultDelivery, deliveryOf } from './delivery-settings.ts';
import { policyTariffOf } from './policy-tariff.ts';

test('the shipping policy keeps the specified prices while delivery is free as the shop was set up (§9.7)', () => {
  const [classic, uk] = (['classic', 'uk'] as const).map((market) => deliveryOf(defaultDelivery(market, 14)).methods);
  expect(policyTariffOf(classic ?? [])).toEqual(policyTariffOf(uk ?? []));
  const own = (uk ?? []).slice(0, 1).map((method) => ({ ...method, price: 4_500, freeFrom: null }));
  expect(policyTariffOf(own)).toEqual([['Standard', '5-7 business days', '£45']]);
});
