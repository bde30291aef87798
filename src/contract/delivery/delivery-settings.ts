import type { MarketName } from '#contract/market/market.ts';
import type { ShopSettings } from '#contract/settings/sections.schema.ts';
import type { Area } from './areas.ts';
import type { Load } from './delivery-classes.ts';
import type { DeliveryMethod } from './methods.ts';
import { methodIdOf } from './methods.ts';

/** Its amounts are in pounds. */
type Section = ShopSettings['delivery'];

/** The owner's delivery settings in the form that the shop calculates with: amounts in pence, methods by id. */
export interface DeliverySettings {
  methods: DeliveryMethod[];
  areas: Area[];
  calendar: Section['calendar'];
  notices: Section['notices'];
}

/** Splits a list of names: `Express delivery, Van`. */
export const namesOf = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** The choices of what a method carries, each with its largest load; undefined for no limit. */
export const TAKES = { 'all pieces': undefined, 'parcels and small pieces': 'parcel', 'small pieces': 'small' } as const satisfies Record<
  string,
  Load | undefined
>;

const penceOf = (pounds: number): number => Math.round(pounds * 100);

export const deliveryOf = ({ methods, areas, calendar, notices }: Section): DeliverySettings => ({
  methods: methods.map(({ name, price, freeFrom, minDays, maxDays, counted, cutOffHour, daysToChoose, takes }) => ({
    id: methodIdOf(name),
    label: name,
    price: penceOf(price),
    freeFrom: freeFrom === null ? null : penceOf(freeFrom),
    minDays,
    maxDays,
    unit: counted === 'working days' ? 'business_day' : 'day',
    cutOffHour,
    ...(daysToChoose && { daysToChoose }),
    ...(TAKES[takes] && { upTo: TAKES[takes] }),
  })),
  areas: areas.map(({ postcodes, surcharge, extraDays, without, refusal }) => ({
    postcodes,
    surcharge: penceOf(surcharge),
    extraDays,
    without: namesOf(without).map(methodIdOf),
    refusal,
  })),
  calendar,
  notices,
});

const standard = { name: 'Standard delivery', price: 0, freeFrom: null, minDays: 5, maxDays: 7, counted: 'working days' } as const;
const express = { name: 'Express delivery', price: 99, freeFrom: null, minDays: 2, maxDays: 3, counted: 'all days' } as const;

/** The settings until the owner saves the section (specification §9; clarifications on `uk` shipping). */
export function defaultDelivery(market: MarketName, cutOffHour: number): Section {
  const methods = market === 'classic' ? [standard] : [{ ...standard, price: 49, freeFrom: 500 }, express];
  return {
    methods: methods.map((method) => ({ ...method, cutOffHour, daysToChoose: null, takes: 'all pieces' as const })),
    areas: [],
    calendar: [],
    notices: [],
  };
}
