import type { MarketName } from '#contract/market/market.ts';
import type { ShopSettings } from '#contract/settings/sections.schema.ts';
import { type DeliveryMethod, methodIdOf } from './methods.ts';

type Section = ShopSettings['delivery'];

/** The owner's delivery settings as the shop counts with them: amounts in pence. */
export interface DeliverySettings {
  methods: DeliveryMethod[];
  calendar: Section['calendar'];
  notices: Section['notices'];
}

const pence = (amount: number): number => Math.round(amount * 100);

export const deliveryOf = ({ methods, calendar, notices }: Section): DeliverySettings => ({
  methods: methods.map(({ name, price, freeFrom, minDays, maxDays, counted, cutOffHour }) => ({
    id: methodIdOf(name),
    label: name,
    price: pence(price),
    freeFrom: freeFrom === null ? null : pence(freeFrom),
    minDays,
    maxDays,
    unit: counted === 'working days' ? 'business_day' : 'day',
    cutOffHour,
  })),
  calendar,
  notices,
});

const standard = { name: 'Standard delivery', price: 0, freeFrom: null, minDays: 5, maxDays: 7, counted: 'working days' } as const;
const express = { name: 'Express delivery', price: 99, freeFrom: null, minDays: 2, maxDays: 3, counted: 'all days' } as const;

/** What counts until the owner has saved the section (specification §9; clarifications on `uk` shipping). */
export function defaultDelivery(market: MarketName, cutOffHour: number): Section {
  const methods = market === 'classic' ? [standard] : [{ ...standard, price: 49, freeFrom: 500 }, express];
  return { methods: methods.map((method) => ({ ...method, cutOffHour })), calendar: [], notices: [] };
}
