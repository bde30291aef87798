import type { MarketName } from '#contract/market/market.ts';
import type { ShopSettings } from '#contract/settings/sections.schema.ts';
import type { Area } from './areas.ts';
import type { Load } from './delivery-classes.ts';
import type { DeliveryMethod } from './methods.ts';
import { methodIdOf } from './methods.ts';

type Section = ShopSettings['delivery'];

/** The owner's delivery settings as the shop counts with them: amounts in pence. */
export interface DeliverySettings {
  methods: DeliveryMethod[];
  areas: Area[];
  calendar: Section['calendar'];
  notices: Section['notices'];
}

/** `Express delivery, Van` → both names. */
export const namesOf = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** What a method takes, in the words of the settings, and the heaviest load of that. */
export const TAKES = { 'all pieces': undefined, 'parcels and small pieces': 'parcel', 'small pieces': 'small' } as const satisfies Record<
  string,
  Load | undefined
>;

const pence = (amount: number): number => Math.round(amount * 100);

export const deliveryOf = ({ methods, areas, calendar, notices }: Section): DeliverySettings => ({
  methods: methods.map(({ name, price, freeFrom, minDays, maxDays, counted, cutOffHour, daysToChoose, takes }) => ({
    id: methodIdOf(name),
    label: name,
    price: pence(price),
    freeFrom: freeFrom === null ? null : pence(freeFrom),
    minDays,
    maxDays,
    unit: counted === 'working days' ? 'business_day' : 'day',
    cutOffHour,
    ...(daysToChoose && { daysToChoose }),
    ...(TAKES[takes] && { upTo: TAKES[takes] }),
  })),
  areas: areas.map(({ postcodes, surcharge, extraDays, without, refusal }) => ({
    postcodes,
    surcharge: pence(surcharge),
    extraDays,
    without: namesOf(without).map(methodIdOf),
    refusal,
  })),
  calendar,
  notices,
});

const standard = { name: 'Standard delivery', price: 0, freeFrom: null, minDays: 5, maxDays: 7, counted: 'working days' } as const;
const express = { name: 'Express delivery', price: 99, freeFrom: null, minDays: 2, maxDays: 3, counted: 'all days' } as const;

/** What counts until the owner has saved the section (specification §9; clarifications on `uk` shipping). */
export function defaultDelivery(market: MarketName, cutOffHour: number): Section {
  const methods = market === 'classic' ? [standard] : [{ ...standard, price: 49, freeFrom: 500 }, express];
  return {
    methods: methods.map((method) => ({ ...method, cutOffHour, daysToChoose: null, takes: 'all pieces' as const })),
    areas: [],
    calendar: [],
    notices: [],
  };
}
