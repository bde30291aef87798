import type { Company } from '#contract/market/company.ts';
import { RETURNS, type ShopSettings } from './sections.schema.ts';

/** The company as pages and mails show it, with the owner's settings. `base` has the sections that are not given, and what no screen sets. */
export const companyOf = (base: Company, { shop, company, contact, payment, home, reviews }: Partial<ShopSettings>): Company => ({
  ...base,
  ...(shop && {
    shop: shop.name,
    strapline: shop.strapline,
    logo: shop.logo,
    social: shop.social.map(({ name, address }) => [name, address] as const),
  }),
  ...(company && {
    name: company.name,
    number: company.number.toUpperCase(),
    office: company.office,
    vatNumber: company.vatNumber.replace(/\s/g, '').toUpperCase(),
  }),
  ...(contact && {
    email: contact.email,
    phone: contact.phone,
    hours: contact.hours,
    showroom: contact.showroom,
    openingHours: contact.openingHours.map(({ days, times }) => [days, times] as const),
    returnsAddress: contact.returnsAddress,
    collectsReturns: contact.returns === RETURNS.collected,
  }),
  ...(payment && { payment }),
  ...(reviews && { ratingSource: reviews.ratingSource }),
  ...(home && { home: Object.fromEntries(Object.entries(home).filter(([, value]) => value !== '')) }),
});
